#include "edagen/curve/full_runs.hpp"

#include <algorithm>

namespace edagen {

Verdict verdict_of(const CurvePoint& point, Nanos target) {
  const double goal = static_cast<double>(target.count());
  const double tolerance = std::clamp(3 * point.latency_error_ns, 0.1 * goal, goal);
  if (point.above(goal + tolerance)) return Verdict::over;
  return point.latency_ns < goal - tolerance ? Verdict::below : Verdict::agrees;
}

FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target) {
  constexpr double same = 0.99;
  FullRuns runs;
  for (const CurvePoint& point : points)
    if (point.purpose == judged_purpose && verdict_of(point, target) != Verdict::over)
      runs.met = std::max(runs.met, point.stats.requested_ops_per_sec);
  double lowest = 0;
  for (const CurvePoint& point : points) {
    const double rate = point.stats.requested_ops_per_sec;
    if (point.purpose != judged_purpose || verdict_of(point, target) != Verdict::over || runs.met >= same * rate) continue;
    ++runs.standing;
    lowest = lowest == 0 ? rate : std::min(lowest, rate);
  }
  if (runs.standing >= 2) runs.over = lowest;
  return runs;
}

}  // namespace edagen
