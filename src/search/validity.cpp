#include "search/validity.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {
namespace {

double requested_of(const GroupStats& group) { return group.requested_ops_per_sec.value_or(0); }

bool mix_is_off(const RunStats& stats) {
  double requested = 0, done = 0;
  for (const GroupStats& group : stats.groups) {
    requested += requested_of(group);
    done += static_cast<double>(group.operations);
  }
  if (requested <= 0 || done <= 0) return false;
  return std::any_of(stats.groups.begin(), stats.groups.end(), [&](const GroupStats& group) {
    return std::abs(requested_of(group) / requested - static_cast<double>(group.operations) / done) > 0.05;
  });
}

bool rate_is_low(const RunStats& stats) {
  const double expected = stats.requested_ops_per_sec.value_or(0) * to_seconds(stats.length);
  return static_cast<double>(stats.ops.operations()) + window_slack(expected, stats.random_arrivals) < 0.95 * expected;
}

}  // namespace

NanosF generator_lag_limit(const RunStats& stats) {
  return std::max(NanosF(std::chrono::microseconds(100)), NanosF(0.1 * stats.ops.response().mean()));
}

std::vector<Invalid> invalid_reasons(const RunStats& stats) {
  using enum Invalid;
  std::vector<Invalid> reasons;
  const auto rule = [&](bool broken, Invalid reason) {
    if (broken) reasons.push_back(reason);
  };
  const bool open_loop = stats.requested_ops_per_sec.has_value();
  rule(stats.ops.operations() == 0, nothing_measured);
  rule(open_loop && rate_is_low(stats), achieved_rate_low);
  rule(std::any_of(stats.groups.begin(), stats.groups.end(), [](const auto& g) { return g.least_proc_share < 0.75; }),
       proc_rate_low);
  rule(mix_is_off(stats), mix_off);
  rule(open_loop && stats.generator_lag_mean > generator_lag_limit(stats), generator_limited);
  rule(stats.unsteady, unsteady);
  rule(stats.ops.error_count() > 0, errors);
  rule(stats.stuck_ops > 0, stuck_ops);
  rule(stats.too_many_errors, too_many_errors);
  rule(stats.interrupted, interrupted);
  return reasons;
}

}  // namespace edagen
