// The rate at a latency target by a search's probes, and whether full runs confirm it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

struct ProbesAnswer {
  enum Standing {
    undecided,  ///< no full run near it, or one of two differs
    upheld,     ///< most full runs near it lie on the line of the probes, with a small error of their own
    refuted     ///< two full runs are off the line, or probes contradict each other by more than their errors
  };
  Standing standing = undecided;
  /// The requested rates between which the latency jumps from well below the target to well over it, as at a throughput
  /// limit of the volume; nullopt: it does not.
  std::optional<std::pair<double, double>> jump;
  double check_at = 0;  ///< the rate to make a full run at, ops/s: at a jump the lower end
};

ProbesAnswer probes_answer(const std::vector<CurvePoint>& points, Nanos target);

}  // namespace edagen
