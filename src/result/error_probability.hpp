// The error probabilities that the verdicts and intervals of a comparison allow for.
#pragma once

namespace edagen {

/// Probability that any of the verdicts of a comparison is wrong, and that any of its intervals does not hold the
/// truth.
inline constexpr double error_probability = 0.05;
/// What remains of it where a comparison ends at a precision: it is looked at again and again, and ends when the
/// interval is narrow, as it may be by chance (docs/design/slices.md).
inline constexpr double error_probability_of_looks = 0.03;
/// What remains of it where the length of slices and the number of blocks in a batch follow from the data that they are
/// to judge (docs/design/slices.md).
inline constexpr double error_probability_of_slices = 0.035;

/// The error probability with which intervals and verdicts are computed, so that error_probability is kept.
constexpr double error_left(bool is_sliced, bool ends_at_precision) {
  return ends_at_precision ? error_probability_of_looks : is_sliced ? error_probability_of_slices : error_probability;
}

}  // namespace edagen
