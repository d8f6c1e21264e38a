#include "nights/baseline.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"
#include "stats/outliers.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

// Excluding a normal night as an outlier makes the spread look too small. At 1 % that happened in 13 of 1,000 histories
// of 10 nights, of which the next night had a p of 0.1 % in 5 of 100 cases: false alarms were 1.6 times the stated
// ones.
constexpr double outlier_p = 0.001;
constexpr double slope_p = 0.05, certain_slope_p = 0.001;
constexpr std::size_t min_slope_nights = 15;
constexpr double unsure_share = 0.7;  // from bench/nights: false alarms are as often as stated
constexpr std::size_t min_shape_nights = 10;
// The distance of a night of 1 % on one side grows by this share for each unit of skewness (Cornish, Fisher: Revue de
// l'Institut International de Statistique 5, 1938): (z^2 - 1) / (6 z), z = 2.33.
constexpr double skewness_share = 0.316;
constexpr double min_deviation = 5e-4;  // no storage repeats itself more exactly: equal nights are by chance

/// Skewness and correlation of normal, independent nights are below this many standard errors.
constexpr double skewness_errors = 1, correlation_errors = 2;

double skewness_of(const std::vector<double>& residuals) {
  const auto n = static_cast<double>(residuals.size());
  double squares = 0, cubes = 0;
  for (const double each : residuals) squares += each * each, cubes += each * each * each;
  if (squares <= 0) return 0;
  const double error = std::sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)));
  const double skewness = cubes / n / std::pow(squares / n, 1.5);
  return std::copysign(std::max(0.0, std::abs(skewness) - skewness_errors * error), skewness);
}

double correlation_of(const std::vector<double>& residuals) {
  const double correlation = corrected_correlation(residuals);
  return correlation > correlation_errors / std::sqrt(static_cast<double>(residuals.size())) ? correlation : 0;
}

/// Widens the errors for nights that are not independent and normal.
void widen_for_shape(const std::vector<WeightedPoint>& points, LogBaseline& baseline) {
  if (points.size() < min_shape_nights || baseline.are_equal) return;
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
  const auto add = [&](const LogSample& night) {
    if (night.stated > 0) stated.push_back(night.stated);
    squares += night.squares, freedom += night.runs - 1;
  };
  for (const LogSample& night : history) add(night);
  add(tonight);
  const double usual = stated.empty() ? 0 : median_of(stated);  // one run that states a wide error changes nothing
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

LogBaseline baseline_of(std::span<const LogSample> history, double resolution) {
  std::vector<double> values;
  for (const LogSample& night : history) values.push_back(night.value);
  const std::vector<std::size_t> outliers = outliers_of(values, values.size() / 4, outlier_p);
  std::vector<WeightedPoint> points;
  std::vector<double> kept;
  LogBaseline baseline;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (std::ranges::binary_search(outliers, i)) continue;
    points.push_back({static_cast<double>(i), history[i].value});
    kept.push_back(history[i].value);
    baseline.within += history[i].error * history[i].error;
    if (history[i].degrees_of_freedom > 0) baseline.within_freedom = history[i].degrees_of_freedom;  // pooled
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
  const auto line = kept.size() >= min_slope_nights ? least_squares(points) : std::nullopt;
  if (line) {
    const double variance = line->residuals / (n - 2), error = std::sqrt(variance / line->spread);
    const auto is_significant = [&](double p) {
      return std::abs(line->slope) > student_quantile(1 - p, static_cast<int>(n) - 2) * error;
    };
    if (is_significant(slope_p)) {
      const double ahead = static_cast<double>(history.size()) - line->center;
      baseline.slope = line->slope;
      baseline.expected = line->at_center + line->slope * ahead;
      if (is_significant(certain_slope_p)) baseline.without_slope = baseline.expected;
      baseline.variance = variance;
      baseline.leverage = 1 / n + ahead * ahead / line->spread;
      baseline.degrees_of_freedom = n - 2;
    }
  }
  widen_for_shape(points, baseline);
  const double deviation = std::max(min_deviation, resolution);
  baseline.min_variance = deviation * deviation;
  baseline.variance = std::max(baseline.variance, baseline.min_variance);
  return baseline;
}

LogChange change_from(const LogBaseline& baseline, const LogSample& tonight) {
  // Tonight has the variance between nights of those before, and its own error within in place of theirs. Errors that
  // exceed the variance of nights are too large and are cut down to it.
  const double estimated = baseline.variance * (1 + baseline.leverage);
  const double ratio = baseline.within > 0 ? tonight.error * tonight.error / baseline.within : 1;
  const double within = std::min(baseline.within, baseline.variance);
  const double unsure_within = baseline.within_freedom > 0 ? within * std::sqrt(2 / baseline.within_freedom) : 0;
  const double unsure = baseline.variance * std::sqrt(2 / baseline.degrees_of_freedom);
  double variance = estimated + within * (ratio - 1), freedom = baseline.degrees_of_freedom;
  if (ratio < 1) {
    // A night of more runs is known more exactly than those before. The rest of the variance is then less than what was
    // estimated, but its error is not: a part of that error is added, up to the variance of a night of as many runs.
    variance = std::min(estimated, variance + unsure_share * std::hypot(unsure, unsure_within) * (1 - ratio));
  } else if (variance > 0) {
    // Satterthwaite's degrees of freedom of a sum of variances.
    const double own = estimated / variance, added = unsure_within * (ratio - 1) / variance;
    freedom = 1 / (own * own / freedom + added * added / 2);
  }
  LogChange change;
  const double from_line = tonight.value - baseline.expected, from_mean = tonight.value - baseline.without_slope;
  change.change = std::abs(from_mean) < std::abs(from_line) ? from_mean : from_line;
  change.error =
      std::sqrt(std::max(variance, baseline.min_variance)) * (1 + skewness_share * std::abs(baseline.skewness));
  change.degrees_of_freedom = std::max(1.0, freedom);
  return change;
}

double LogChange::p_above() const { return student_upper_p(change / error, degrees_of_freedom); }
double LogChange::p_below() const { return student_upper_p(-change / error, degrees_of_freedom); }
double LogChange::half_width(double p) const { return student_upper_quantile(p, degrees_of_freedom) * error; }
double LogChange::visible(double p, double power) const {
  return half_width(p) + student_upper_quantile(1 - power, degrees_of_freedom) * error;
}

}  // namespace edagen
