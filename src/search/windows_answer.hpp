// What a search's short windows say of the rate at a latency target, and what full runs say of that.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

struct WindowsAnswer {
  enum Standing {
    unjudged,  ///< by full runs near it, or one of two differs
    upheld,    ///< most full runs agree: they are on the line of the windows, and their own error is small
    refuted    ///< two full runs do not; or windows contradict each other by more than their errors explain
  };
  Standing standing = unjudged;
  /// The rates between which the latency jumps from well below the target to well over it, as at a limit that the volume
  /// sets itself; if it does.
  std::optional<std::pair<double, double>> jump;
  double judge_at = 0;  ///< the rate at which a full run would tell: at a jump the lower one
};

WindowsAnswer windows_answer(const std::vector<CurvePoint>& points, Nanos target);

}  // namespace edagen
