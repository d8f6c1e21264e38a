#include "nights/baseline.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"
#include "stats/outliers.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double outlier_error = 0.01, slope_error = 0.05;
constexpr std::size_t slope_nights = 15;
constexpr double unsure_share = 0.7;      // found by bench/nights: false alarms are as often as is said
constexpr double least_deviation = 5e-4;  // no storage repeats itself more exactly: equal nights are by chance

}  // namespace

double LogBaseline::between() const { return std::max(0.0, variance - within); }

LogBaseline baseline_of(std::span<const LogSample> history) {
  std::vector<double> values;
  for (const LogSample& night : history) values.push_back(night.value);
  const std::vector<std::size_t> outliers = outliers_of(values, values.size() / 4, outlier_error);
  std::vector<WeightedPoint> points;
  std::vector<double> kept;
  LogBaseline baseline;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (std::ranges::binary_search(outliers, i)) continue;
    points.push_back({static_cast<double>(i), history[i].value});
    kept.push_back(history[i].value);
    baseline.within += history[i].error * history[i].error;
  }
  const auto n = static_cast<double>(kept.size());
  baseline.used = kept.size();
  baseline.outliers = outliers.size();
  baseline.within /= n;
  baseline.expected = mean_of(kept);
  baseline.variance = variance_of(kept);
  baseline.leverage = 1 / n;
  baseline.degrees_of_freedom = n - 1;
  const auto line = kept.size() >= slope_nights ? least_squares(points) : std::nullopt;
  if (line) {
    const double variance = line->residuals / (n - 2), error = std::sqrt(variance / line->spread);
    if (std::abs(line->slope) > student_quantile(1 - slope_error, static_cast<int>(n) - 2) * error) {
      const double ahead = static_cast<double>(history.size()) - line->center;
      baseline.slope = line->slope;
      baseline.expected = line->at_center + line->slope * ahead;
      baseline.variance = variance;
      baseline.leverage = 1 / n + ahead * ahead / line->spread;
      baseline.degrees_of_freedom = n - 2;
    }
  }
  baseline.variance = std::max(baseline.variance, least_deviation * least_deviation);
  return baseline;
}

LogChange change_from(const LogBaseline& baseline, const LogSample& tonight) {
  // Tonight varies between nights as those before; within, by its own error in place of theirs. Nights that vary less
  // than their errors say show by how much these are too large.
  const double estimated = baseline.variance * (1 + baseline.leverage), within = tonight.error * tonight.error;
  const double trust = baseline.within > 0 ? std::min(1.0, baseline.variance / baseline.within) : 1;
  double variance = estimated + trust * (within - baseline.within);
  // A night of more runs is known more exactly than those before. What is left of the variance is then less than what
  // was estimated, and its error is not: a part of that error is added. Never more than without counting on it.
  if (within < baseline.within) {
    const double unsure = baseline.variance * std::sqrt(2 / baseline.degrees_of_freedom);
    variance = std::min(estimated, variance + unsure_share * unsure * (1 - within / baseline.within));
  }
  LogChange change;
  change.change = tonight.value - baseline.expected;
  change.error = std::sqrt(std::max(variance, least_deviation * least_deviation));
  change.degrees_of_freedom = std::max(1.0, baseline.degrees_of_freedom);
  return change;
}

double LogChange::p_above() const { return student_upper_p(change / error, degrees_of_freedom); }
double LogChange::p_below() const { return student_upper_p(-change / error, degrees_of_freedom); }
double LogChange::half_width(double p) const { return student_upper_quantile(p, degrees_of_freedom) * error; }
double LogChange::visible(double p, double power) const {
  return half_width(p) + student_upper_quantile(1 - power, degrees_of_freedom) * error;
}

}  // namespace edagen
