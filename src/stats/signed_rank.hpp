// Wilcoxon's signed-rank statistics: the centre of values that scatter symmetrically, whatever their distribution.
#pragma once

#include <optional>
#include <span>

namespace edagen {

/// The deviations of the values from a common centre have random signs and may differ in size: disturbed ones count no
/// more than others.
struct SignedRank {
  double center = 0;  ///< the Hodges-Lehmann estimate: median of the means of all pairs (Hodges, Lehmann, 1963)
  std::optional<double> low = {}, high = {};  ///< confidence interval of the centre; nullopt: too few values
  double p = 1;  ///< probability of values so far on one side of 0, on either side, where the centre is 0
};

/// All zero when `values` is empty. `confidence`: above 0 and below 1. `bias`: the centre may be off by so much; the
/// interval is wider by it on both sides, and p that of the largest bias. Thread-safe.
SignedRank signed_rank(std::span<const double> values, double confidence = 0.95, double bias = 0);

}  // namespace edagen
