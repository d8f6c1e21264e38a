#include "search/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/rate_search.hpp"

namespace edagen {
namespace {

/// No load met the target.
AtTarget not_met(const std::vector<SearchBlock>& blocks, std::size_t target, Nanos latency) {
  AtTarget answer;
  answer.target = latency;
  answer.met = false;
  const SearchBlock* lowest = nullptr;  // an overload where there is nothing else
  for (const SearchBlock& block : blocks) {
    if (!block.counts) continue;
    const bool lower = lowest && block.reached == lowest->reached && block.latency < lowest->latency;
    if (!lowest || lower || (block.reached && !lowest->reached)) lowest = &block;
  }
  if (lowest) {
    // Of all that were made at its rate: one of several may be below the target by chance.
    double ops = 0;
    NanosF sum{0};
    for (const SearchBlock& block : blocks)
      if (block.counts && block.reached == lowest->reached && block.requested == lowest->requested) {
        ops += block.ops;
        sum += block.ops * block.latency;
      }
    answer.lowest_latency = ops > 0 ? sum / ops : lowest->latency;
  }
  answer.invalid = {Invalid::no_load_meets_target};
  if (lowest && lowest->host_limited(target)) answer.invalid.push_back(Invalid::generator_limited);
  return answer;
}

Invalid reason_of(RateLimit limit) {
  return limit == RateLimit::host ? Invalid::generator_limited : Invalid::target_not_reached;
}

/// No load met the target, and some of which nothing is known might have.
AtTarget not_known(const std::vector<SearchBlock>& blocks, Nanos latency) {
  AtTarget answer;
  answer.target = latency;
  answer.met = false;
  answer.limit = std::ranges::any_of(blocks, &SearchBlock::paused) ? RateLimit::host : RateLimit::search_time;
  answer.invalid = {reason_of(*answer.limit), Invalid::not_demonstrated};
  return answer;
}

/// Over all ops near that rate, or as near as there are some: a single load point may by chance have more large ones or
/// fewer. The mix of an overload is another one.
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

}  // namespace

bool RateSearch::is_demonstrated(const AtTarget& answer) const {
  const double least = (1 - policy_.demonstrated_within) * answer.ops_per_sec - range_.step;
  return answer.demonstrated && answer.demonstrated->ops_per_sec >= least - 1e-9 * answer.ops_per_sec;
}

/// The longest blocks hold fewer ops over the percentile than blocks are to hold: those come in so few clusters that
/// neither their scatter nor their mean is known. Or a queue at the target does not forget in a block what was before.
bool RateSearch::blocks_are_too_short(double rate, const std::optional<Crossing>& crossing) const {
  const double longest = to_seconds(policy_.longest_block);
  if (link_ == Link::log && rate * longest < ops_share_ * static_cast<double>(policy_.block_ops)) return true;
  return crossing && longest < std::max(policy_.forgotten, 2 * ops_share_) * seconds_to_forget(*crossing);
}

/// The relaxation time of M/M/1 near saturation, 4 / (mu (1 - rho)^2) (Morse, Stochastic Properties of Waiting Lines,
/// 1955), from the target and the slope there: 1 / latency falls to 0 at the load 1, and the logarithm of the share of
/// ops over a limit falls with the rate by the limit per op/s.
double RateSearch::seconds_to_forget(const Crossing& crossing) const {
  const double target = to_seconds(plan_.targets[target_]), steepness = std::abs(crossing.slope) * crossing.rate;
  if (link_ == Link::inverse) return 4 * (1 - crossing.floor) * target * (1 + steepness);
  return 4 * target * steepness / std::pow(std::log1p(-plan_.load.statistic.percentile / 100), 2);
}

/// Of most blocks so near the rate, or of the range.
std::optional<RateLimit> RateSearch::limit_near(double rate, double distance) const {
  std::size_t all = 0, by_host = 0, over = 0, by_procs = 0;
  for (const SearchBlock& block : blocks_) {
    if (std::abs(block.rate - rate) > distance) continue;
    ++all;
    if (block.host_limited(target_)) ++by_host;
    if (!counts(block) || !is_over(block)) continue;
    ++over;
    if (value_of(block) < 1) ++by_procs;
  }
  if (2 * by_host > all) return RateLimit::host;
  if (2 * by_procs > over) return RateLimit::procs;
  const RateZone zone = this->zone();
  if (std::isfinite(zone.high) && rate > 0) return std::nullopt;
  const auto is_above = [&](const SearchBlock& block) { return block.requested > zone.low; };
  const auto is_limited = [&](const SearchBlock& block) { return is_above(block) && block.host_limited(target_); };
  if (2 * std::ranges::count_if(blocks_, is_limited) > std::ranges::count_if(blocks_, is_above)) return RateLimit::host;
  return range_.is_highest(zone.low) ? RateLimit::highest_rate : RateLimit::search_time;
}

/// Of the fit, or else of the blocks below the target and over it.
AtTarget RateSearch::answer() const {
  using enum Invalid;
  if (not_met_) return not_met(blocks_, target_, plan_.targets[target_]);
  AtTarget answer;
  answer.target = plan_.targets[target_];
  answer.demonstrated = best_demonstration(blocks_, target_);
  const RateZone zone = this->zone(), band = this->band();
  const bool has_below = zone.low > 0, has_over = std::isfinite(zone.high);
  const std::optional<Crossing> crossing = fit();
  double& rate = answer.ops_per_sec;
  double near = has_below ? policy_.limit_within * zone.low : std::numeric_limits<double>::infinity();
  if (crossing) {
    rate = crossing->rate;
    near = std::min(crossing->reach, near);
  } else if (has_below) {
    rate = has_over ? (zone.low + zone.high) / 2 : band.low;  // a lower bound that no block was over
  } else {
    for (const SearchBlock& block : blocks_)
      if (counts(block) && value_of(block) <= 1) rate = std::max(rate, block.rate);
  }
  const bool is_bounded = crossing && crossing->is_bounded();
  answer.low = is_bounded ? crossing->low : rate;
  answer.high = is_bounded ? crossing->high : rate;
  if (has_over && (!is_bounded || crossing->outside)) {
    answer.low = std::min(answer.low, std::min(band.low, rate) / policy_.zone_margin);
    answer.high = std::max(answer.high, std::max(band.high, rate) * policy_.zone_margin);
  }
  if (answer.demonstrated && answer.demonstrated->ops_per_sec > rate) {
    rate = answer.demonstrated->ops_per_sec;
    answer.high = std::max({answer.high, rate, has_over ? band.high : rate});
    if (!has_over) answer.low = rate;
  }
  answer.limit = limit_near(rate, near);
  answer.met = rate > 0;
  answer.mib_per_sec = rate * mib_per_op_near(blocks_, rate, near);
  if (answer.limit) answer.invalid.push_back(reason_of(*answer.limit));
  const bool is_wide = answer.high - answer.low > 2 * policy_.widest_half_width * rate;
  const bool is_of_climb = has_below && has_over && !has_blocks_on_both_sides();
  if (is_wide || is_of_climb || blocks_are_too_short(rate, crossing)) answer.invalid.push_back(imprecise);
  if (!is_demonstrated(answer)) answer.invalid.push_back(not_demonstrated);
  if (ended_)
    for (const Invalid reason : blocks_.back().invalid)
      if (reason == interrupted || reason == too_many_errors || reason == stuck_ops) answer.invalid.push_back(reason);
  return answer;
}

AtTarget between_points(const std::vector<SearchBlock>& blocks, std::size_t target, const CurvePlan& plan) {
  AtTarget answer;
  answer.target = plan.targets[target];
  answer.demonstrated = best_demonstration(blocks, target);
  const SearchBlock* below = nullptr;
  const SearchBlock* over = nullptr;
  for (const SearchBlock& block : blocks)
    if (block.counts && block.reached && block.values[target] <= 1 && (!below || block.rate > below->rate))
      below = &block;
  for (const SearchBlock& block : blocks)
    if (block.counts && block.requested > (below ? below->requested : 0) &&
        (!over || block.requested < over->requested))
      over = &block;
  const bool is_cut_off = !blocks.empty() && std::ranges::count(blocks.back().invalid, Invalid::interrupted) > 0;
  // It did not reach its rate, and not for its latency.
  const bool is_limited = over && !over->reached && over->values[target] <= 1;
  const auto is_open = [&](const SearchBlock& block) {
    return !block.counts && (!over || block.requested < over->requested);
  };
  if (!below && !is_limited && (!over || std::ranges::any_of(blocks, is_open))) return not_known(blocks, answer.target);
  if (!below && !is_limited) return not_met(blocks, target, answer.target);
  if (is_limited) {
    answer.ops_per_sec = std::max(below ? below->rate : 0, over->rate);
    answer.limit = over->host_limited(target) ? RateLimit::host : RateLimit::procs;
  } else if (!over) {
    answer.ops_per_sec = below->rate;
    answer.limit = is_cut_off ? RateLimit::search_time : RateLimit::highest_rate;
  } else {
    const Link link = plan.load.statistic.percentile == 0 ? Link::inverse : Link::log;
    const auto seen = [&](const SearchBlock& block) {
      const double value = block.values[target];
      return linked(link, link == Link::log ? std::max(value, plan.policy.least_share) : value);
    };
    const double at_target = linked(link, 1), from = seen(*below), to = seen(*over);
    const double share = from == to ? 0 : std::clamp((at_target - from) / (to - from), 0.0, 1.0);
    answer.ops_per_sec = below->rate + share * (over->rate - below->rate);
    answer.low = below->rate;
    answer.high = std::max(over->rate, below->rate);
  }
  if (answer.limit) answer.low = answer.high = answer.ops_per_sec;
  answer.mib_per_sec = answer.ops_per_sec * mib_per_op_near(blocks, answer.ops_per_sec, answer.high - answer.low);
  if (answer.limit) answer.invalid.push_back(reason_of(*answer.limit));
  if (!answer.demonstrated) answer.invalid.push_back(Invalid::not_demonstrated);
  if (is_cut_off) answer.invalid.push_back(Invalid::interrupted);
  return answer;
}

}  // namespace edagen
