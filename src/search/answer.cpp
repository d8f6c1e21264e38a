#include "search/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "result/flaw.hpp"
#include "result/validity_limits.hpp"

namespace edagen {
namespace {

// The reason "imprecise" is printed with this limit.
static_assert(SearchPolicy().max_half_width_share == validity_limits::answer_half_width_share);

Invalid reason_of(RateLimit limit) {
  return limit == RateLimit::host ? Invalid::generator_limited : Invalid::target_not_reached;
}

/// The blocks after the last one that met the target, since a volume that became slow meanwhile has no such latency any
/// more. At the lowest rate all blocks decide together: by chance a single one may be below the target.
std::span<const SearchBlock> blocks_since_met(const TargetBlocks& data) {
  const auto is_met = [&](const SearchBlock& block) {
    return block.counts && !data.is_over(block) && !data.is_lowest(block.requested);
  };
  const auto last = std::find_if(data.blocks.rbegin(), data.blocks.rend(), is_met);
  const std::span since(last.base(), data.blocks.end());
  return std::ranges::any_of(since, &SearchBlock::counts) ? since : std::span(data.blocks);
}

/// The lowest latency where no load met the target, with its rate: of an overload where there is nothing else. Returns
/// a block of that rate; nullptr: no block counts.
const SearchBlock* add_lowest_latency(AtTarget& answer, const TargetBlocks& data) {
  const std::span<const SearchBlock> blocks = blocks_since_met(data);
  const SearchBlock* lowest = nullptr;
  for (const SearchBlock& block : blocks) {
    if (!block.counts) continue;
    const bool lower = lowest && block.reached == lowest->reached && block.latency < lowest->latency;
    if (!lowest || lower || (block.reached && !lowest->reached)) lowest = &block;
  }
  if (!lowest) return nullptr;
  // The mean over all blocks at that rate: one of several may be below the target by chance.
  double ops = 0;
  NanosF sum{0};
  for (const SearchBlock& block : blocks)
    if (block.counts && block.reached == lowest->reached && block.requested == lowest->requested) {
      ops += block.ops;
      sum += block.ops * block.latency;
    }
  answer.lowest_latency = ops > 0 ? sum / ops : lowest->latency;
  answer.lowest_latency_rate = lowest->requested;
  return lowest;
}

/// No load met the target, but a load that was not measured might meet it.
AtTarget answer_unknown(const TargetBlocks& data) {
  AtTarget answer;
  answer.target = data.plan.targets[data.target];
  answer.met = false;
  add_lowest_latency(answer, data);
  answer.limit = std::ranges::any_of(data.blocks, &SearchBlock::paused) ? RateLimit::host : RateLimit::search_time;
  answer.invalid = {reason_of(*answer.limit), Invalid::not_demonstrated};
  return answer;
}

/// The mean over all ops within the distance, or within that of the nearest block: a single load point may by chance
/// have more large ops or fewer. An overload has another mix of ops, and counts only where there is nothing else.
double mib_per_op_near(const std::vector<SearchBlock>& blocks, double rate, double distance) {
  const bool some_reached = std::ranges::any_of(blocks, &SearchBlock::reached);
  const auto has_the_mix = [&](const SearchBlock& block) { return block.counts && (block.reached || !some_reached); };
  double nearest = std::numeric_limits<double>::infinity();
  for (const SearchBlock& block : blocks)
    if (has_the_mix(block)) nearest = std::min(nearest, std::abs(block.rate - rate));
  double mib = 0, ops = 0;
  for (const SearchBlock& block : blocks) {
    if (!has_the_mix(block) || std::abs(block.rate - rate) > std::max(distance, nearest)) continue;
    ops += block.rate * block.seconds;
    mib += block.rate * block.seconds * block.mib_per_op;
  }
  return ops > 0 ? mib / ops : 0;
}

/// The relaxation time of M/M/1 near saturation, 4 / (mu (1 - rho)^2) (Morse, Stochastic Properties of Waiting Lines,
/// 1955), from the target and the slope at the target: 1 / latency falls to 0 at the load 1, and the logarithm of the
/// share of ops over a limit falls with the rate by the limit per op/s.
double relaxation_seconds(const Crossing& crossing, const TargetBlocks& data) {
  const double target = to_seconds(data.plan.targets[data.target]),
               steepness = std::abs(crossing.slope) * crossing.rate;
  if (data.link == Link::inverse) return 4 * (1 - crossing.floor) * target * (1 + steepness);
  return 4 * target * steepness / std::pow(std::log1p(-data.plan.load.statistic.percentile / 100), 2);
}

/// Adds why the last load could not go on; nothing where it could.
void add_end_of_load(AtTarget& answer, const SearchBlock& last) {
  for (const Invalid reason : last.invalid)
    if (flaw_of(reason) == Flaw::cut_short) answer.invalid.push_back(reason);
}

/// Even the longest blocks hold so few ops over the percentile that neither the scatter nor the mean of these clusters
/// is known; or a queue at the target is not independent of the block before.
bool blocks_are_too_short(double rate, const std::optional<Crossing>& crossing, const TargetBlocks& data) {
  const SearchPolicy& policy = data.policy;
  const double longest = policy.max_block_seconds;
  if (data.link == Link::log && rate * longest < data.ops_factor * policy.min_block_ops) return true;
  return crossing &&
         longest < std::max(policy.min_block_relaxation_times, policy.percentile_relaxation_factor * data.ops_factor) *
                       relaxation_seconds(*crossing, data);
}

/// The rate was missed below the target, since ops waited for their procs.
bool is_limited_by_procs(const SearchBlock& block, const TargetBlocks& data) {
  return data.counts(block) && data.is_over(block) && data.value(block) < 1 && block.waits_for_procs;
}

/// What the procs serve: a short block may by chance reach a higher rate.
double served_by_procs(const TargetBlocks& data) {
  double ops = 0, seconds = 0;
  for (const SearchBlock& block : data.blocks) {
    if (!is_limited_by_procs(block, data)) continue;
    ops += block.rate * block.seconds;
    seconds += block.seconds;
  }
  return ops / seconds;
}

/// The distance, or that of the nearest block over the target where it is farther away.
double reach_of_limit(double rate, double distance, const TargetBlocks& data) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const SearchBlock& block : data.blocks)
    if (data.counts(block) && data.is_over(block)) nearest = std::min(nearest, std::abs(block.rate - rate));
  return std::isfinite(nearest) ? std::max(distance, nearest) : distance;
}

/// The limit of most blocks near the rate, or of most of those over the target, or that of the range. Blocks lie on
/// both sides of the target: where it is this host that is late above a rate, half of them are not.
std::optional<RateLimit> limit_near(double rate, double distance, const TargetBlocks& data) {
  std::size_t all = 0, by_host = 0, over = 0, over_by_host = 0, by_procs = 0;
  const double reach = reach_of_limit(rate, distance, data);
  for (const SearchBlock& block : data.blocks) {
    if (std::abs(block.rate - rate) > reach) continue;
    ++all;
    if (block.host_limited(data.target)) ++by_host;
    if (!data.counts(block) || !data.is_over(block)) continue;
    ++over;
    if (block.host_limited(data.target)) ++over_by_host;
    if (is_limited_by_procs(block, data)) ++by_procs;
  }
  if (2 * by_host > all || 2 * over_by_host > over) return RateLimit::host;
  if (2 * by_procs > over) return RateLimit::procs;
  const RateRange bracket = data.bracket();
  if (std::isfinite(bracket.high) && rate > 0) return std::nullopt;
  const auto is_above = [&](const SearchBlock& block) { return block.requested > bracket.low; };
  const auto is_limited = [&](const SearchBlock& block) { return is_above(block) && block.host_limited(data.target); };
  if (2 * std::ranges::count_if(data.blocks, is_limited) > std::ranges::count_if(data.blocks, is_above))
    return RateLimit::host;
  return data.is_highest(bracket.low) ? RateLimit::highest_rate : RateLimit::search_time;
}

}  // namespace

bool is_demonstrated(const AtTarget& answer, const TargetBlocks& data) {
  const double least = (1 - data.policy.demonstrated_within_share) * answer.ops_per_sec - data.range.step;
  return answer.demonstrated && answer.demonstrated->ops_per_sec >= least - 1e-9 * answer.ops_per_sec;
}

AtTarget answer_not_met(const TargetBlocks& data) {
  AtTarget answer;
  answer.target = data.plan.targets[data.target];
  answer.met = false;
  const SearchBlock* const lowest = add_lowest_latency(answer, data);
  answer.invalid = {Invalid::no_load_meets_target};
  if (lowest && lowest->host_limited(data.target)) answer.invalid.push_back(Invalid::generator_limited);
  return answer;
}

AtTarget answer_of_search(const TargetBlocks& data, bool cut_off) {
  using enum Invalid;
  const SearchPolicy& policy = data.policy;
  AtTarget answer;
  answer.target = data.plan.targets[data.target];
  answer.demonstrated = data.demonstrated();
  const RateRange bracket = data.bracket(), overlap = data.overlap();
  const bool has_below = bracket.low > 0, has_over = std::isfinite(bracket.high);
  const std::optional<Crossing> crossing = data.fit();
  double& rate = answer.ops_per_sec;
  double near = has_below ? policy.limit_distance_share * bracket.low : std::numeric_limits<double>::infinity();
  if (crossing) {
    rate = crossing->rate;
    near = std::min(crossing->reach, near);
  } else if (has_below) {
    rate = has_over ? (bracket.low + bracket.high) / 2 : overlap.low;  // a lower bound that no block was over
  } else {
    for (const SearchBlock& block : data.blocks)
      if (data.counts(block) && data.value(block) <= 1) rate = std::max(rate, block.rate);
  }
  const bool is_bounded = crossing && crossing->is_bounded();
  answer.low = is_bounded ? crossing->low : rate;
  answer.high = is_bounded ? crossing->high : rate;
  if (has_over && (!is_bounded || crossing->outside)) {
    answer.low = std::min(answer.low, std::min(overlap.low, rate) / policy.answer_margin_factor);
    answer.high = std::max(answer.high, std::max(overlap.high, rate) * policy.answer_margin_factor);
  }
  if (answer.demonstrated && answer.demonstrated->ops_per_sec > rate) {
    rate = answer.demonstrated->ops_per_sec;
    answer.high = std::max({answer.high, rate, has_over ? overlap.high : rate});
    if (!has_over) answer.low = rate;
  }
  answer.limit = limit_near(rate, near, data);
  if (answer.limit == RateLimit::procs)
    rate = answer.low = answer.high =
        std::max(served_by_procs(data), answer.demonstrated ? answer.demonstrated->ops_per_sec : 0);
  answer.met = rate > 0;
  if (!answer.met) add_lowest_latency(answer, data);
  answer.mib_per_sec = rate * mib_per_op_near(data.blocks, rate, near);
  if (answer.limit) answer.invalid.push_back(reason_of(*answer.limit));
  const bool is_wide = answer.high - answer.low > 2 * policy.max_half_width_share * rate;
  const bool only_climbed = has_below && has_over && !data.has_sampled_both_sides();
  if (is_wide || only_climbed || blocks_are_too_short(rate, crossing, data)) answer.invalid.push_back(imprecise);
  if (!is_demonstrated(answer, data)) answer.invalid.push_back(not_demonstrated);
  if (cut_off) add_end_of_load(answer, data.blocks.back());
  return answer;
}

AtTarget answer_between_points(const TargetBlocks& data) {
  const std::vector<SearchBlock>& blocks = data.blocks;
  const std::size_t target = data.target;
  AtTarget answer;
  answer.target = data.plan.targets[target];
  answer.demonstrated = data.demonstrated();
  // A load that could not go on shows neither that the target was exceeded nor what the procs can do.
  const auto is_whole = [](const SearchBlock& block) { return !has_flaw(block.invalid, {Flaw::cut_short}); };
  const SearchBlock* below = nullptr;
  const SearchBlock* over = nullptr;
  for (const SearchBlock& block : blocks)
    if (block.counts && block.reached && block.values[target] <= 1 && (!below || block.rate > below->rate))
      below = &block;
  for (const SearchBlock& block : blocks)
    if (block.counts && is_whole(block) && block.requested > (below ? below->requested : 0) &&
        (!over || block.requested < over->requested))
      over = &block;
  const bool is_cut_off = !blocks.empty() && !is_whole(blocks.back());
  // The point did not reach its rate, though its latency is below the target.
  const bool is_missed = over && !over->reached && over->values[target] <= 1;
  const auto is_open = [&](const SearchBlock& block) {
    return !block.counts && (!over || block.requested < over->requested);
  };
  const bool is_known = over && (std::ranges::none_of(blocks, is_open) || data.is_idle_surely_over());
  if (!below && !is_missed && !is_known) return answer_unknown(data);
  if (!below && !is_missed) return answer_not_met(data);
  const auto is_of_host = [&](const SearchBlock& block) {
    return below && block.requested >= below->requested && block.host_limited(target);
  };
  // This host, and not the volume, was over the target, or was late at the highest point: with another host the rate
  // may be higher.
  const bool is_host = over ? is_of_host(*over) : std::ranges::any_of(blocks, is_of_host);
  if (is_missed) {
    answer.low = below ? below->rate : 0;
    answer.high = answer.ops_per_sec = std::max(answer.low, over->rate);
    if (over->host_limited(target)) answer.limit = RateLimit::host;
    else if (over->waits_for_procs) answer.limit = RateLimit::procs;
  } else if (!over || is_host) {
    answer.ops_per_sec = below->rate;
    answer.limit = is_host ? RateLimit::host : is_cut_off ? RateLimit::search_time : RateLimit::highest_rate;
  } else {
    const Link link = data.link;
    const auto seen = [&](const SearchBlock& block) {
      const double value = block.values[target];
      return linked(link, link == Link::log ? std::max(value, data.policy.min_over_share) : value);
    };
    const double at_target = linked(link, 1), from = seen(*below), to = seen(*over);
    const double share = from == to ? 0 : std::clamp((at_target - from) / (to - from), 0.0, 1.0);
    // An overload may end fewer ops/s than the point below it.
    answer.low = below->rate;
    answer.high = std::max(over->rate, below->rate);
    answer.ops_per_sec = answer.low + share * (answer.high - answer.low);
  }
  if (answer.limit) answer.low = answer.high = answer.ops_per_sec;
  answer.mib_per_sec = answer.ops_per_sec * mib_per_op_near(blocks, answer.ops_per_sec, answer.high - answer.low);
  if (answer.limit) answer.invalid.push_back(reason_of(*answer.limit));
  if (!answer.demonstrated) answer.invalid.push_back(Invalid::not_demonstrated);
  if (is_cut_off) add_end_of_load(answer, blocks.back());
  return answer;
}

}  // namespace edagen
