// What full runs at the answer say of a latency target. They outrank the search's short windows, which miss what comes
// seldom: the writing back of caches, a volume's credits running out.
#pragma once

#include <vector>

#include "edagen/curve/curve_point.hpp"

namespace edagen {

/// The purpose of a full run in a search.
inline constexpr const char* judged_purpose = "judged";

enum class Verdict { below, agrees, over };

/// Agrees when it is off the target by at most three standard errors, as far as those are not more than the target itself,
/// or by a tenth.
Verdict verdict_of(const CurvePoint& point, Nanos target);

struct FullRuns {
  double met = 0;   ///< highest rate at which a full run was not over the target; 0: at none
  double over = 0;  ///< lowest at which one was over it, when at least two were and none at such a rate was not; else 0
  int standing = 0; ///< how many were over it, without those that another at such a rate refutes
};

FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target);

}  // namespace edagen
