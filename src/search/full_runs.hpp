// The rate at a latency target by full runs alone. They outrank a search's probes, which are too short for rare events:
// the write-back of caches, pauses of a volume, its burst credits running out.
#pragma once

#include <optional>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

/// A load point of full length in a search, which was not interrupted.
bool is_full_run(const CurvePoint& point);
/// A full run whose latency is that of the volume: it measured something, and where it is over the target, the
/// generator was not late.
bool is_evidence(const CurvePoint& point, Nanos target);

/// The rate at the target by the full runs near it. Each is extrapolated along the curve to the target and gives an
/// estimate; the answer is their mean with its Student interval, which covers differences between runs that no single
/// run shows. Outliers are left out.
struct FullRunEstimate {
  double rate = 0;           ///< achieved, ops/s; at a jump between the requested rates on both sides
  double low = 0, high = 0;  ///< 95 %
  std::size_t runs = 0;      ///< that the estimate uses; at least 2
};

struct FullRuns {
  std::size_t over = 0, met = 0;  ///< how many had more than the target, and how many not
  /// The requested rates on both sides of the split that leaves the fewest runs on the wrong side, ops/s. 0: none.
  double highest_met = 0, lowest_over = 0;
  double achieved_at_highest_met = 0;
  std::size_t contradictions = 0;  ///< how many are on the wrong side
  /// The latency is well below the target on one side and well over it on the other, as at a throughput limit of the
  /// volume: no extrapolation from there.
  bool jumps = false;
  std::optional<FullRunEstimate> estimate;  ///< when the two rates are near each other
  double next = 0;                          ///< the rate of the full run to make next, ops/s; 0: enough is known
};

/// `resolution`: the smallest difference between rates that can be requested, ops/s.
FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target, double resolution = 0);

/// The full run whose requested rate is nearest to this one, the last of equals; nullptr without any.
const CurvePoint* full_run_next_to(const std::vector<CurvePoint>& points, double ops_per_sec);

}  // namespace edagen
