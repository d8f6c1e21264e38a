#include "report/curve_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "report/curve_points.hpp"

namespace edagen {

std::vector<RateLatency> line_of(const std::vector<VariantPoint>& points) {
  std::vector<RateLatency> line;
  for (const VariantPoint& point : points)
    if (is_of_line(point.purpose) && point.achieved_ops_per_sec > 0 && point.statistic.value > Millis(0) &&
        !has_flaw(point.invalid, {Flaw::overload, Flaw::generator}))
      line.push_back({point.achieved_ops_per_sec, point.statistic.value,
                      point.statistic.standard_error.value_or(Millis(0)), point.valid()});
  std::ranges::stable_sort(line, {}, &RateLatency::rate);
  return line;
}

std::vector<VariantPoint> variant_points(const Result& result) {
  std::vector<VariantPoint> points;
  for (const PointFigures& point : result.load_points)
    points.push_back({point.purpose, point.achieved_ops_per_sec, point.statistic, point.invalid});
  return points;
}

std::optional<RateLatency> latency_at(std::span<const RateLatency> curve, double rate) {
  const auto above = std::ranges::find_if(curve, [&](const RateLatency& point) { return point.rate >= rate; });
  if (above == curve.end()) return std::nullopt;
  if (above->rate == rate) return *above;
  if (above == curve.begin()) return std::nullopt;
  const RateLatency &to = *above, &from = *(above - 1);
  const double share = (rate - from.rate) / (to.rate - from.rate);
  return RateLatency{rate, (1 - share) * from.latency + share * to.latency,
                     Millis(std::hypot((1 - share) * from.standard_error.count(), share * to.standard_error.count())),
                     from.valid && to.valid};
}

std::vector<LatencyRatio> latency_ratios(std::span<const RateLatency> baseline, std::span<const RateLatency> other) {
  std::vector<double> rates;
  for (const auto& curve : {baseline, other})
    for (const RateLatency& point : curve) rates.push_back(point.rate);
  std::ranges::sort(rates);
  rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
  std::vector<LatencyRatio> ratios;
  for (const double rate : rates) {
    const auto reference = latency_at(baseline, rate), measured = latency_at(other, rate);
    if (!reference || !measured) continue;
    const double ratio = measured->latency / reference->latency;
    const bool has_errors = reference->standard_error > Millis(0) && measured->standard_error > Millis(0);
    ratios.push_back({rate, ratio,
                      has_errors ? ratio * std::hypot(reference->standard_error / reference->latency,
                                                      measured->standard_error / measured->latency)
                                 : 0,
                      reference->valid && measured->valid});
  }
  return ratios;
}

}  // namespace edagen
