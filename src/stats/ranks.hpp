// Ranks of values, which show an order whatever the distribution.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// From 0 for the least value; equal values share the mean of their ranks.
std::vector<double> ranks_of(std::span<const double> values);

}  // namespace edagen
