#include "search/probes_answer.hpp"

#include <algorithm>
#include <cmath>

#include "search/curve_point.hpp"
#include "search/full_runs.hpp"
#include "search/latency_fit.hpp"

namespace edagen {
namespace {

/// Probes within this share of the crossing are checked for contradictions of at least this much in log latency.
constexpr double contradiction_share = 0.15, least_contradiction = 0.4;
/// At a jump, probes are at least this far off the target in log latency, and the ratio of its two rates is at most
/// this.
constexpr double least_jump = 0.7, widest_jump = 1.05;

/// Of two probes not far from the crossing, the one at the lower rate is clearly slower.
bool contradict(const std::vector<Sample>& probes, double crossing_rate) {
  const auto far = [&](const Sample& s) {
    return std::abs(s.requested - crossing_rate) > contradiction_share * crossing_rate;
  };
  for (const Sample& low : probes)
    for (const Sample& high : probes) {
      if (far(low) || far(high) || low.requested > high.requested) continue;
      const double clearly = std::max(least_contradiction, 4 * std::hypot(low.log_error, high.log_error));
      if (low.log_latency > high.log_latency + clearly) return true;
    }
  return false;
}

/// The two rates near the crossing between which the latency jumps over the target: all probes up to the one are well
/// below it, all from the other on well over it, and at most one lies between them.
std::optional<std::pair<double, double>> jump_of(const std::vector<Sample>& probes, double crossing_rate,
                                                 double log_target) {
  std::vector<Sample> near;
  for (const Sample& s : probes)
    if (near_crossing(s.requested, crossing_rate)) near.push_back(s);
  // By requested rate: beyond a limit all achieve the same.
  std::sort(near.begin(), near.end(), [](const Sample& a, const Sample& b) { return a.requested < b.requested; });
  const auto low = [&](const Sample& s) {
    return s.log_latency < log_target - least_jump && s.log_error < vague_error;
  };
  const auto high = [&](const Sample& s) { return s.log_latency > log_target + least_jump; };
  const auto above = std::find_if_not(near.begin(), near.end(), low);
  const auto from = std::find_if(above, near.end(), high);
  if (above - near.begin() < 2 || near.end() - from < 2 || from - above > 1 || !std::all_of(from, near.end(), high))
    return std::nullopt;
  const double last = std::prev(above)->requested, first = from->requested;
  return first <= widest_jump * last ? std::optional(std::pair(last, first)) : std::nullopt;
}

}  // namespace

ProbesAnswer probes_answer(const std::vector<CurvePoint>& points, Nanos target) {
  const double log_target = std::log(static_cast<double>(target.count()));
  const std::vector<Sample> probes = samples_of(points, log_target, true);
  const std::vector<Sample> kept = without_outvoted(probes);
  const auto found = crossing(kept, log_target);
  ProbesAnswer answer;
  if (!found) {
    bool beyond = true, met = false;  // the target is beyond all rates
    for (const CurvePoint& point : points) {
      beyond = beyond && !point.above(target);
      if (!point.above(target))
        answer.check_at = std::max(answer.check_at, point.stats.requested_ops_per_sec.value_or(0));
      if (is_evidence(point, target)) answer.standing = ProbesAnswer::refuted;
    }
    for (const CurvePoint& point : points)
      met = met || (is_evidence(point, target) && point.stats.requested_ops_per_sec.value_or(0) == answer.check_at);
    if (beyond && met) answer.standing = ProbesAnswer::upheld;
    return answer;
  }
  answer.jump = jump_of(probes, found->rate, log_target);
  answer.check_at = answer.jump ? answer.jump->first : found->rate;
  if (contradict(probes, found->rate)) {
    answer.standing = ProbesAnswer::refuted;
    return answer;
  }
  int agree = 0, differ = 0;
  for (const CurvePoint& point : points) {
    const double rate = point.stats.requested_ops_per_sec.value_or(0);
    if (!near_crossing(rate, found->rate) || !is_evidence(point, target)) continue;
    const double error = point.latency_error / point.latency, log_latency = std::log(point.latency.count());
    bool agrees = false;
    if (answer.jump) {
      agrees = log_latency < log_target - least_jump && rate > 0.98 * answer.jump->first;
    } else {
      const double expected = found->line ? found->line->log_latency_at(rate) : log_target;
      const double tolerance = std::clamp(3 * error, vague_error, 2.5 * vague_error);
      // Where the curve is steep, a difference of 1 % in the rate is allowed for.
      const double steep = found->line ? std::min(0.01 * rate * found->line->slope, 2 * vague_error) : 0;
      agrees = std::abs(log_latency - expected) <= std::max(tolerance, steep);
    }
    ++(agrees && error < vague_error && point.reached() ? agree : differ);
  }
  // One that differs may have been disturbed; more of them need twice as many that agree.
  if (agree > 0 && agree >= 2 * differ) answer.standing = ProbesAnswer::upheld;
  else if (differ >= 2) answer.standing = ProbesAnswer::refuted;
  return answer;
}

}  // namespace edagen
