// Ranks of values, which show an order whatever the distribution.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// From 0 for the least value; of equal ones the first has the lower rank.
std::vector<double> ranks_of(std::span<const double> values);

}  // namespace edagen
