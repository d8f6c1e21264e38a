// What figures lose by being written.
#pragma once

#include <algorithm>
#include <cmath>

namespace edagen {

/// Figures are written with seven digits.
inline bool are_near(double one, double other) {
  return std::abs(one - other) <= 1e-5 * std::max(std::abs(one), std::abs(other));
}

}  // namespace edagen
