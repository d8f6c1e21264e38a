#include "search/rate_at_latency.hpp"

#include <algorithm>
#include <cmath>

#include "edagen/random.hpp"
#include "search/full_runs.hpp"
#include "search/latency_fit.hpp"
#include "search/probes_answer.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr int resamples = 400;

/// Over all ops near that rate: a single load point may by chance have more large ones or fewer.
double mib_per_op_near(const std::vector<CurvePoint>& points, double rate) {
  const CurvePoint* nearest = nullptr;
  double mib = 0, ops = 0;
  const auto add = [&](const CurvePoint& point) {
    mib += point.stats.mib_per_sec() * to_seconds(point.stats.length);
    ops += point.rate * to_seconds(point.stats.length);
  };
  for (const CurvePoint& point : points) {
    if (point.rate <= 0) continue;
    if (point.reached() && near_crossing(point.rate, rate)) add(point);
    if (nearest == nullptr || std::abs(point.rate - rate) < std::abs(nearest->rate - rate)) nearest = &point;
  }
  if (ops == 0 && nearest != nullptr) add(*nearest);
  return ops > 0 ? mib / ops : 0;
}

struct Range {
  double rate, low, high;
};

/// Parametric bootstrap: the middle 95 % of the crossings of resampled points. Scatter beyond the points' own errors,
/// such as from other load on the host, widens it.
Range by_bootstrap(const std::vector<Sample>& samples, const Crossing& found, double log_target, std::uint64_t seed) {
  const double scatter = found.line ? found.line->scatter : 1;
  Random random(seed);
  std::vector<double> resampled;
  for (int i = 0; i < resamples; ++i) {
    std::vector<Sample> shaken = samples;
    for (Sample& sample : shaken) sample.log_latency += scatter * sample.log_error * random.normal();
    if (const auto again = crossing(shaken, log_target)) resampled.push_back(again->rate);
  }
  if (resampled.size() < resamples / 2) return {found.rate, samples.front().rate, samples.back().rate};
  return {found.rate, std::min(quantile_of(resampled, 0.025), found.rate),
          std::max(quantile_of(resampled, 0.975), found.rate)};
}

/// No point on the curve is above the target: the volume's limit comes first. The rate lies between the highest that
/// was reached and the lowest that was asked for beyond it in vain; nullopt: nothing was in vain.
std::optional<Range> below_limit(const std::vector<CurvePoint>& points, double highest, double target_ns) {
  double refused = 0;
  for (const CurvePoint& point : points) {
    const double requested = point.stats.requested_ops_per_sec.value_or(0);
    if (!point.reached() && point.latency.count() > target_ns && requested > highest)
      refused = refused == 0 ? requested : std::min(refused, requested);
  }
  return refused > 0 ? std::optional(Range{highest, highest, refused}) : std::nullopt;
}

/// At a jump the interval is not narrower than the distance between probes.
Range as_at_jump(const Range& range) {
  return {range.rate, std::min(range.low, range.rate / 1.015), std::max(range.high, 1.015 * range.rate)};
}

/// AtTarget::invalid. A search goes beyond the limits of the volume: only the points at the answer must be valid.
std::vector<Invalid> why_invalid(const std::vector<CurvePoint>& points, const AtTarget& answer) {
  const CurvePoint* const next = full_run_next_to(points, answer.ops_per_sec);
  if (next == nullptr || next->invalid.empty()) return {};
  const bool another =
      answer.full_runs > 0 && std::any_of(points.begin(), points.end(), [&](const CurvePoint& point) {
        const double rate = point.stats.requested_ops_per_sec.value_or(0);
        return is_full_run(point) && point.invalid.empty() && rate >= 0.95 * answer.low && rate <= 1.05 * answer.high;
      });
  return another ? std::vector<Invalid>() : next->invalid;
}

/// The range of the probes within the bounds of full runs that refute it but do not give an estimate.
Range confined(Range range, const FullRuns& full) {
  const double most = full.lowest_over > 0 ? full.lowest_over : std::max(range.high, full.achieved_at_highest_met);
  const double least = std::min(full.achieved_at_highest_met, most);
  return {std::clamp(range.rate, least, most), std::min(range.low, least), most};
}

}  // namespace

AtTarget rate_at_latency(const std::vector<CurvePoint>& points, Nanos target, std::uint64_t seed) {
  AtTarget answer;
  answer.target = target;
  const double target_ns = static_cast<double>(target.count()), log_target = std::log(target_ns);
  const auto finish = [&](const Range& range) {
    answer.ops_per_sec = range.rate;
    answer.low = range.low;
    answer.high = range.high;
    answer.mib_per_sec = range.rate * mib_per_op_near(points, range.rate);
    answer.invalid = why_invalid(points, answer);
    return answer;
  };
  const ProbesAnswer probes = probes_answer(points, target);
  const FullRuns full = full_runs(points, target);
  const bool refuted = probes.standing == ProbesAnswer::refuted && full.met + full.over > 0;
  if (refuted && full.estimate) {
    answer.bounded = true;
    answer.full_runs = full.estimate->runs;
    return finish({full.estimate->rate, full.estimate->low, full.estimate->high});
  }
  if (probes.jump && !refuted) {
    answer.bounded = true;
    const auto [met, over] = *probes.jump;
    return finish(as_at_jump({std::sqrt(met * over), met, over}));
  }
  const std::vector<Sample> samples = without_outvoted(samples_of(points, log_target));
  if (samples.empty() || samples.front().log_latency > log_target + 3 * samples.front().log_error) {
    answer.met = false;
    return answer;
  }
  std::optional<Range> range;
  if (const auto found = crossing(samples, log_target)) {
    range = by_bootstrap(samples, *found, log_target, seed);
    if (!found->line) range = as_at_jump(*range);
  } else {
    range = below_limit(points, samples.back().rate, target_ns);
  }
  answer.bounded = range.has_value() || (refuted && full.lowest_over > 0);
  const double highest = samples.back().rate;
  if (!range) range = Range{highest, highest, highest};
  return finish(refuted ? confined(*range, full) : *range);
}

std::optional<double> overall_response_time(const std::vector<CurvePoint>& points, double highest_ns) {
  std::vector<std::pair<double, double>> curve;
  for (const CurvePoint& point : points)
    if (point.on_curve() && point.latency.count() <= highest_ns) curve.emplace_back(point.rate, point.latency.count());
  std::sort(curve.begin(), curve.end());
  if (curve.size() < 2 || curve.back().first <= curve.front().first) return std::nullopt;
  double area = 0;
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i].first - curve[i - 1].first) * (curve[i].second + curve[i - 1].second) / 2;
  return area / (curve.back().first - curve.front().first);
}

}  // namespace edagen
