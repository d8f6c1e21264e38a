#include "stats/series.hpp"

#include <cmath>
#include <vector>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

/// Correlation of neighbours.
double autocorrelation(std::span<const double> values) {
  const double mean = mean_of(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

}  // namespace

bool trends(std::span<const double> values) {
  if (values.size() < 6) return false;
  std::vector<WeightedPoint> points;
  for (const double value : values) points.push_back({static_cast<double>(points.size()), value});
  const LeastSquares fit = *least_squares(points);
  const double slope = std::abs(fit.slope), n = static_cast<double>(values.size());
  const double slope_error = std::sqrt(fit.residuals / (n - 2) / fit.spread);
  return slope > student_quantile(0.99, static_cast<int>(values.size()) - 2) * slope_error &&
         slope * (n - 1) > 0.1 * std::abs(fit.at_center);
}

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

}  // namespace edagen
