// Which of several parts that do the same work, such as mounts, is slower than the others by more than chance.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace edagen {

/// A part against the median of the others.
struct AgainstOthers {
  double ratio = 1;  ///< geometric mean over the slices
  double least = 1;  ///< lower end of the ratio's one-sided confidence interval
};

/// Minimum number of slices in which a part and others have values.
constexpr std::size_t fewest_slices_to_compare = 5;

/// `slices`: by slice of a window, then by part, the mean of a positive figure; 0 where there is none. Each slice gives
/// the ratio of a part to the median of the others in that slice, so that what disturbs all parts alike falls out. The
/// interval of the mean logarithm is Student's, with the error of a first-order autoregression that has the correlation
/// of all parts in common. For parts that are all equal, the probability that any `least` is above 1 is at most
/// `error_probability` (Bonferroni) while the ratios of neighbouring slices are independent. It is several times as
/// large when disturbances of one part last for several slices. nullopt: too few slices.
std::vector<std::optional<AgainstOthers>> against_others(const std::vector<std::vector<double>>& slices,
                                                         double error_probability);

/// The median of the values above 0 of which one is left out: of thousands each in turn, in little time.
class MedianOfOthers {
 public:
  explicit MedianOfOthers(std::span<const double> values);
  /// `value`: one of the values, above 0. 0: there are no others.
  double without(double value) const;

 private:
  std::vector<double> sorted_;
};

}  // namespace edagen
