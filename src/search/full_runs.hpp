// What full runs say of the rate at a latency target. They outrank the search's short windows, which miss what comes
// seldom: the writing back of caches, a volume's pauses, its credits running out.
#pragma once

#include <optional>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

/// Not cut off.
bool is_full_run(const CurvePoint& point);
/// A full run that measured something and is not over the target for the generator's sake: what it says is the volume's.
bool tells(const CurvePoint& point, Nanos target);

/// The rate at the target as full runs around it have it. Each is moved along the curve to the target, by how much its
/// latency is off, and is an estimate then; their mean and its Student interval hold what full runs differ by for
/// reasons that none of them shows. One that is far off the others is left out.
struct FullRunEstimate {
  double rate = 0;
  double low = 0, high = 0;  ///< 95 %
  std::size_t runs = 0;      ///< that it rests on; at least 2
};

struct FullRuns {
  std::size_t over = 0, met = 0;  ///< how many had more than the target, and how many not
  /// Where the two part with the fewest on the wrong side: the rates next to it, of those met and of those over. 0: none.
  double highest_met = 0, lowest_over = 0;
  std::size_t contradictions = 0;  ///< how many are on the wrong side
  /// Well below the target on one side and well over it on the other, as at a limit that the volume sets itself: how far a
  /// latency is off the target says nothing of the rate there.
  bool jumps = false;
  std::optional<FullRunEstimate> estimate;  ///< when the two are near each other
  double next = 0;                          ///< the rate at which another would tell most; 0: enough is known
};

/// `resolution`: rates that differ by less cannot be asked for.
FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target, double resolution = 0);

/// The full run asked for the rate next to this one, the last of equals; nullptr without any.
const CurvePoint* full_run_next_to(const std::vector<CurvePoint>& points, double ops_per_sec);

}  // namespace edagen
