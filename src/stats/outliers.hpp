// Values that do not belong to the others.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// Places of at most `most` outliers of a normal population, ascending, by the generalized extreme Studentized deviate
/// test (Rosner: Percentage Points for a Generalized ESD Many-Outlier Procedure, 1983). In a population without
/// outliers the test finds some with probability `error`, above 0 and below 1. Fewer than 6 values have no outliers.
std::vector<std::size_t> outliers_of(std::span<const double> values, std::size_t most, double error);

}  // namespace edagen
