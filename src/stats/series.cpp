#include "edagen/stats/series.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace edagen {
namespace {

double mean_of(std::span<const double> values) {
  double total = 0;
  for (const double value : values) total += value;
  return values.empty() ? 0 : total / static_cast<double>(values.size());
}

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
  const std::size_t count = values.size();
  if (count < 6) return false;
  const auto n = static_cast<double>(count);
  const double x_mean = (n - 1) / 2, y_mean = mean_of(values);
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i) - x_mean;
    xx += x * x;
    xy += x * (values[i] - y_mean);
  }
  const double slope = xy / xx;
  double residuals = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double residual = values[i] - y_mean - slope * (static_cast<double>(i) - x_mean);
    residuals += residual * residual;
  }
  const double slope_error = std::sqrt(residuals / (n - 2) / xx);
  return std::abs(slope) > student_quantile(0.99, static_cast<int>(count) - 2) * slope_error &&
         std::abs(slope) * (n - 1) > 0.1 * std::abs(y_mean);
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
  double squares = 0;
  for (const double batch : batches) squares += (batch - estimate.mean) * (batch - estimate.mean);
  const auto n = static_cast<double>(batches.size());
  estimate.standard_error = std::sqrt(squares / (n - 1) / n);
  estimate.degrees_of_freedom = static_cast<int>(batches.size()) - 1;
  return estimate;
}

double quantile(double share, std::vector<double> values) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights) {
  struct Block {
    double value, weight;
    std::size_t count;
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].value > blocks.back().value) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& pooled = blocks.back();
      pooled.value = (pooled.value * pooled.weight + last.value * last.weight) / (pooled.weight + last.weight);
      pooled.weight += last.weight;
      pooled.count += last.count;
    }
  }
  std::vector<double> fit;
  for (const Block& block : blocks) fit.insert(fit.end(), block.count, block.value);
  return fit;
}

double student_quantile(double confidence, int degrees_of_freedom) {
  const double n = std::max(1, degrees_of_freedom), p = 1 - confidence;
  if (n == 1) return 1 / std::tan(p * std::numbers::pi / 2);
  if (n == 2) return std::sqrt(2 / (p * (2 - p)) - 2);
  // Algorithm 396 of the ACM.
  const double a = 1 / (n - 0.5), b = 48 / (a * a);
  double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
  const double d = ((94.5 / (b + c) - 3) / b + 1) * std::sqrt(a * std::numbers::pi / 2) * n;
  double x = d * p, y = std::pow(x, 2 / n);
  if (y > 0.05 + a) {
    // Normal deviate at p/2 (Abramowitz, Stegun 26.2.23).
    const double t = std::sqrt(-2 * std::log(p / 2));
    x = -(t - (2.515517 + 0.802853 * t + 0.010328 * t * t) /
                  (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t));
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = std::expm1(a * y * y);
  } else {
    y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) / (n + 2) +
        1 / y;
  }
  return std::sqrt(n * y);
}

}  // namespace edagen
