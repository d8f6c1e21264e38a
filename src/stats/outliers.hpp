// Values that do not belong to the others.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// Places of the outliers of a normal population, ascending: the generalized extreme Studentized deviate test of
/// Rosner (Percentage Points for a Generalized ESD Many-Outlier Procedure, 1983), for `most` of them at most. Without
/// outliers one is found with probability `error`, above 0 and below 1. Fewer than 6 values have none.
std::vector<std::size_t> outliers_of(std::span<const double> values, std::size_t most, double error);

}  // namespace edagen
