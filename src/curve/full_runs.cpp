#include "edagen/curve/full_runs.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

namespace {

bool is_full_run(const CurvePoint& point) { return point.purpose == judged_purpose && !point.stats.interrupted; }

}  // namespace

Verdict verdict_of(const CurvePoint& point, Nanos target) {
  const double goal = static_cast<double>(target.count());
  const double tolerance = std::max(3 * point.latency_error_ns, 0.1 * goal);
  if (point.above(goal + std::min(tolerance, 0.25 * goal))) return Verdict::over;
  return point.latency_ns < goal - std::min(tolerance, 0.5 * goal) ? Verdict::below : Verdict::agrees;
}

FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target) {
  constexpr double same = 0.99;  // rates that differ by less are the same
  std::vector<double> over, others;
  for (const CurvePoint& point : points)
    if (is_full_run(point))
      (verdict_of(point, target) == Verdict::over ? over : others).push_back(point.stats.requested_ops_per_sec);
  FullRuns runs;
  for (const double rate : over) {
    const auto with = std::count_if(over.begin(), over.end(), [&](double other) { return same * other <= rate; });
    const auto against = std::count_if(others.begin(), others.end(), [&](double other) { return other >= same * rate; });
    if (against > with) continue;
    ++runs.standing;
    runs.over = runs.over == 0 ? rate : std::min(runs.over, rate);
  }
  for (const double rate : others)
    if (runs.over == 0 || rate < same * runs.over) runs.met = std::max(runs.met, rate);
  return runs;
}

const CurvePoint* full_run_next_to(const std::vector<CurvePoint>& points, double ops_per_sec) {
  const CurvePoint* next = nullptr;
  const auto distance = [&](const CurvePoint& point) { return std::abs(point.stats.requested_ops_per_sec - ops_per_sec); };
  for (const CurvePoint& point : points)
    if (is_full_run(point) && (next == nullptr || distance(point) <= distance(*next))) next = &point;
  return next;
}

}  // namespace edagen
