#include "search/overall_response_time.hpp"

#include <algorithm>

namespace edagen {

std::optional<NanosF> overall_response_time(const std::vector<CurvePoint>& points, std::optional<NanosF> highest) {
  std::vector<std::pair<double, NanosF>> curve;
  for (const CurvePoint& point : points)
    if (point.on_curve() && (!highest || point.latency <= *highest)) curve.emplace_back(point.rate, point.latency);
  std::ranges::sort(curve);
  if (curve.size() < 2 || curve.back().first <= curve.front().first) return std::nullopt;
  NanosF area{0};  // ns * ops/s
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i].first - curve[i - 1].first) / 2 * (curve[i].second + curve[i - 1].second);
  return area / (curve.back().first - curve.front().first);
}

}  // namespace edagen
