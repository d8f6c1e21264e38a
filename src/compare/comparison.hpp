// Comparison of variants by interleaved repeats.
#pragma once

#include <optional>
#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// The order of runs: A B C, C B A, A B C, ... so that drift cancels.
std::vector<std::size_t> interleaved(std::size_t variants, std::size_t repeats);

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

/// Whether an interval of a ratio stays within a thousandth and a thousand times of it; one that does not is left out.
bool is_informative(double ratio, double low, double high);

/// The ratio of b to a from paired repeats of a positive figure: the geometric mean of the ratios with a Student
/// interval.
struct Difference {
  double ratio = 1, low = 0, high = 0;  ///< low = 0 and high = infinity: there is no interval
  std::optional<double> p;              ///< probability of such a ratio, or one farther from 1, without a difference
};

/// `confidence` is that of the interval. `bias` is the possible error of the logarithm of the ratio, however many
/// repeats there are: the interval is wider by it on both sides, and p is that of the largest bias.
Difference difference_of(const std::vector<double>& a, const std::vector<double>& b, double confidence = 0.95,
                         double bias = 0);

}  // namespace edagen
