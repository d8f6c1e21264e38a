#include "search/validity.hpp"

#include <algorithm>
#include <cmath>

#include "result/validity_limits.hpp"

namespace edagen {
namespace {

constexpr NanosF wake_up = std::chrono::microseconds(50);
/// Each load point is reported with its p99, in which a wake-up may take longer than on average.
constexpr LatencyStatistic p99{99};
constexpr NanosF wake_up_p99 = std::chrono::microseconds(250);

NanosF lag_limit(const RunStats& stats, const LatencyStatistic& statistic, NanosF least) {
  return std::max(least, NanosF(validity_limits::own_delay_share *
                                LatencyStatistic{statistic.percentile}.of(stats.ops.response())));
}

bool is_exceeded(const LagLimit& limit, const RunStats& stats) {
  return NanosF(limit.statistic.of(stats.generator_lag)) > limit.value;
}

bool mix_is_off(const RunStats& stats) {
  // A kind without procs has no share that it could be off, and is missing in the mix.
  const auto has_procs = [](const GroupStats& group) { return group.share > 0; };
  if (stats.ops.operations() > 0 && std::ranges::any_of(stats.groups, has_procs) &&
      !std::ranges::all_of(stats.groups, has_procs))
    return true;
  const auto keeps_share = [&](const GroupStats& group) { return stats.requested_ops_per_sec || group.paced; };
  double done = 0, shares = 0;
  for (const GroupStats& group : stats.groups) {
    if (!keeps_share(group)) continue;
    done += static_cast<double>(group.operations);
    shares += group.share;
  }
  return done > 0 && shares > 0 && std::ranges::any_of(stats.groups, [&](const GroupStats& group) {
           return keeps_share(group) && std::abs(group.share / shares - static_cast<double>(group.operations) / done) >
                                            validity_limits::mix_share;
         });
}

/// In an open loop, pauses that are short and rare delay many ops where procs are busy. A proc that was in an op when
/// the pause began takes it for a slow op, so that its backlog is not in the generator's own delay.
bool is_delayed_by_pauses(const RunStats& stats, std::optional<Nanos> target) {
  return stats.requested_ops_per_sec &&
         stats.pause_delay >
             lag_limit(stats, {}, target ? validity_limits::own_delay_share * NanosF(*target) : wake_up);
}

/// Ops that ended over those that were due, less (or more) what chance explains: how many are in flight when a window
/// begins and ends is about the square root of their mean number (Little's law).
enum class Rate { low, as_due, high };
Rate rate_of(const RunStats& stats) {
  double due = 0;
  for (const GroupStats& group : stats.groups) due += static_cast<double>(group.due);
  const double in_flight = stats.ops_per_sec() * stats.ops.response().mean() / 1e9;
  const double slack = 1 + 3 * std::sqrt(in_flight), ended = static_cast<double>(stats.ops.operations());
  if (ended + slack < validity_limits::reached_share * due) return Rate::low;
  return ended - slack > validity_limits::exceeded_share * due ? Rate::high : Rate::as_due;
}

/// In a closed loop: ops that had begun before the window took much of its time, each far more than chance explains.
/// That stop is in no latency.
bool carries_a_stop(const RunStats& stats) {
  constexpr double most_carried_share = 0.05, many_services = 3;
  ProcWaits waits;
  for (const GroupStats& group : stats.groups) waits.merge(group.waits);
  const LatencyHistogram service = stats.ops.service();
  const NanosF all = waits.carried + waits.total + NanosF(service.total());
  return waits.carried > most_carried_share * all &&
         waits.carried / static_cast<double>(waits.carried_ops) > many_services * NanosF(service.mean());
}

}  // namespace

LagLimit generator_lag_limit(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target,
                             Purpose purpose) {
  if (!stats.requested_ops_per_sec) return {{}, lag_limit(stats, {}, wake_up)};
  const LagLimit reported{
      {statistic.percentile},
      lag_limit(stats, statistic, target ? validity_limits::own_delay_share * NanosF(*target) : wake_up)};
  if (target || purpose == Purpose::block || is_exceeded(reported, stats)) return reported;
  const LagLimit rare{p99, lag_limit(stats, p99, wake_up_p99)};
  return is_exceeded(rare, stats) ? rare : reported;
}

NanosF closed_loop_wait(const RunStats& stats) {
  NanosF longest{0};
  std::optional<NanosF> of_slowest;  // of the kinds that wait for each other, the one that the others wait for
  for (const GroupStats& group : stats.groups) {
    if (group.waits.ops == 0) continue;
    if (!group.paced) longest = std::max(longest, group.waits.mean());
    else if (!of_slowest || group.waits.mean() < *of_slowest) of_slowest = group.waits.mean();
  }
  return std::max(longest, of_slowest.value_or(NanosF(0)));
}

bool host_is_busy(const RunStats& stats) { return stats.host_busy >= validity_limits::all_busy_share; }

bool generator_is_late(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target,
                       Purpose purpose) {
  const LagLimit limit = generator_lag_limit(stats, statistic, target, purpose);
  if (stats.requested_ops_per_sec) return is_exceeded(limit, stats);
  return host_is_busy(stats) || closed_loop_wait(stats) > limit.value;
}

std::vector<Invalid> invalid_reasons(const RunStats& stats, const LatencyStatistic& statistic,
                                     std::optional<Nanos> target, Purpose purpose) {
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
  rule(any_window && std::ranges::any_of(
                         stats.groups, [](const auto& g) { return g.least_proc_share < validity_limits::proc_share; }),
       proc_rate_low);
  rule(mix_is_off(stats), mix_off);
  rule(generator_is_late(stats, statistic, target, purpose), generator_limited);
  rule(any_window && (to_seconds(stats.longest_pause) >= validity_limits::pause_seconds ||
                      stats.paused_share >= validity_limits::paused_share ||
                      stats.throttled_share >= validity_limits::paused_share || is_delayed_by_pauses(stats, target)),
       generator_paused);
  // What the warm-up had left behind ended in the window: a stop of the storage or of this host.
  rule(stats.unsteady || rate == Rate::high || carries_a_stop(stats), unsteady);
  rule(stats.ops.outstanding() > 0, ops_outstanding);
  rule(stats.ops.error_count() > 0, errors);
  rule(stats.stuck_ops > 0, stuck_ops);
  rule(stats.too_many_errors, too_many_errors);
  rule(stats.interrupted, interrupted);
  return reasons;
}

}  // namespace edagen
