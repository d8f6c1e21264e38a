#include "search/overall_response_time.hpp"

#include <algorithm>

namespace edagen {

namespace {

/// A lower bound is no end of a curve: it lies where the search happened to stop.
bool is_up_to_an_answer(const CurvePoint& point, const std::vector<AtTarget>& answers) {
  return std::ranges::any_of(answers, [&](const AtTarget& answer) {
    return !answer.limit && point.stats.requested_ops_per_sec <= (1 + 1e-9) * answer.ops_per_sec;
  });
}

}  // namespace

std::optional<NanosF> overall_response_time(const Curve& measured) {
  std::vector<std::pair<double, NanosF>> curve;
  for (const CurvePoint& point : measured.points) {
    const bool of_shape = point.purpose == Purpose::shape && is_up_to_an_answer(point, measured.answers);
    if (of_shape && !point.on_curve()) return std::nullopt;  // without its last points the mean would be lower
    if (of_shape || (point.purpose == Purpose::load_point && point.on_curve()))
      curve.emplace_back(point.rate, point.latency);
  }
  std::ranges::sort(curve);
  if (curve.size() < 2 || curve.back().first <= curve.front().first) return std::nullopt;
  NanosF area{0};  // ns * ops/s
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i].first - curve[i - 1].first) / 2 * (curve[i].second + curve[i - 1].second);
  return area / (curve.back().first - curve.front().first);
}

}  // namespace edagen
