#include "search/rate_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "load/measurement.hpp"
#include "stats/distribution.hpp"

namespace edagen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

RateSearch::RateSearch(const CurvePlan& plan, std::size_t target, SearchRange range,
                       const std::vector<SearchBlock>& blocks, Measure measure, Clock clock)
    : plan_(plan),
      policy_(plan.policy),
      target_(target),
      range_(range),
      blocks_(blocks),
      measure_(std::move(measure)),
      clock_(std::move(clock)),
      link_(plan.load.statistic.percentile == 0 ? Link::inverse : Link::log),
      began_(clock_()),
      random_(derive_seed(plan.seed, target)),
      block_seconds_(to_seconds(policy_.block)),
      ops_share_(policy_.ops_share(plan.load.statistic)) {}

void RateSearch::find() {
  for (int i = 0; i < policy_.demonstrations; ++i) {
    sample();
    if (ended_ || not_met_ || zone().low == 0) return;
    demonstrate();
    if (ended_ || is_demonstrated(answer()) || demonstration_seconds() > longest_demonstration()) break;
  }
  if (ended_ || best_demonstration(blocks_, target_)) return;
  const std::optional<Crossing> found = fit();
  not_met_ = (found && found->high <= range_.lowest) || (lowest_ == 0 && looks_at_lowest().surely);
}

bool RateSearch::measure(double rate, Purpose purpose, double seconds) {
  ended_ =
      measure_(std::clamp(rate, range_.lowest, range_.highest), purpose, plan_.targets[target_], seconds) == nullptr;
  return !ended_;
}

double RateSearch::block_seconds(double rate) const {
  const double longest = std::max(block_seconds_, to_seconds(policy_.longest_block));
  return std::clamp(ops_share_ * static_cast<double>(policy_.block_ops) / rate, block_seconds_, longest);
}

std::optional<Crossing> RateSearch::fit() const {
  const RateZone zone = this->zone();
  if (zone.low == 0 || !std::isfinite(zone.high)) return std::nullopt;
  const RateZone band = this->band();
  std::vector<Observation> observations;
  const auto crossing_of = [&](bool with_overloads) {
    observations.clear();
    for (const SearchBlock& block : blocks_)
      if (counts(block) && (block.reached || with_overloads))
        observations.push_back({block.rate, value_of(block), block.seconds});
    return fit_crossing(observations, link_, zone, band, policy_);
  };
  // The mean latency of an overload grows as long as it lasts: it counts only where the other blocks do not tell.
  std::optional<Crossing> found;
  if (link_ == Link::inverse) found = crossing_of(false);
  if (!found || found->outside || !found->is_bounded()) found = crossing_of(true);
  if (!found) return found;
  found->rate = std::min(found->rate, std::ranges::max(observations, {}, &Observation::rate).rate);  // that were seen
  found->low = std::min(found->low, found->rate);
  return found;
}

/// Between the two neighbouring rates that part blocks below the target from those over it with the fewest on the wrong
/// side. 0, infinity: there are none on that side. Blocks at the lowest rate are below unless it is surely over.
RateZone RateSearch::zone() const {
  const Looks lowest = looks_at_lowest();
  const bool is_open = lowest.blocks >= policy_.looks && !lowest.surely;
  std::vector<std::pair<double, int>> sides;  // rate, 1 below the target or -1 over it
  for (const SearchBlock& block : blocks_)
    if (counts(block)) {
      const bool over = is_over(block) && !(is_open && block.reached && is_lowest(block.requested));
      sides.emplace_back(block.rate, over ? -1 : 1);
    }
  std::ranges::sort(sides);
  int right = 0, most = 0;  // on the right side, but for a constant
  RateZone zone{0, sides.empty() ? infinity : sides.front().first};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    right += sides[i].second;
    if (right < most) continue;
    most = right;
    zone = {sides[i].first, i + 1 < sides.size() ? sides[i + 1].first : infinity};
  }
  return zone;
}

/// Below it, no block was over the target; above it, none was below.
RateZone RateSearch::band() const {
  RateZone band = zone();
  for (const SearchBlock& block : blocks_) {
    if (!counts(block)) continue;
    if (is_over(block)) band.low = std::min(band.low, block.rate);
    else band.high = std::max(band.high, block.rate);
  }
  double low = 0, high = infinity;
  for (const SearchBlock& block : blocks_) {
    if (!counts(block)) continue;
    if (!is_over(block) && block.rate <= band.low) low = std::max(low, block.rate);
    if (is_over(block) && block.rate >= band.high) high = std::min(high, block.rate);
  }
  return {low > 0 ? low : band.low, std::isfinite(high) ? high : band.high};
}

double RateSearch::next_rate(const std::optional<Crossing>& crossing) {
  const auto [low, high] = band();
  double center = (low + high) / 2, step = policy_.first_step * (high - low);
  if (crossing) {
    center = crossing->rate;
    const double slope = std::abs(crossing->slope);
    step = crossing->spread(policy_) / std::max(slope - crossing->slope_error, policy_.least_of_slope * slope);
  }
  step = std::clamp(step, std::max(policy_.least_step * center, 0.75 * range_.step),
                    std::max(policy_.most_step * center, range_.step));
  // On both sides in turn, in an order that nothing else has.
  const int side = side_ != 0 ? side_ : random_.below(2) == 0 ? -1 : 1;
  side_ = side_ != 0 ? 0 : -side;
  const SearchBlock& last = blocks_.back();
  if (crossing && last.purpose == Purpose::block && last.counts) adapt_step(last, center, *crossing);
  return std::clamp(center + side * step_share_[side > 0] * step, low / policy_.band_margin,
                    high * policy_.band_margin);
}

/// On the side of a block: shorter where it was far away from the target, longer where it was far on the other side of
/// it, or near.
void RateSearch::adapt_step(const SearchBlock& block, double center, const Crossing& crossing) {
  const double away = crossing.away(link_, value_of(block));
  const bool asked_over = block.requested > center;
  double& share = step_share_[asked_over];
  if (away > policy_.too_far) share *= is_over(block) == asked_over ? policy_.shorter : 1 / policy_.shorter;
  else if (away < crossing.spread(policy_)) share = std::min(1.0, policy_.longer * share);
}

/// Climbs until the target lies between two rates that are near each other; then blocks around the estimate until the
/// interval is narrow or the time is over.
void RateSearch::sample() {
  const double demonstration = std::min(demonstration_seconds(), to_seconds(plan_.search_time) / 2);
  std::size_t of_this_length = 0;
  while (!ended_) {
    const RateZone zone = this->zone();
    const bool has_below = zone.low > 0, has_over = std::isfinite(zone.high);
    const std::optional<Crossing> crossing = has_below && has_over ? fit() : std::nullopt;
    if (crossing && crossing->blocks >= policy_.least_blocks && crossing->half_width() <= plan_.precision &&
        has_blocks_on_both_sides())
      break;
    if (!has_over && range_.is_highest(zone.low)) break;
    const double time = to_seconds(plan_.search_time) - (has_below ? demonstration : 0);
    const bool time_is_over = !blocks_.empty() && seconds_spent() + block_seconds_ > time;
    if (!has_below && is_lowest(zone.high) && !looked_up_ && !time_is_over) {
      look_up(time);
      continue;
    }
    if (!has_below && looks_at_lowest().surely) {
      not_met_ = true;
      return;
    }
    if (time_is_over) break;
    if (const std::optional<double> rate = climb(zone)) {
      measure(*rate, Purpose::climb, climb_seconds(*rate));
      continue;
    }
    if (crossing && of_this_length >= policy_.grow_after &&
        (crossing->scatter > policy_.rough || crossing->correlation > policy_.rough) &&
        2 * block_seconds_ <= to_seconds(policy_.longest_block)) {
      block_seconds_ *= 2;
      of_this_length = 0;
    }
    const double rate = next_rate(crossing);
    measure(rate, Purpose::block, block_seconds(std::clamp(rate, range_.lowest, range_.highest)));
    ++of_this_length;
  }
}

/// The rate of the next block of the climb; nullopt: the two sides are near enough.
std::optional<double> RateSearch::climb(const RateZone& zone) const {
  const auto clamped = [&](double rate) { return std::clamp(rate, range_.lowest, range_.highest); };
  const bool has_below = zone.low > 0, has_over = std::isfinite(zone.high);
  if (!has_below && !has_over) {
    const double first = policy_.climb_from * plan_.own_rate;
    if (blocks_.empty()) return clamped(first);
    const SearchBlock& last = blocks_.back();
    return clamped(last.paused() ? last.requested : policy_.climb_factor * last.requested);
  }
  if (!has_over) return clamped(policy_.climb_factor * zone.low);
  // One slow block may be a disturbance: it is looked at again before the climb turns.
  const auto over = [&](const SearchBlock& block) { return counts(block) && is_over(block); };
  if (std::ranges::count_if(blocks_, over) == 1) return std::ranges::find_if(blocks_, over)->requested;
  if (!has_below) return clamped(zone.high / policy_.climb_factor);
  if (is_lowest(zone.low) && is_in_doubt()) return range_.lowest;
  // Where a higher rate was asked for and not reached, the two may be near each other though nothing was asked between.
  if (zone.high <= policy_.bracket * zone.low || zone.high - zone.low <= 1.5 * range_.step) return std::nullopt;
  return zone.high > policy_.climb_factor * zone.low ? std::sqrt(zone.low * zone.high) : (zone.low + zone.high) / 2;
}

double RateSearch::climb_seconds(double rate) const {
  return std::clamp(ops_share_ * static_cast<double>(policy_.climb_ops) / rate, to_seconds(policy_.climb_block),
                    to_seconds(policy_.longest_block));
}

/// Not those of the climb alone: a disturbance of two short blocks looks like a wall.
bool RateSearch::has_blocks_on_both_sides() const {
  const auto on = [&](bool over) {
    return std::ranges::any_of(blocks_, [&](const SearchBlock& block) {
      return counts(block) && block.purpose != Purpose::climb && is_over(block) == over;
    });
  };
  return on(false) && on(true);
}

/// One may be below the target or over it by chance, and no lower rate tells: all of them count together. Ops in a
/// queue wait for each other, so that blocks scatter more than their number of ops says.
RateSearch::Looks RateSearch::looks_at_lowest() const {
  std::vector<const SearchBlock*> blocks;
  for (const SearchBlock& block : blocks_)
    if (block.counts && is_lowest(block.requested)) blocks.push_back(&block);
  double ops = 0, over = 0, of_ops = 0, of_blocks = 0;
  std::size_t overloads = 0;
  bool limited = false;
  for (const SearchBlock* block : blocks) {
    ops += block->ops;
    over += block->ops * (value_of(*block) - 1);
    of_ops += std::pow(block->ops * block->standard_errors[target_], 2);
    if (!block->reached && value_of(*block) <= 1) limited = true;
    else if (!block->reached || value_of(*block) > policy_.overloaded) ++overloads;
  }
  for (const SearchBlock* block : blocks) of_blocks += std::pow(block->ops * (value_of(*block) - 1 - over / ops), 2);
  Looks all{.blocks = blocks.size(), .is_over = over > 0};
  if (blocks.size() < policy_.looks || limited) return all;
  const auto others = static_cast<double>(blocks.size() - 1);
  const double error = std::sqrt(std::max(of_ops, of_blocks * (others + 1) / others));
  const bool overloaded = overloads >= policy_.looks && 2 * overloads > blocks.size();
  all.surely = overloaded || over > student_quantile(policy_.surely, static_cast<int>(others)) * error;
  return all;
}

/// Whether blocks at the lowest rate meet the target is asked by another one.
bool RateSearch::is_in_doubt() const {
  const Looks seen = looks_at_lowest();
  return seen.blocks < policy_.looks || (seen.is_over && seen.blocks < policy_.most_looks);
}

/// Where the latency falls with the rate, as that of processors that sleep and of cold caches does, a higher one may
/// meet the target.
void RateSearch::look_up(double time) {
  looked_up_ = true;
  double rate = 0, least = infinity;
  for (const SearchBlock& block : blocks_) {
    rate = std::max(rate, block.requested);
    if (block.counts) least = std::min(least, value_of(block));
  }
  while (rate < range_.highest && blocks_.back().reached && seconds_spent() + block_seconds_ <= time &&
         value_of(blocks_.back()) < policy_.look_up_until * least) {
    rate = std::min(policy_.climb_factor * rate, range_.highest);
    if (!measure(rate, Purpose::climb, climb_seconds(rate))) break;
    if (!blocks_.back().counts) continue;
    if (!is_over(blocks_.back())) {
      lowest_ = (1 - policy_.least_step) * blocks_.back().requested;
      return;
    }
    least = std::min(least, value_of(blocks_.back()));
  }
}

/// With the wait for its last ops.
double RateSearch::demonstration_seconds() const {
  return to_seconds(plan_.load.warmup + plan_.load.duration + longest_drain(plan_.load.duration));
}

/// That ends before the time is over.
double RateSearch::longest_demonstration() const {
  return policy_.time_over * to_seconds(plan_.search_time) - seconds_spent();
}

/// At the answer's lower end, or below what has failed.
void RateSearch::demonstrate() {
  double rate = zone().low;
  if (const std::optional<Crossing> crossing = fit()) {
    rate = std::max(crossing->low, (1 - policy_.demonstrate_below) * crossing->rate);
    for (const SearchBlock& block : blocks_)
      if (block.purpose == Purpose::demonstration && block.counts && !met_by(block, target_) &&
          block.rate <= (1 + policy_.after_failure) * rate)
        rate = std::min(rate, (1 - policy_.after_failure) * block.rate);
    rate = std::max(rate, (1 - policy_.demonstrated_within) * crossing->rate);
  }
  // The next step up may be over the target.
  if (range_.step > 0) rate = range_.step * std::max(1.0, std::floor(rate / range_.step + 1e-9));
  measure(rate, Purpose::demonstration, longest_demonstration() - to_seconds(longest_drain(plan_.load.duration)));
}

}  // namespace edagen
