#include "search/curve_point.hpp"
#include "search/windows_answer.hpp"

#include <algorithm>
#include <cmath>

#include "search/full_runs.hpp"
#include "search/latency_fit.hpp"

namespace edagen {
namespace {

/// Windows within so much of the crossing are looked at for contradictions, of at least so much in log latency.
constexpr double contradiction_share = 0.15, least_contradiction = 0.4;
/// How far off the target in log latency windows are at a jump, and how far apart the rates may be between which it is.
constexpr double least_jump = 0.7, widest_jump = 1.05;

/// Of two windows not far from the crossing, the one at the lower rate is clearly slower.
bool contradict(const std::vector<Sample>& windows, double crossing_rate) {
  const auto far = [&](const Sample& s) { return std::abs(s.requested - crossing_rate) > contradiction_share * crossing_rate; };
  for (const Sample& low : windows)
    for (const Sample& high : windows) {
      if (far(low) || far(high) || low.requested > high.requested) continue;
      const double clearly = std::max(least_contradiction, 4 * std::hypot(low.log_error, high.log_error));
      if (low.log_latency > high.log_latency + clearly) return true;
    }
  return false;
}

/// Between which windows near the crossing the curve jumps over the target: all up to one are well below it, all from
/// another on well over it, and at most one is between them.
std::optional<std::pair<double, double>> jump_of(const std::vector<Sample>& windows, double crossing_rate, double log_target) {
  std::vector<Sample> near;
  for (const Sample& s : windows)
    if (near_crossing(s.requested, crossing_rate)) near.push_back(s);
  // What was achieved beyond a limit is the limit.
  std::sort(near.begin(), near.end(), [](const Sample& a, const Sample& b) { return a.requested < b.requested; });
  const auto low = [&](const Sample& s) { return s.log_latency < log_target - least_jump && s.log_error < vague_error; };
  const auto high = [&](const Sample& s) { return s.log_latency > log_target + least_jump; };
  const auto above = std::find_if_not(near.begin(), near.end(), low);
  const auto from = std::find_if(above, near.end(), high);
  if (above - near.begin() < 2 || near.end() - from < 2 || from - above > 1 || !std::all_of(from, near.end(), high)) return std::nullopt;
  const double last = std::prev(above)->requested, first = from->requested;
  return first <= widest_jump * last ? std::optional(std::pair(last, first)) : std::nullopt;
}

}  // namespace

WindowsAnswer windows_answer(const std::vector<CurvePoint>& points, Nanos target) {
  const double goal = static_cast<double>(target.count()), log_target = std::log(goal);
  const std::vector<Sample> windows = samples_of(points, log_target, true);
  const std::vector<Sample> kept = without_outvoted(windows);
  const auto found = crossing(kept, log_target);
  WindowsAnswer answer;
  if (!found) {
    bool beyond = true, met = false;  // the target is beyond all rates
    for (const CurvePoint& point : points) {
      beyond = beyond && !point.above(goal);
      if (!point.above(goal)) answer.judge_at = std::max(answer.judge_at, point.stats.requested_ops_per_sec);
      if (tells(point, target)) answer.standing = WindowsAnswer::refuted;
    }
    for (const CurvePoint& point : points)
      met = met || (tells(point, target) && point.stats.requested_ops_per_sec == answer.judge_at);
    if (beyond && met) answer.standing = WindowsAnswer::upheld;
    return answer;
  }
  answer.jump = jump_of(windows, found->rate, log_target);
  answer.judge_at = answer.jump ? answer.jump->first : found->rate;
  if (contradict(windows, found->rate)) {
    answer.standing = WindowsAnswer::refuted;
    return answer;
  }
  int agree = 0, differ = 0;
  for (const CurvePoint& point : points) {
    const double rate = point.stats.requested_ops_per_sec;
    if (!near_crossing(rate, found->rate) || !tells(point, target)) continue;
    const double error = point.latency_error_ns / point.latency_ns, log_latency = std::log(point.latency_ns);
    bool agrees = false;
    if (answer.jump) {
      agrees = log_latency < log_target - least_jump && rate > 0.98 * answer.jump->first;
    } else {
      const double expected = found->line ? found->line->log_latency_at(rate) : log_target;
      const double tolerance = std::clamp(3 * error, vague_error, 2.5 * vague_error);
      // Where the curve is steep, a hundredth of the rate explains more.
      const double steep = found->line ? std::min(0.01 * rate * found->line->slope, 2 * vague_error) : 0;
      agrees = std::abs(log_latency - expected) <= std::max(tolerance, steep);
    }
    ++(agrees && error < vague_error && point.reached() ? agree : differ);
  }
  // One may be a disturbance; more are outweighed by twice as many that agree.
  if (agree > 0 && agree >= 2 * differ) answer.standing = WindowsAnswer::upheld;
  else if (differ >= 2) answer.standing = WindowsAnswer::refuted;
  return answer;
}

}  // namespace edagen
