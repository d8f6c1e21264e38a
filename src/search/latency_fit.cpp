#include "search/latency_fit.hpp"

#include <algorithm>
#include <cmath>

#include "search/full_runs.hpp"
#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double near_share = 0.08;

/// How much wider an interval is when its error is known from few values.
double few_values_factor(int degrees_of_freedom) {
  return student_quantile(0.95, degrees_of_freedom) / normal_quantile(0.95);
}

/// The Theil-Sen line, robust against outliers: the median of the slopes of all pairs.
std::optional<Line> median_line(const std::vector<Sample>& samples) {
  std::vector<double> slopes, offsets;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t j = i + 1; j < samples.size(); ++j)
      if (const double span = samples[j].rate - samples[i].rate; span > 0.002 * samples[i].rate)
        slopes.push_back((samples[j].log_latency - samples[i].log_latency) / span);
  if (slopes.empty()) return std::nullopt;
  Line line{.slope = median_of(slopes), .center = samples.front().rate};
  for (const Sample& s : samples) offsets.push_back(s.log_latency - line.slope * (s.rate - line.center));
  line.at_center = median_of(offsets);
  return line;
}

/// Weighted least squares without the points that lie far off the median line; nullopt when the line does not go up.
std::optional<Line> robust_line(const std::vector<Sample>& samples) {
  const auto rough = median_line(samples);
  if (!rough) return std::nullopt;
  std::vector<double> distances;
  const auto distance = [&](const Sample& s) {
    return std::abs(s.log_latency - rough->at_center - rough->slope * (s.rate - rough->center));
  };
  for (const Sample& s : samples) distances.push_back(distance(s));
  const double usual = robust_deviation(distances);
  std::vector<WeightedPoint> kept;
  for (const Sample& s : samples)
    if (distance(s) <= std::max({4 * usual, 4 * s.log_error, 0.02}))
      kept.push_back({s.rate, s.log_latency, s.weight()});
  const auto fit = least_squares(kept);
  if (!fit || fit->slope <= 0) return std::nullopt;
  Line line{.at_center = fit->at_center, .slope = fit->slope, .center = fit->center};
  if (kept.size() < 3) return line;
  const auto degrees = static_cast<int>(kept.size() - 2);
  const double birge = std::sqrt(fit->residuals / degrees);
  if (birge > 1) line.scatter = birge * few_values_factor(degrees);
  return line;
}

/// By the monotone fit of all samples (sorted by rate): the lowest rate when all are above the target, nullopt when
/// none is.
std::optional<double> interpolated(const std::vector<Sample>& samples, double log_target) {
  std::vector<double> values, weights;
  for (const Sample& s : samples) values.push_back(s.log_latency), weights.push_back(s.weight());
  const std::vector<double> fit = isotonic(values, weights);
  if (fit.empty() || fit.back() < log_target) return std::nullopt;
  if (fit.front() > log_target) return samples.front().rate;
  // The middle of what lies on the target, or between the last below and the first above.
  const auto below = std::lower_bound(fit.begin(), fit.end(), log_target) - fit.begin();
  const auto above = std::upper_bound(fit.begin(), fit.end(), log_target) - fit.begin();
  if (above > below) return (samples[std::size_t(below)].rate + samples[std::size_t(above - 1)].rate) / 2;
  const auto i = static_cast<std::size_t>(below);
  const double share = (log_target - fit[i - 1]) / (fit[i] - fit[i - 1]);
  return samples[i - 1].rate + share * (samples[i].rate - samples[i - 1].rate);
}

}  // namespace

bool near_crossing(double rate, double crossing) { return std::abs(rate - crossing) <= near_share * crossing; }

std::vector<Sample> samples_of(const std::vector<CurvePoint>& points, double log_target, bool probes_only) {
  std::vector<Sample> samples;
  for (const CurvePoint& point : points) {
    if (point.latency.count() <= 0 || (probes_only && is_full_run(point))) continue;
    if (!point.on_curve() && (!point.reached() || std::log(point.latency.count()) > log_target)) continue;
    // An error is never below the resolution of the histogram, and widened when it is estimated from few batches.
    const double widen = few_values_factor(std::max(point.degrees_of_freedom, 2));
    const double error = std::max(widen * (point.latency_error / point.latency), 0.002);
    samples.push_back(
        {point.rate, std::log(point.latency.count()), error, point.stats.requested_ops_per_sec.value_or(0)});
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.rate < b.rate; });
  return samples;
}

std::vector<Sample> without_outvoted(const std::vector<Sample>& samples) {
  std::vector<Sample> kept;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    int against = 0;
    for (std::size_t j = 0; j < samples.size(); ++j) {
      const double clearly = std::max(0.2, 4 * std::hypot(samples[i].log_error, samples[j].log_error));
      if (samples[j].rate >= 0.99 * samples[i].rate && samples[j].log_latency < samples[i].log_latency - clearly)
        ++against;
    }
    if (against < 2) kept.push_back(samples[i]);
  }
  return kept;
}

std::optional<Crossing> crossing(const std::vector<Sample>& samples, double log_target) {
  const auto rough = interpolated(samples, log_target);
  if (!rough) return std::nullopt;
  std::vector<Sample> near;
  for (const Sample& s : samples)
    if (near_crossing(s.rate, *rough)) near.push_back(s);
  const bool spread = near.size() >= 3 && near.back().rate - near.front().rate > 0.01 * *rough;
  if (!spread) return Crossing{*rough, {}};
  const auto line = robust_line(near);
  if (!line) return Crossing{*rough, {}};
  const double found = line->rate_at(log_target);
  return Crossing{std::abs(found - *rough) <= 2 * near_share * *rough ? found : *rough, line};
}

}  // namespace edagen
