// What full runs at the answer say of a latency target. They outrank the search's short windows, which miss what comes
// seldom: the writing back of caches, a volume's credits running out.
#pragma once

#include <vector>

#include "edagen/curve/curve_point.hpp"

namespace edagen {

/// The purpose of a full run in a search.
inline constexpr const char* judged_purpose = "judged";

enum class Verdict { below, agrees, over };

/// Agrees when it is off the target by at most a tenth or three standard errors, whichever is more; but never when it is a
/// quarter over the target or less than half of it, however uncertain that is.
Verdict verdict_of(const CurvePoint& point, Nanos target);

struct FullRuns {
  int standing = 0; ///< how many were over the target and are not outvoted by more at such or higher rates that were not
  double over = 0;  ///< the lowest rate of those; 0: none
  double met = 0;   ///< the highest rate below it at which a full run was not over the target; 0: none

  /// One may be a disturbance, two are not.
  bool decide() const { return standing >= 2; }
};

FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target);

/// The full run asked for the rate next to this one, the last of equals; nullptr without any.
const CurvePoint* full_run_next_to(const std::vector<CurvePoint>& points, double ops_per_sec);

}  // namespace edagen
