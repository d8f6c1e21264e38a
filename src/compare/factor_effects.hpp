// The effects of factors on the figures of a comparison.
#pragma once

#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// The effects on the figure that is compared, and on RPCs per op when all runs have them. The logarithm of a figure is
/// taken as a sum of the combination's own value, of what a repeat has in common, and of an error whose variance is the
/// same for all runs. Runs that say nothing are left out. Empty without factors and when no two combinations have runs.
std::vector<FactorEffects> factor_effects(const ComparisonResult& comparison);

}  // namespace edagen
