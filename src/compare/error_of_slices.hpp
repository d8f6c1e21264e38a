// The error probability of comparisons by slices.
#pragma once

#include "compare/comparison.hpp"

namespace edagen {

/// What remains of error_probability where the length of slices and the number of blocks in a batch follow from the
/// data that they are to judge (docs/design/slices.md).
inline constexpr double error_probability_of_slices = 0.035;

/// The error probability with which intervals and verdicts are computed, so that error_probability is kept.
constexpr double error_left(bool is_sliced, bool ends_at_precision) {
  return ends_at_precision ? error_probability_of_looks : is_sliced ? error_probability_of_slices : error_probability;
}

}  // namespace edagen
