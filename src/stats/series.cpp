#include "stats/series.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

/// A warm-up of the default length has as many intervals.
constexpr std::size_t fewest_for_correlation = 6;
constexpr std::size_t fewest_for_unbiased = 4;
constexpr double interval_errors = 2.1;  ///< standard errors in half an interval of 95 %
constexpr double most_times_the_mean =
    2;                                ///< the widening assumes a true mean of at most this many times the measured one
constexpr double short_error = 0.15;  ///< relative error above which a series may be too short
constexpr double short_correlation = 0.3;  ///< correlation of neighbours above which a series may be too short

/// The correlation of neighbours.
double autocorrelation(std::span<const double> values) {
  const double mean = mean_of(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

/// The same, corrected for its bias.
double unbiased_correlation(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  return (n * autocorrelation(values) + 1) / (n - 3);
}

double in_bounds(double correlation) { return std::clamp(correlation, 0.0, 0.98); }

/// The mean and its error by batch means.
MeanEstimate batch_means(std::span<const double> values) {
  std::vector<double> batches(values.begin(), values.end());
  while (batches.size() >= 10 && autocorrelation(batches) > 0.2) {
    std::vector<double> pairs;
    for (std::size_t i = 0; i + 1 < batches.size(); i += 2) pairs.push_back((batches[i] + batches[i + 1]) / 2);
    batches = std::move(pairs);
  }
  MeanEstimate estimate;
  estimate.mean = mean_of(batches);
  if (batches.size() < 2) return estimate;
  estimate.standard_error = std::sqrt(variance_of(batches) / static_cast<double>(batches.size()));
  estimate.degrees_of_freedom = static_cast<int>(batches.size()) - 1;
  return estimate;
}

/// The relative error of a mean whose error grows with its square. The upper end of the interval is x times the
/// measured mean, where x = 1 + interval_errors * relative * x^2.
double widened(double relative) {
  const double a = interval_errors * relative, root = 1 - 4 * a;
  const double x = a > 0 && root > 0 ? (1 - std::sqrt(root)) / (2 * a) : most_times_the_mean;
  return a > 0 ? (std::min(x, most_times_the_mean) - 1) / interval_errors : 0;
}

}  // namespace

bool trends(std::span<const double> values) {
  if (values.size() < fewest_for_trend) return false;
  std::vector<WeightedPoint> points;
  for (const double value : values) points.push_back({static_cast<double>(points.size()), value});
  const LeastSquares fit = *least_squares(points);
  const double slope = std::abs(fit.slope), n = static_cast<double>(values.size());
  const double slope_error = std::sqrt(fit.residuals / (n - 2) / fit.spread);
  return slope > student_quantile(0.99, static_cast<int>(values.size()) - 2) * slope_error &&
         slope * (n - 1) > 0.1 * std::abs(fit.at_center);
}

double corrected_correlation(std::span<const double> values) { return in_bounds(unbiased_correlation(values)); }

double common_correlation(std::span<const std::vector<double>> series) {
  std::vector<double> correlations;
  for (const std::vector<double>& values : series)
    if (values.size() >= fewest_for_unbiased) correlations.push_back(unbiased_correlation(values));
  return correlations.empty() ? 0 : in_bounds(mean_of(correlations));
}

double variance_factor(double correlation, double n) {
  return (1 + correlation) / (1 - correlation) -
         2 * correlation * (1 - std::pow(correlation, n)) / (n * std::pow(1 - correlation, 2));
}

double autoregressive_error(std::span<const double> values, double correlation) {
  const auto n = static_cast<double>(values.size());
  const double factor = variance_factor(correlation, n);
  const double variance = variance_of(values) * (n - 1) / std::max(n - factor, 0.5);
  return std::sqrt(variance * factor / n);
}

MeanEstimate mean_of_series(std::span<const double> values) {
  MeanEstimate estimate = batch_means(values);
  if (values.size() < fewest_for_correlation || estimate.mean <= 0) return estimate;
  const double correlation = corrected_correlation(values);
  const double error = std::max(estimate.standard_error, autoregressive_error(values, correlation));
  const double relative = error / estimate.mean;
  estimate.is_short = relative > short_error && correlation > short_correlation;
  estimate.standard_error = std::max(error, estimate.mean * widened(relative));
  return estimate;
}

}  // namespace edagen
