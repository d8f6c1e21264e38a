#include "stats/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distribution.hpp"

namespace edagen {
namespace {

/// With more values the normal approximation is as good.
constexpr std::size_t most_exact_values = 40;

/// The distribution of the number of pairs (a value with itself among them) whose mean is above the centre: that of
/// the sum of the ranks of the positive deviations.
class RankSum {
 public:
  explicit RankSum(std::size_t values) : count_(values) {
    if (values > most_exact_values) return;
    below_.assign(pairs() + 1, 0);
    below_[0] = 1;
    for (std::size_t rank = 1; rank <= values; ++rank)
      for (std::size_t sum = pairs(); sum >= rank; --sum) below_[sum] += below_[sum - rank];
    double all = 0;
    for (double& probability : below_) probability = all += probability * std::pow(0.5, values);
  }
  std::size_t pairs() const { return count_ * (count_ + 1) / 2; }
  /// The probability of so many pairs or fewer.
  double at_most(std::size_t sum) const {
    if (!below_.empty()) return below_[std::min(sum, pairs())];
    const auto n = static_cast<double>(count_);
    const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
    const double z = (static_cast<double>(sum) + 0.5 - n * (n + 1) / 4) / deviation;
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
  }
  /// How many of the lowest means lie below a confidence interval; 0: there is no interval.
  std::size_t outside(double confidence) const {
    std::size_t low = 0, high = pairs() / 2 + 1;  // at_most(low - 1) is small enough, at_most(high - 1) is not
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (at_most(middle - 1) <= (1 - confidence) / 2 ? low : high) = middle;
    }
    return low;
  }

 private:
  std::size_t count_;
  std::vector<double> below_;  ///< by sum; empty: too many values
};

}  // namespace

SignedRank signed_rank(std::span<const double> values, double confidence, double bias) {
  SignedRank found;
  if (values.empty()) return found;
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  std::ranges::sort(means);
  const std::size_t middle = means.size() / 2;
  found.center = means.size() % 2 == 1 ? means[middle] : (means[middle - 1] + means[middle]) / 2;
  const RankSum sums(values.size());
  if (const std::size_t outside = sums.outside(confidence); outside > 0) {
    found.low = means[outside - 1] - bias;
    found.high = means[means.size() - outside] + bias;
  }
  // Means that are within the bias count as on the other side.
  const auto above = static_cast<std::size_t>(means.end() - std::ranges::upper_bound(means, bias));
  const auto below = static_cast<std::size_t>(std::ranges::lower_bound(means, -bias) - means.begin());
  found.p = std::min(1.0, 2 * sums.at_most(means.size() - std::max(above, below)));
  return found;
}

}  // namespace edagen
