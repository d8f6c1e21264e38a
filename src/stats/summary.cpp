#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace edagen {

double mean_of(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

double quantile_of(std::vector<double> values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), below, values.end());
  if (below + 1 == values.end()) return *below;
  return std::lerp(*below, *std::min_element(below + 1, values.end()), place - std::floor(place));
}

double median_of(std::vector<double> values) { return quantile_of(std::move(values), 0.5); }

}  // namespace edagen
