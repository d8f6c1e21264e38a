#include "nights/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"
#include "stats/outliers.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

// Without a night that was none, the others look too exact. At 1 % that was so in 13 of 1,000 histories of 10 nights,
// of which the next night had a p of 0.1 % in 5 of 100 cases: false alarms were 1.6 times as many as was said.
constexpr double outlier_error = 0.001;
constexpr double slope_error = 0.05, sure_slope_error = 0.001;
constexpr std::size_t slope_nights = 15;
constexpr double unsure_share = 0.7;      // found by bench/nights: false alarms are as often as is said
constexpr std::size_t shape_nights = 10;  // before they tell of skewness and correlation
// By how much a night that is this rare lies farther away for each unit of skewness (Cornish, Fisher: Revue de
// l'Institut International de Statistique 5, 1938): (z^2 - 1) / (6 z) of the 1 % on one side, z = 2.33.
constexpr double rare_by_skewness = 0.316;
constexpr double least_deviation = 5e-4;  // no storage repeats itself more exactly: equal nights are by chance

/// What chance makes of normal nights, in standard errors.
constexpr double chance_of_skewness = 1, chance_of_correlation = 2;

double skewness_of(const std::vector<double>& residuals) {
  const auto n = static_cast<double>(residuals.size());
  double squares = 0, cubes = 0;
  for (const double each : residuals) squares += each * each, cubes += each * each * each;
  if (squares <= 0) return 0;
  const double error = std::sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)));
  const double skewness = cubes / n / std::pow(squares / n, 1.5);
  return std::copysign(std::max(0.0, std::abs(skewness) - chance_of_skewness * error), skewness);
}

double correlation_of(const std::vector<double>& residuals) {
  const double correlation = corrected_correlation(residuals);
  return correlation > chance_of_correlation / std::sqrt(static_cast<double>(residuals.size())) ? correlation : 0;
}

/// Nights that are not independent and normal: their mean is known less well, and they vary by more than they did.
void look_at_shape(const std::vector<WeightedPoint>& points, LogBaseline& baseline) {
  if (points.size() < shape_nights || baseline.are_equal) return;
  const auto n = static_cast<double>(points.size());
  double center = 0, at_center = 0;
  for (const WeightedPoint& point : points) center += point.x / n, at_center += point.y / n;
  std::vector<double> residuals;
  for (const WeightedPoint& point : points)
    residuals.push_back(point.y - at_center - baseline.slope * (point.x - center));
  baseline.skewness = skewness_of(residuals);
  baseline.correlation = correlation_of(residuals);
  const double factor = variance_factor(baseline.correlation, n);
  baseline.variance *= (n - 1) / std::max(1.0, n - factor);
  baseline.leverage *= factor;
}

}  // namespace

void pool_errors(std::span<LogSample> history, LogSample& tonight) {
  std::vector<double> stated;
  double squares = 0, freedom = 0;
  const auto look_at = [&](const LogSample& night) {
    if (night.stated > 0) stated.push_back(night.stated);
    squares += night.squares, freedom += night.runs - 1;
  };
  for (const LogSample& night : history) look_at(night);
  look_at(tonight);
  const double usual = stated.empty() ? 0 : median_of(stated);  // one run that states a wide one does not count
  const bool scatters = freedom > 0 && (stated.empty() || squares / freedom < usual);
  const double one = scatters ? squares / freedom : usual;
  const auto set = [&](LogSample& night, double times) {
    night.error = std::sqrt(one * times / night.runs);
    night.degrees_of_freedom = scatters ? freedom : 0;
  };
  for (LogSample& night : history) set(night, 1);
  set(tonight, usual > 0 ? std::max(1.0, tonight.stated / usual) : 1);
}

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
    if (history[i].degrees_of_freedom > 0) baseline.within_freedom = history[i].degrees_of_freedom;  // it is pooled
  }
  const auto n = static_cast<double>(kept.size());
  baseline.used = kept.size();
  baseline.outliers = outliers.size();
  baseline.within /= n;
  baseline.expected = baseline.without_slope = mean_of(kept);
  baseline.are_equal = std::ranges::adjacent_find(kept, std::not_equal_to()) == kept.end();
  baseline.variance = variance_of(kept);
  baseline.leverage = 1 / n;
  baseline.degrees_of_freedom = n - 1;
  const auto line = kept.size() >= slope_nights ? least_squares(points) : std::nullopt;
  if (line) {
    const double variance = line->residuals / (n - 2), error = std::sqrt(variance / line->spread);
    const auto shows = [&](double p) {
      return std::abs(line->slope) > student_quantile(1 - p, static_cast<int>(n) - 2) * error;
    };
    if (shows(slope_error)) {
      const double ahead = static_cast<double>(history.size()) - line->center;
      baseline.slope = line->slope;
      baseline.expected = line->at_center + line->slope * ahead;
      if (shows(sure_slope_error)) baseline.without_slope = baseline.expected;
      baseline.variance = variance;
      baseline.leverage = 1 / n + ahead * ahead / line->spread;
      baseline.degrees_of_freedom = n - 2;
    }
  }
  look_at_shape(points, baseline);
  baseline.variance = std::max(baseline.variance, least_deviation * least_deviation);
  return baseline;
}

LogChange change_from(const LogBaseline& baseline, const LogSample& tonight) {
  // Tonight varies between nights as those before; within, by its own error in place of theirs. Nights that vary less
  // than their errors say show by how much these are too large.
  const double estimated = baseline.variance * (1 + baseline.leverage);
  const double ratio = baseline.within > 0 ? tonight.error * tonight.error / baseline.within : 1;
  const double within = std::min(baseline.within, baseline.variance);
  const double unsure_within = baseline.within_freedom > 0 ? within * std::sqrt(2 / baseline.within_freedom) : 0;
  const double unsure = baseline.variance * std::sqrt(2 / baseline.degrees_of_freedom);
  double variance = estimated + within * (ratio - 1), freedom = baseline.degrees_of_freedom;
  if (ratio < 1) {
    // A night of more runs is known more exactly than those before. What is left of the variance is then less than what
    // was estimated, and its error is not: a part of that error is added. Never more than without counting on it.
    variance = std::min(estimated, variance + unsure_share * std::hypot(unsure, unsure_within) * (1 - ratio));
  } else if (variance > 0) {
    // Satterthwaite: of variances that are added, each is as sure as its degrees of freedom.
    const double own = estimated / variance, added = unsure_within * (ratio - 1) / variance;
    freedom = 1 / (own * own / freedom + added * added / 2);
  }
  LogChange change;
  const double from_line = tonight.value - baseline.expected, from_mean = tonight.value - baseline.without_slope;
  change.change = std::abs(from_mean) < std::abs(from_line) ? from_mean : from_line;
  change.error = std::sqrt(std::max(variance, least_deviation * least_deviation)) *
                 (1 + rare_by_skewness * std::abs(baseline.skewness));
  change.degrees_of_freedom = std::max(1.0, freedom);
  return change;
}

LogChange change_of_means(std::span<const LogSample> before, std::span<const LogSample> after) {
  LogChange change;
  double variance = 0, unsure = 0;
  for (const auto& [nights, sign] : {std::pair(before, -1.0), std::pair(after, 1.0)}) {
    std::vector<double> values;
    for (const LogSample& night : nights) values.push_back(night.value);
    const std::vector<std::size_t> outliers = outliers_of(values, values.size() / 4, outlier_error);
    for (std::size_t i = outliers.size(); i > 0; --i)
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(outliers[i - 1]));
    const auto n = static_cast<double>(values.size());
    const double its = std::max(variance_of(values), least_deviation * least_deviation) / n;
    change.change += sign * mean_of(values);
    variance += its;
    unsure += its * its / (n - 1);
  }
  change.error = std::sqrt(variance);
  change.degrees_of_freedom = std::max(1.0, variance * variance / unsure);
  return change;
}

double LogChange::p_above() const { return student_upper_p(change / error, degrees_of_freedom); }
double LogChange::p_below() const { return student_upper_p(-change / error, degrees_of_freedom); }
double LogChange::half_width(double p) const { return student_upper_quantile(p, degrees_of_freedom) * error; }
double LogChange::visible(double p, double power) const {
  return half_width(p) + student_upper_quantile(1 - power, degrees_of_freedom) * error;
}

}  // namespace edagen
