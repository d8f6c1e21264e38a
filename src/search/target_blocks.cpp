#include "search/target_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/distribution.hpp"

namespace edagen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

SearchRange::SearchRange(const CurvePlan& plan) {
  const double ops = plan.policy.min_lowest_rate_ops * plan.policy.ops_factor(plan.load.statistic);
  lowest = std::min(ops / plan.policy.max_block_seconds, plan.own_rate);
  highest = plan.max_rate > 0 ? plan.max_rate : plan.policy.highest_ops_per_sec;
  if (plan.job_sets > 0) {
    step = lowest = plan.own_rate / static_cast<double>(plan.job_sets);
    const double sets = std::min(highest, plan.own_rate) / step;
    highest = step * std::max(1.0, std::floor(sets * (1 + 1e-9)));
  }
  lowest = std::min(lowest, highest);
}

double SearchRange::clamped(double rate) const { return std::clamp(rate, lowest, highest); }

TargetBlocks::TargetBlocks(const CurvePlan& curve, std::size_t target_index)
    : plan(curve),
      policy(curve.policy),
      target(target_index),
      range(curve),
      link(link_of(curve.load.statistic)),
      ops_factor(curve.policy.ops_factor(curve.load.statistic)) {}

bool TargetBlocks::is_highest(double rate) const { return rate >= policy.highest_rate_share * range.highest; }

bool TargetBlocks::is_lowest(double rate) const { return rate <= (1 + policy.min_step_share) * range.lowest; }

/// Blocks of the climb are not enough: a disturbance of two short blocks looks like a wall.
bool TargetBlocks::has_sampled_both_sides() const {
  const auto sampled = [&](bool over) {
    return std::ranges::any_of(blocks, [&](const SearchBlock& block) {
      return counts(block) && block.purpose != Purpose::climb && is_over(block) == over;
    });
  };
  return sampled(false) && sampled(true);
}

/// Ops in a queue wait for each other, so that blocks scatter more than their number of ops suggests: the larger one of
/// both errors is used.
LowestRateTest TargetBlocks::test_lowest_rate() const {
  std::vector<const SearchBlock*> lowest;
  for (const SearchBlock& block : blocks)
    if (block.counts && is_lowest(block.requested)) lowest.push_back(&block);
  double ops = 0, over = 0, of_ops = 0, of_blocks = 0;
  std::size_t overloads = 0;
  bool limited = false;
  for (const SearchBlock* block : lowest) {
    ops += block->ops;
    over += block->ops * (value(*block) - 1);
    of_ops += std::pow(block->ops * block->standard_errors[target], 2);
    if (!block->reached && value(*block) <= 1) limited = true;
    else if (!block->reached || value(*block) > policy.overload_factor) ++overloads;
  }
  for (const SearchBlock* block : lowest) of_blocks += std::pow(block->ops * (value(*block) - 1 - over / ops), 2);
  LowestRateTest test{.blocks = lowest.size(), .is_over = over > 0};
  if (lowest.size() < policy.min_lowest_rate_blocks || limited) return test;
  const auto others = static_cast<double>(lowest.size() - 1);
  const double error = std::sqrt(std::max(of_ops, of_blocks * (others + 1) / others));
  const bool overloaded = overloads >= policy.min_lowest_rate_blocks && 2 * overloads > lowest.size();
  test.is_surely_over =
      overloaded || over > student_quantile(policy.not_met_confidence, static_cast<int>(others)) * error;
  return test;
}

/// When a share of its capacity is in use, a response of M/M/1 (a mean or a percentile) is 1 / (1 - share) times that
/// of the idle station. Stations with more servers, or with a limit, become slower by less. The capacity is at least
/// the highest rate that was served. Where the latency does not rise with the rate, higher rates may be faster.
bool TargetBlocks::is_idle_surely_over() const {
  std::vector<const SearchBlock*> reached;
  const SearchBlock* highest = nullptr;
  double served = 0;
  for (const SearchBlock& block : blocks) {
    if (!counts(block)) continue;
    if (!is_over(block)) return false;
    served = std::max(served, block.rate);
    if (!highest || block.requested > highest->requested) highest = &block;
    if (block.reached) reached.push_back(&block);
  }
  if (reached.size() < policy.min_lowest_rate_blocks) return false;
  const NanosF least = (*std::ranges::min_element(reached, {}, &SearchBlock::latency))->latency;
  if (highest->reached && highest->latency < policy.max_probe_latency_factor * least) return false;
  std::ranges::stable_sort(reached, {}, &SearchBlock::rate);
  reached.resize(policy.min_lowest_rate_blocks);
  const NanosF limit = policy.overload_factor * NanosF(plan.targets[target]);
  return std::ranges::all_of(
      reached, [&](const SearchBlock* block) { return (1 - block->rate / served) * block->latency > limit; });
}

bool TargetBlocks::lowest_rate_undecided() const {
  const LowestRateTest test = test_lowest_rate();
  return test.blocks < policy.min_lowest_rate_blocks || (test.is_over && test.blocks < policy.max_lowest_rate_blocks);
}

/// Blocks at the lowest rate count as below the target unless that rate is surely over it.
RateRange TargetBlocks::bracket() const {
  const LowestRateTest lowest = test_lowest_rate();
  const bool is_open = lowest.blocks >= policy.min_lowest_rate_blocks && !lowest.is_surely_over;
  std::vector<std::pair<double, int>> sides;  // rate, 1 below the target or -1 over it
  for (const SearchBlock& block : blocks)
    if (counts(block)) {
      const bool over = is_over(block) && !(is_open && block.reached && is_lowest(block.requested));
      sides.emplace_back(block.rate, over ? -1 : 1);
    }
  std::ranges::sort(sides);
  int right = 0, most = 0;  // blocks on the right side, but for a constant
  RateRange bracket{0, sides.empty() ? infinity : sides.front().first};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    right += sides[i].second;
    if (right < most) continue;
    most = right;
    bracket = {sides[i].first, i + 1 < sides.size() ? sides[i + 1].first : infinity};
  }
  return bracket;
}

RateRange TargetBlocks::overlap() const {
  RateRange mixed = bracket();
  for (const SearchBlock& block : blocks) {
    if (!counts(block)) continue;
    if (is_over(block)) mixed.low = std::min(mixed.low, block.rate);
    else mixed.high = std::max(mixed.high, block.rate);
  }
  double low = 0, high = infinity;
  for (const SearchBlock& block : blocks) {
    if (!counts(block)) continue;
    if (!is_over(block) && block.rate <= mixed.low) low = std::max(low, block.rate);
    if (is_over(block) && block.rate >= mixed.high) high = std::min(high, block.rate);
  }
  return {low > 0 ? low : mixed.low, std::isfinite(high) ? high : mixed.high};
}

/// The mean latency of an overload grows as long as the overload lasts: it counts only where the other blocks show no
/// bounded crossing. The answer is never above the rates that were measured.
std::optional<Crossing> TargetBlocks::fit() const {
  const RateRange bracket = this->bracket();
  if (bracket.low == 0 || !std::isfinite(bracket.high)) return std::nullopt;
  const RateRange overlap = this->overlap();
  std::vector<Observation> observations;
  const auto crossing_of = [&](bool with_overloads) {
    observations.clear();
    for (const SearchBlock& block : blocks)
      if (counts(block) && (block.reached || with_overloads))
        observations.push_back({block.rate, value(block), block.seconds});
    return fit_crossing(observations, link, bracket, overlap, policy);
  };
  std::optional<Crossing> found;
  if (link == Link::inverse) found = crossing_of(false);
  if (!found || found->outside || !found->is_bounded()) found = crossing_of(true);
  if (!found) return found;
  found->rate = std::min(found->rate, std::ranges::max(observations, {}, &Observation::rate).rate);
  found->low = std::min(found->low, found->rate);
  return found;
}

}  // namespace edagen
