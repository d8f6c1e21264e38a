#include "search/validity.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {
namespace {

constexpr Nanos longest_pause = std::chrono::milliseconds(100);

bool mix_is_off(const RunStats& stats) {
  double done = 0;
  for (const GroupStats& group : stats.groups) done += static_cast<double>(group.operations);
  if (done <= 0) return false;
  // A kind without procs has no share that it could be off, and is missing in the mix.
  const auto has_share = [](const GroupStats& group) { return group.share > 0; };
  if (std::ranges::any_of(stats.groups, has_share) && !std::ranges::all_of(stats.groups, has_share)) return true;
  return std::ranges::any_of(stats.groups, [&](const GroupStats& group) {
    return group.share > 0 && std::abs(group.share - static_cast<double>(group.operations) / done) > 0.05;
  });
}

/// Ops that ended over those that were due, less (or more) what chance explains: how many are in flight when a window
/// begins and ends is about the square root of their mean number (Little's law).
enum class Rate { low, as_due, high };
Rate rate_of(const RunStats& stats) {
  double due = 0;
  for (const GroupStats& group : stats.groups) due += static_cast<double>(group.due);
  const double in_flight = stats.ops_per_sec() * stats.ops.response().mean() / 1e9;
  const double slack = 1 + 3 * std::sqrt(in_flight), ended = static_cast<double>(stats.ops.operations());
  if (ended + slack < 0.95 * due) return Rate::low;
  return ended - slack > 1.05 * due ? Rate::high : Rate::as_due;
}

}  // namespace

NanosF generator_lag_limit(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target) {
  const NanosF least = target ? 0.1 * NanosF(*target) : NanosF(std::chrono::microseconds(50));
  return std::max(least, NanosF(0.1 * LatencyStatistic{statistic.percentile}.of(stats.ops.response())));
}

bool generator_is_late(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target) {
  const NanosF lag(LatencyStatistic{statistic.percentile}.of(stats.generator_lag));
  return stats.requested_ops_per_sec && lag > generator_lag_limit(stats, statistic, target);
}

std::vector<Invalid> invalid_reasons(const RunStats& stats, const LatencyStatistic& statistic,
                                     std::optional<Nanos> target) {
  using enum Invalid;
  std::vector<Invalid> reasons;
  const auto rule = [&](bool broken, Invalid reason) {
    if (broken) reasons.push_back(reason);
  };
  const bool open_loop = stats.requested_ops_per_sec.has_value();
  rule(stats.ops.operations() == 0, nothing_measured);
  const bool any_window = stats.length > Nanos(0);  // else procs and pauses are those of the warm-up
  const Rate rate = open_loop && any_window ? rate_of(stats) : Rate::as_due;
  rule(rate == Rate::low, achieved_rate_low);
  rule(any_window && std::ranges::any_of(stats.groups, [](const auto& g) { return g.least_proc_share < 0.75; }),
       proc_rate_low);
  rule(mix_is_off(stats), mix_off);
  rule(generator_is_late(stats, statistic, target), generator_limited);
  rule(any_window && stats.longest_pause >= longest_pause, generator_paused);
  // What the warm-up had left behind ended in the window: a stop of the storage or of this host.
  rule(stats.unsteady || rate == Rate::high, unsteady);
  rule(stats.ops.outstanding() > 0, ops_outstanding);
  rule(stats.ops.error_count() > 0, errors);
  rule(stats.stuck_ops > 0, stuck_ops);
  rule(stats.too_many_errors, too_many_errors);
  rule(stats.interrupted, interrupted);
  return reasons;
}

}  // namespace edagen
