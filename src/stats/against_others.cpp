#include "stats/against_others.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

namespace edagen {

MedianOfOthers::MedianOfOthers(std::span<const double> values) {
  for (const double value : values)
    if (value > 0) sorted_.push_back(value);
  std::ranges::sort(sorted_);
}

double MedianOfOthers::without(double value) const {
  if (sorted_.size() < 2) return 0;
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(sorted_, value) - sorted_.begin());
  const std::size_t others = sorted_.size() - 1;
  const auto at = [&](std::size_t i) { return sorted_[i < place ? i : i + 1]; };
  return others % 2 == 1 ? at(others / 2) : (at(others / 2 - 1) + at(others / 2)) / 2;
}

std::vector<std::optional<AgainstOthers>> against_others(const std::vector<std::vector<double>>& slices,
                                                         double error_probability) {
  std::vector<std::vector<double>> logs;  // by part
  for (const std::vector<double>& slice : slices) {
    const MedianOfOthers median(slice);
    if (logs.size() < slice.size()) logs.resize(slice.size());
    for (std::size_t part = 0; part < slice.size(); ++part) {
      const double others = slice[part] > 0 ? median.without(slice[part]) : 0;
      if (others > 0) logs[part].push_back(std::log(slice[part] / others));
    }
  }
  const double correlation = common_correlation(logs);
  std::vector<std::optional<AgainstOthers>> compared(logs.size());
  for (std::size_t part = 0; part < logs.size(); ++part) {
    const std::vector<double>& ratios = logs[part];
    if (ratios.size() < fewest_slices_to_compare) continue;
    const double mean = mean_of(ratios), error = autoregressive_error(ratios, correlation);
    const double t = student_upper_quantile(error_probability / static_cast<double>(logs.size()),
                                            static_cast<double>(ratios.size() - 1));
    compared[part] = AgainstOthers{std::exp(mean), std::exp(mean - t * error)};
  }
  return compared;
}

}  // namespace edagen
