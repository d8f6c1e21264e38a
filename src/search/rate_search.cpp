#include "search/rate_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "load/measurement.hpp"
#include "search/answer.hpp"

namespace edagen {

Nanos settling(const SearchPolicy& policy, Nanos target, double seconds, bool is_loaded) {
  const Nanos targets = static_cast<Nanos::rep>(policy.settle_target_count) * target,
              settled = std::max(from_seconds(policy.settle_share * seconds),
                                 std::min(targets, from_seconds(policy.max_block_seconds)));
  return is_loaded ? settled : std::max(settled, from_seconds(policy.first_settle_seconds));
}

RateSearch::RateSearch(const CurvePlan& plan, std::size_t target)
    : plan_(plan),
      policy_(plan.policy),
      data_(plan, target),
      random_(derive_seed(plan.seed, target)),
      block_seconds_(policy_.block_seconds) {}

std::optional<SearchStep> RateSearch::next() {
  if (asked_ || finished_) return asked_;
  asked_ = decide();
  if (asked_ && !data_.blocks.empty() && data_.blocks.back().is_last) {
    cut_off_ = true;
    asked_.reset();
  }
  finished_ = !asked_;
  return asked_;
}

void RateSearch::add(const SearchBlock& block) {
  data_.blocks.push_back(block);
  if (!asked_) return;
  spent_ += block.time;
  was_demonstration_ = asked_->purpose == Purpose::demonstration;
  cut_off_ = finished_ = block.is_last;
  if (probe_ == Probe::active && block.counts && !data_.is_over(block)) {
    data_.lowest_counted = (1 - policy_.min_step_share) * block.requested;
    probe_ = Probe::done;
  }
  asked_.reset();
}

AtTarget RateSearch::answer() const {
  if (!plan_.is_search()) return answer_between_points(data_);
  if (not_met_) return answer_not_met(data_);
  return answer_of_search(data_, cut_off_);
}

std::optional<SearchStep> RateSearch::decide() {
  if (!plan_.is_search()) return fixed_point();
  if (std::exchange(was_demonstration_, false)) {
    // A demonstration that missed the target is a block like others, and the search goes on.
    blocks_of_length_ = 0;
    if (++demonstrations_ >= policy_.max_demonstrations || is_demonstrated(answer_of_search(data_, false), data_) ||
        demonstration_seconds() > longest_demonstration()) {
      not_met_ = no_load_meets_target();
      return std::nullopt;
    }
  }
  if (const std::optional<SearchStep> step = sample()) return step;
  if (not_met_ || data_.bracket().low == 0) return std::nullopt;
  return demonstration();
}

/// The points of the first target are those of all.
std::optional<SearchStep> RateSearch::fixed_point() const {
  const std::size_t measured = data_.blocks.size();
  if (measured >= plan_.rates.size()) return std::nullopt;
  return SearchStep{plan_.rates[measured], Purpose::load_point, to_seconds(plan_.load.duration)};
}

/// A block of the climb, until the target lies between two rates that are near each other; then blocks around the
/// estimate. nullopt: the interval is narrow, or the time is over.
std::optional<SearchStep> RateSearch::sample() {
  if (probe_ == Probe::active) {
    if (const std::optional<SearchStep> step = probe_higher_rates()) return step;
    probe_ = Probe::done;
  }
  const RateRange bracket = data_.bracket();
  const bool has_below = bracket.low > 0, has_over = std::isfinite(bracket.high);
  const std::optional<Crossing> crossing = has_below && has_over ? data_.fit() : std::nullopt;
  if (crossing && crossing->blocks >= policy_.min_answer_blocks && crossing->half_width() <= plan_.precision &&
      data_.has_sampled_both_sides())
    return std::nullopt;
  if (!has_over && data_.is_highest(bracket.low)) return std::nullopt;
  const double search_time = to_seconds(plan_.search_time),
               reserved = has_below ? std::min(demonstration_seconds(), policy_.max_reserved_share * search_time) : 0;
  const bool time_is_over = !data_.blocks.empty() && to_seconds(spent_) + block_seconds_ > search_time - reserved;
  if (!has_below && data_.is_lowest(bracket.high) && probe_ == Probe::due && !time_is_over) {
    probe_ = Probe::active;
    if (const std::optional<SearchStep> step = probe_higher_rates()) return step;
    probe_ = Probe::done;
  }
  if (!has_below && (data_.test_lowest_rate().is_surely_over || (time_is_over && data_.is_idle_surely_over()))) {
    not_met_ = true;
    return std::nullopt;
  }
  if (time_is_over) return std::nullopt;
  if (const std::optional<double> rate = climb(bracket))
    return SearchStep{data_.range.clamped(*rate), Purpose::climb, climb_seconds(*rate)};
  return block_around(crossing);
}

/// The latency of processors that sleep and of cold caches falls with the rate: where the lowest rate is over the
/// target, a higher one may meet it. nullopt: the latency rises, or nothing higher can be asked for.
std::optional<SearchStep> RateSearch::probe_higher_rates() const {
  double rate = 0, least = std::numeric_limits<double>::infinity();
  for (const SearchBlock& block : data_.blocks) {
    rate = std::max(rate, block.requested);
    if (block.counts) least = std::min(least, data_.value(block));
  }
  const SearchBlock& last = data_.blocks.back();
  const bool has_time = to_seconds(spent_) + block_seconds_ <= to_seconds(plan_.search_time);
  if (rate >= data_.range.highest || !last.reached || !has_time ||
      data_.value(last) >= policy_.max_probe_latency_factor * least)
    return std::nullopt;
  rate = std::min(policy_.climb_factor * rate, data_.range.highest);
  return SearchStep{data_.range.clamped(rate), Purpose::climb, climb_seconds(rate)};
}

/// The rate of the next block of the climb; nullopt: the two sides are near enough.
std::optional<double> RateSearch::climb(const RateRange& bracket) const {
  const auto clamped = [&](double rate) { return data_.range.clamped(rate); };
  const std::vector<SearchBlock>& blocks = data_.blocks;
  const bool has_below = bracket.low > 0, has_over = std::isfinite(bracket.high);
  if (!has_below && !has_over) {
    if (blocks.empty()) return clamped(policy_.climb_start_share * plan_.own_rate);
    const SearchBlock& last = blocks.back();
    return clamped(last.paused() ? last.requested : policy_.climb_factor * last.requested);
  }
  if (!has_over) return clamped(policy_.climb_factor * bracket.low);
  // One slow block may be a disturbance: its rate is measured again before the climb turns.
  const auto over = [&](const SearchBlock& block) { return data_.counts(block) && data_.is_over(block); };
  if (std::ranges::count_if(blocks, over) == 1) return std::ranges::find_if(blocks, over)->requested;
  if (!has_below) return clamped(bracket.high / policy_.climb_factor);
  if (data_.is_lowest(bracket.low) && data_.lowest_rate_undecided()) return data_.range.lowest;
  // Where a higher rate was asked for and not reached, the two may be near each other though nothing was asked between.
  if (bracket.high <= policy_.bracket_factor * bracket.low ||
      bracket.high - bracket.low <= policy_.bracket_steps * data_.range.step)
    return std::nullopt;
  return bracket.high > policy_.climb_factor * bracket.low ? std::sqrt(bracket.low * bracket.high)
                                                           : (bracket.low + bracket.high) / 2;
}

/// Blocks that scatter much, or whose deviation goes with that of the block before, become longer.
SearchStep RateSearch::block_around(const std::optional<Crossing>& crossing) {
  if (crossing && blocks_of_length_ >= policy_.growth_block_count &&
      (crossing->scatter > policy_.max_roughness_share || crossing->correlation > policy_.max_roughness_share) &&
      2 * block_seconds_ <= policy_.max_block_seconds) {
    block_seconds_ *= 2;
    blocks_of_length_ = 0;
  }
  ++blocks_of_length_;
  const double rate = data_.range.clamped(next_rate(crossing));
  return {rate, Purpose::block, block_seconds(rate)};
}

double RateSearch::next_rate(const std::optional<Crossing>& crossing) {
  const auto [low, high] = data_.overlap();
  double center = (low + high) / 2, step = policy_.first_step_share * (high - low);
  if (crossing) {
    center = crossing->rate;
    const double slope = std::abs(crossing->slope);
    step = crossing->block_distance(policy_) / std::max(slope - crossing->slope_error, policy_.min_slope_share * slope);
  }
  step = std::max({step, policy_.min_step_share * center, policy_.min_step_steps * data_.range.step});
  // Pairs of blocks, one on each side, in random order: nothing periodic or drifting looks like a slope.
  const int side = next_side_ != 0 ? next_side_ : random_.below(2) == 0 ? -1 : 1;
  next_side_ = next_side_ != 0 ? 0 : -side;
  const SearchBlock& last = data_.blocks.back();
  if (crossing && last.purpose == Purpose::block && last.counts) adapt_step(last, center, *crossing);
  return std::clamp(center + side * step_share_[side > 0] * step, low / policy_.overlap_margin_factor,
                    high * policy_.overlap_margin_factor);
}

/// The next step on the block's side is shorter when the block was far away from the target, and longer when the block
/// was far on the other side of the target, or near it.
void RateSearch::adapt_step(const SearchBlock& block, double center, const Crossing& crossing) {
  const double distance = crossing.distance(data_.link, data_.value(block));
  const bool asked_over = block.requested > center;
  double& share = step_share_[asked_over];
  if (distance > policy_.far_distance_from_target)
    share *= data_.is_over(block) == asked_over ? policy_.shorter_step_factor : 1 / policy_.shorter_step_factor;
  else if (distance < crossing.block_distance(policy_)) share = std::min(1.0, policy_.longer_step_factor * share);
}

double RateSearch::climb_seconds(double rate) const {
  return std::clamp(data_.ops_factor * policy_.min_climb_ops / rate, policy_.climb_block_seconds,
                    policy_.max_block_seconds);
}

double RateSearch::block_seconds(double rate) const {
  const double longest = std::max(block_seconds_, policy_.max_block_seconds);
  return std::clamp(data_.ops_factor * policy_.min_block_ops / rate, block_seconds_, longest);
}

/// At the lower end of the interval, or below a demonstration that failed.
SearchStep RateSearch::demonstration() const {
  double rate = data_.bracket().low;
  if (const std::optional<Crossing> crossing = data_.fit()) {
    rate = std::max(crossing->low, (1 - policy_.demonstration_below_share) * crossing->rate);
    for (const SearchBlock& block : data_.blocks)
      if (block.purpose == Purpose::demonstration && block.counts && !met_by(block, data_.target) &&
          block.rate <= (1 + policy_.retry_below_share) * rate)
        rate = std::min(rate, (1 - policy_.retry_below_share) * block.rate);
    rate = std::max(rate, (1 - policy_.demonstrated_within_share) * crossing->rate);
  }
  // The next step up may be over the target.
  const double step = data_.range.step;
  if (step > 0) rate = step * std::max(1.0, std::floor(rate / step + 1e-9));
  return {data_.range.clamped(rate), Purpose::demonstration,
          longest_demonstration() - to_seconds(longest_drain(plan_.load.duration))};
}

/// With the wait for its last ops.
double RateSearch::demonstration_seconds() const {
  return to_seconds(plan_.load.warmup + plan_.load.duration + longest_drain(plan_.load.duration));
}

/// What is left until the search must have ended.
double RateSearch::longest_demonstration() const {
  return policy_.max_time_factor * to_seconds(plan_.search_time) - to_seconds(spent_);
}

bool RateSearch::no_load_meets_target() const {
  if (data_.demonstrated()) return false;
  const std::optional<Crossing> found = data_.fit();
  return (found && found->high <= data_.range.lowest) ||
         (data_.lowest_counted == 0 && data_.test_lowest_rate().is_surely_over);
}

}  // namespace edagen
