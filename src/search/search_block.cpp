#include "search/search_block.hpp"

#include <algorithm>
#include <cmath>

#include "result/validity_limits.hpp"
#include "search/validity.hpp"

namespace edagen {
namespace {

bool has(const std::vector<Invalid>& reasons, Invalid reason) {
  return std::ranges::find(reasons, reason) != reasons.end();
}

/// Where the rate was missed, procs that do so many ops at a time are why: whatever the storage takes is service.
bool waits_for_procs(const CurvePoint& point, const LatencyHistogram& response, const LatencyHistogram& service) {
  const double waiting = response.mean() - service.mean() - point.stats.generator_lag.mean();
  return service.count() > 0 && waiting >= validity_limits::waiting_share * response.mean();
}

/// The standard error of the mean of these latencies.
double standard_error(const LatencyHistogram& latency) {
  double squares = 0;
  latency.for_each_bucket([&](std::int64_t low, std::int64_t high, std::uint64_t count) {
    squares += static_cast<double>(count) *
               std::pow((static_cast<double>(low) + static_cast<double>(high)) / 2 - latency.mean(), 2);
  });
  return std::sqrt(squares) / static_cast<double>(std::max<std::uint64_t>(1, latency.count()));
}

}  // namespace

bool SearchBlock::paused() const { return has(invalid, Invalid::generator_paused); }

bool SearchBlock::host_limited(std::size_t target) const { return late[target] || paused(); }

SearchBlock search_block(const CurvePoint& point, const LatencyStatistic& statistic,
                         const std::vector<Nanos>& targets) {
  SearchBlock block;
  block.purpose = point.purpose;
  block.reached = point.reached();
  block.seconds = to_seconds(point.stats.length);
  block.time = point.stats.all_time();
  block.rate = block.reached ? point.stats.requested_ops_per_sec.value_or(point.rate) : point.rate;
  block.requested = point.stats.requested_ops_per_sec.value_or(point.rate);
  block.invalid = point.invalid;
  std::erase(block.invalid, Invalid::generator_limited);
  block.mib_per_op = point.rate > 0 ? point.stats.mib_per_sec() / point.rate : 0;
  const LatencyHistogram response = point.stats.ops.response(), service = point.stats.ops.service();
  // Ops that were due and of which none has ended have no service time. It is no less than what they have waited for.
  const bool by_service = statistic.service && service.count() > 0;
  const LatencyHistogram& latency = by_service ? service : response;
  block.waits_for_procs = waits_for_procs(point, response, service);
  block.latency = NanosF(statistic.of(latency));
  block.counts = latency.count() > 0 && !has(point.invalid, Invalid::interrupted) &&
                 !has(point.invalid, Invalid::generator_paused);
  block.ops = static_cast<double>(latency.count());
  for (const Nanos target : targets) {
    const double over = 1 - latency.share_below(target), allowed = 1 - statistic.percentile / 100;
    const bool of_mean = statistic.percentile == 0;
    // Where the service alone is over the target, an earlier begin would not have met it.
    const bool service_is_over = service.count() > 0 && NanosF(statistic.of(service)) > target;
    const bool is_late = generator_is_late(point.stats, statistic, target, point.purpose);
    block.late.push_back((is_late && !service_is_over) || host_is_busy(point.stats));
    block.values.push_back(of_mean ? block.latency / NanosF(target) : over / allowed);
    block.standard_errors.push_back(of_mean ? standard_error(latency) / NanosF(target).count()
                                            : std::sqrt(over * (1 - over) / std::max(1.0, block.ops)) / allowed);
  }
  return block;
}

bool overloads(const SearchBlock& block, const CurvePlan& plan) {
  return !block.reached || block.latency > plan.policy.overload_factor * NanosF(plan.targets.back());
}

bool met_by(const SearchBlock& block, std::size_t target) {
  return block.invalid.empty() && !block.late[target] && block.reached && block.values[target] <= 1;
}

std::optional<DemonstrationFigures> best_demonstration(const std::vector<SearchBlock>& blocks, std::size_t target) {
  std::optional<DemonstrationFigures> best;
  for (const SearchBlock& block : blocks)
    if ((block.purpose == Purpose::demonstration || block.purpose == Purpose::load_point) && met_by(block, target) &&
        (!best || block.rate > best->ops_per_sec))
      best = DemonstrationFigures{block.rate, block.latency, block.point};
  return best;
}

}  // namespace edagen
