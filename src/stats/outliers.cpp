#include "stats/outliers.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/summary.hpp"

namespace edagen {

std::vector<std::size_t> outliers_of(std::span<const double> values, std::size_t most, double error) {
  std::vector<double> left(values.begin(), values.end());
  std::vector<std::size_t> places(values.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::vector<std::size_t> taken;
  std::size_t outliers =
      0;  // number of taken values that are outliers: a late one makes all taken before it outliers, too
  while (taken.size() < most && left.size() >= 6) {
    const double mean = mean_of(left), deviation = std::sqrt(variance_of(left));
    if (!(deviation > 0)) break;
    const auto most_distant = std::ranges::max_element(left, {}, [&](double value) { return std::abs(value - mean); });
    const double reached = std::abs(*most_distant - mean) / deviation;
    const auto n = static_cast<double>(left.size());
    const double t = student_upper_quantile(error / (2 * n), n - 2);
    const double limit = (n - 1) * t / std::sqrt((n - 2 + t * t) * n);
    const auto at = most_distant - left.begin();
    taken.push_back(places[static_cast<std::size_t>(at)]);
    if (reached > limit) outliers = taken.size();
    left.erase(left.begin() + at);
    places.erase(places.begin() + at);
  }
  taken.resize(outliers);
  std::ranges::sort(taken);
  return taken;
}

}  // namespace edagen
