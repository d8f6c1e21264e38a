#include "compare/slice_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "compare/rates_at_target.hpp"
#include "compare/run_figures.hpp"
#include "compare/settled_slices.hpp"
#include "search/shape_rates.hpp"

namespace edagen {
namespace {

/// Halves of a few ops say nothing of the curvature.
constexpr double max_excess = 0.2;

/// The distance of a slice's latency from the target. The mean of 1 / latency is not 1 / the mean latency, so that
/// short slices would look faster than they are: by how much shows between the halves of a slice.
double distance_of(const SliceSeen& seen, const CurvePlan& search) {
  const LatencyStatistic& statistic = search.load.statistic;
  const auto distance = [&](double value) {
    return std::clamp(distance_from_target(link_of(statistic), value, search.policy), -max_distance, max_distance);
  };
  const double whole = distance(seen.block->values.front());
  const std::vector<double>& halves = seen.interval_responses;
  if (statistic.percentile > 0 || statistic.service || halves.size() != 2 || std::ranges::min(halves) <= 0)
    return whole;
  const double target = Millis(search.targets.front()).count(), first = halves[0] / target, second = halves[1] / target;
  const double excess = distance((first + second) / 2) - (distance(first) + distance(second)) / 2;
  return std::clamp(whole + std::min(excess, max_excess), -max_distance, max_distance);
}

}  // namespace

double SlicePlan::pilot_seconds(double rate) const {
  if (length) return std::min(to_seconds(*length), policy.pilot_seconds);
  const double ops = policy.min_interval_ops * static_cast<double>(policy.pilot_intervals);
  return std::clamp(rate > 0 ? ops / rate : 0, policy.pilot_seconds, policy.max_pilot_seconds);
}

Nanos SlicePlan::shortest_time() const {
  const double climb = searches.empty() ? 0 : policy.climb_seconds,
               pilots = static_cast<double>(policy.pilots) * pilot_seconds(ops_per_sec),
               slices = 2 * static_cast<double>(policy.min_blocks) * 1.5 * policy.min_slice_seconds;
  return static_cast<Nanos::rep>(variants) * (warmup + from_seconds(climb + pilots + slices));
}

Nanos SlicePlan::least_time() const {
  const double pilots = static_cast<double>(policy.pilots) * pilot_seconds(ops_per_sec),
               slices = 2 * (length ? to_seconds(*length) : policy.min_slice_seconds);
  return static_cast<Nanos::rep>(variants) * (warmup + from_seconds(pilots + slices));
}

SliceSeries::SliceSeries(const SlicePlan& plan)
    : plan_(plan),
      random_(derive_seed(plan.seed, 0x736c69636573)),
      stage_(plan.searches.empty() ? Stage::warm_up : Stage::climb),
      slices_(plan.variants),
      half_slices_(plan.variants),
      shortest_seconds_(plan.policy.min_slice_seconds),
      length_(plan.length.value_or(Nanos(0))),
      next_look_(plan.policy.min_blocks) {
  if (!plan.searches.empty()) rates_.emplace(plan.searches);
}

std::optional<Slice> SliceSeries::next() {
  while (requested_.empty() && !end_) {
    switch (stage_) {
      case Stage::climb:
        if (!request_climb()) stage_ = Stage::warm_up;
        break;
      case Stage::warm_up:
        stage_ = Stage::pilots;
        if (plan_.warmup > Nanos(0)) request(Slice::What::warm_up, Nanos(0), plan_.warmup, 1);
        break;
      case Stage::pilots:
        stage_ = Stage::blocks;
        pilots_.emplace(plan_.variants, plan_.policy.pilot_intervals, pilot_interval());
        for (std::size_t i = 0; i < plan_.policy.pilots; ++i)
          request(Slice::What::pilot, Nanos(0), from_seconds(plan_.pilot_seconds(ops_per_sec())),
                  plan_.policy.pilot_intervals);
        break;
      case Stage::blocks: request_block(); break;
      case Stage::shape: break;  // all of it was requested
    }
  }
  if ((end_ && stage_ != Stage::shape) || requested_.empty()) return std::nullopt;
  return requested_.front();
}

std::vector<std::size_t> SliceSeries::random_order() {
  std::vector<std::size_t> order(plan_.variants);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random_.below(left)]);
  return order;
}

/// The next step of each variant's climb; false: the climbs have ended.
bool SliceSeries::request_climb() {
  for (const std::size_t variant : random_order())
    if (const std::optional<SearchStep> step = rates_->climb(variant)) {
      const CurvePlan& search = *plan_.searches[variant];
      requested_.push_back({.what = Slice::What::climb,
                            .variant = variant,
                            .settle = settling(search.policy, search.targets.front(), step->seconds, false),
                            .length = from_seconds(step->seconds),
                            .ops_per_sec = step->rate});
    }
  if ((obstacle_ = rates_->obstacle())) end_ = EndReason::failure;
  if (!requested_.empty() || end_) return true;
  rates_->begin();
  return false;
}

/// A load of each variant, in a random order; a block has the reverse after it. Where there is a target all variants
/// are first below it, or all over it, and then on its other side.
void SliceSeries::request(Slice::What what, Nanos settle, Nanos length, std::size_t intervals) {
  std::vector<std::size_t> order = random_order();
  int side = 0;
  length -= length % static_cast<Nanos::rep>(intervals);  // so that all intervals are of one length
  if (what == Slice::What::slice) {
    order.insert(order.end(), order.rbegin(), order.rend());
    if (rates_) side = random_.below(2) == 0 ? -1 : 1;
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    requested_.push_back({what, order[i], blocks_, settle, length, intervals,
                          rates_ ? rates_->rate(order[i], i < plan_.variants ? side : -side) : 0});
}

void SliceSeries::request_block() {
  if (!settle_) find_settling();
  if (end_) return;
  if (is_precise()) return end_blocks(EndReason::precision);
  if (!plan_.length && blocks_ - length_since_ >= plan_.policy.length_blocks) adapt_length();
  const Nanos block = static_cast<Nanos::rep>(2 * plan_.variants) * (*settle_ + length_);
  if (spent_ + block > plan_.max_time) return end_blocks(EndReason::time);
  ++blocks_;
  request(Slice::What::slice, *settle_, length_, 2);
}

void SliceSeries::end_blocks(EndReason why) {
  end_ = why;
  if (!rates_ || !plan_.shape || blocks_ == 0) return;
  stage_ = Stage::shape;
  request_shape();
}

/// Points at the same shares of the variants' rates at the target are measured one after the other.
void SliceSeries::request_shape() {
  std::vector<std::vector<double>> rates;
  std::size_t points = 0;
  for (std::size_t variant = 0; variant < plan_.variants; ++variant) {
    AtTarget answer;
    answer.ops_per_sec = rates_->rate(variant, 0);
    rates.push_back(shape_rates(*plan_.searches[variant], answer));
    points = std::max(points, rates.back().size());
  }
  for (std::size_t point = 0; point < points; ++point)
    for (const std::size_t variant : random_order()) {
      if (point >= rates[variant].size()) continue;
      const double rate = rates[variant][point], seconds = shape_seconds(*plan_.searches[variant], rate);
      const ShapePlan& shape = *plan_.searches[variant]->shape;
      requested_.push_back({.what = Slice::What::shape,
                            .variant = variant,
                            .settle = std::max(*settle_, from_seconds(shape.settle_share * seconds)),
                            .length = from_seconds(seconds),
                            .intervals = shape.intervals,
                            .ops_per_sec = rate});
    }
}

/// The first point beyond the target that overloads is the last one of its variant.
void SliceSeries::add_shape(const Slice& slice, const SliceSeen& seen) {
  if (seen.end) requested_.clear();
  if (!seen.block || !overloads(*seen.block, *plan_.searches[slice.variant])) return;
  std::erase_if(requested_, [&](const Slice& later) {
    return later.variant == slice.variant && later.ops_per_sec > (1 + 1e-9) * rates_->rate(slice.variant, 0);
  });
}

void SliceSeries::add(SliceSeen seen) {
  const Slice slice = requested_.front();
  requested_.pop_front();
  if (slice.what == Slice::What::shape) return add_shape(slice, seen);
  const Nanos began = spent_;
  spent_ += seen.took;
  end_ = seen.end;
  if (!seen.figures) return;
  if (slice.what == Slice::What::climb) rates_->add(slice.variant, *seen.block);
  if (slice.what == Slice::What::pilot) pilots_->add(slice.variant, *seen.figures, seen.interval_responses);
  if (slice.what != Slice::What::slice) return;
  std::vector<RunFigures>& slices = slices_[slice.variant];
  RunFigures figures = *std::move(seen.figures);
  figures.repeat = slices.size() + 1;
  figures.slice = SliceFigures{slice.block, to_seconds(began + slice.settle), to_seconds(slice.length)};
  if (are_too_short_) figures.invalid.push_back(Invalid::window_short);
  if (seen.interval_responses.size() == 2) {
    figures.slice->first_half = Millis(seen.interval_responses.front());
    figures.slice->second_half = Millis(seen.interval_responses.back());
  }
  if (rates_) {
    figures.slice->offered_ops_per_sec = slice.ops_per_sec;
    figures.slice->distance_from_target = distance_of(seen, *plan_.searches[slice.variant]);
  }
  slices.push_back(figures);
  if (rates_ && requested_.empty()) rates_->follow(slices_);
  if (plan_.length) return;
  figures.response = figures.slice->first_half;
  half_slices_[slice.variant].push_back(std::move(figures));
}

Nanos SliceSeries::pilot_interval() const {
  return from_seconds(plan_.pilot_seconds(ops_per_sec()) / static_cast<double>(plan_.policy.pilot_intervals));
}

/// A slice that is shorter than its queue settles has a mean of chance. In a closed loop no more ops can wait than
/// there are procs, and rates around a latency target are such that the queues of all variants are alike.
void SliceSeries::find_settling() {
  const Settling found = pilots_->settling(!rates_ && plan_.ops_per_sec > 0);
  const bool is_too_long = found.intervals > plan_.policy.pilot_intervals;
  const Nanos needed = static_cast<Nanos::rep>(found.intervals) * pilot_interval();
  settle_ = plan_.length ? std::min(needed, length_) : needed;
  are_too_short_ = plan_.length && found.queue_of && needed > length_;
  const double slices = static_cast<double>(2 * plan_.variants * plan_.policy.min_blocks);
  longest_seconds_ =
      std::min(plan_.policy.max_slice_seconds, to_seconds(plan_.max_time - spent_) / slices - to_seconds(*settle_));
  if (plan_.length) return;
  if (found.queue_of) {
    shortest_seconds_ = std::max(shortest_seconds_, to_seconds(*settle_));
    if (is_too_long || to_seconds(*settle_) > longest_seconds_) {
      obstacle_ = SliceObstacle{
          *found.queue_of,
          fmt::format("its load takes {:.1f} s {}to settle, {}", to_seconds(needed), is_too_long ? "or more " : "",
                      is_too_long ? "too long for slices" : "and ten blocks need more time (--max-time)")};
      end_ = EndReason::failure;
    }
  }
  length_ = fitting(plan_.policy.first_settle_count * to_seconds(*settle_));
}

/// The length nearest to `seconds` that has enough ops and leaves time for enough blocks.
Nanos SliceSeries::fitting(double seconds) const {
  const double factor = rates_ ? plan_.searches.front()->policy.ops_factor(plan_.searches.front()->load.statistic) : 1;
  const double ops = ops_per_sec() > 0 ? factor * plan_.policy.min_slice_ops / ops_per_sec() : 0;
  return from_seconds(std::max(shortest_seconds_, std::min(std::max(seconds, ops), longest_seconds_)));
}

/// Blocks of the present length are held against what their first halves alone would have shown: where these give
/// nearly as narrow an interval, slices become half as long, and where they give a much wider one, twice as long.
void SliceSeries::adapt_length() {
  const auto time_needed = [&](const std::vector<std::vector<RunFigures>>& slices, Nanos length) {
    double worst = 0;
    for (std::size_t variant = 1; variant < plan_.variants; ++variant) {
      const std::vector<double> all = slice_blocks(slices[0], slices[variant], ComparedBy::response).log_ratios;
      const std::size_t recent = std::min<std::size_t>(all.size(), plan_.policy.length_blocks);
      const Difference found = difference_of_blocks({all.end() - static_cast<std::ptrdiff_t>(recent), all.end()});
      worst = std::max(worst, found.p ? std::log(found.high / found.low) : std::numeric_limits<double>::infinity());
    }
    return worst * worst * to_seconds(*settle_ + length);
  };
  const double whole = time_needed(slices_, length_), half = time_needed(half_slices_, length_ / 2);
  length_since_ = blocks_;
  if (half < plan_.policy.length_gain_share * whole) length_ = fitting(to_seconds(length_) / 2);
  else if (whole < plan_.policy.length_gain_share * half) length_ = fitting(2 * to_seconds(length_));
}

/// Looked at after more and more blocks: whoever looks often finds an interval that is narrow by chance.
bool SliceSeries::is_precise() {
  if (!plan_.until || blocks_ < next_look_) return false;
  next_look_ =
      std::max(blocks_ + 1, static_cast<std::uint64_t>(plan_.policy.look_factor * static_cast<double>(blocks_)));
  const double confidence = 1 - error_probability_of_looks / static_cast<double>(plan_.variants - 1);
  for (std::size_t variant = 1; variant < plan_.variants; ++variant) {
    const std::vector<RunFigures> first = judged_slices(slices_[0]), other = judged_slices(slices_[variant]);
    const SliceBlocks blocks = slice_blocks(first, other, rates_ ? ComparedBy::rate : ComparedBy::response);
    if (blocks.log_ratios.size() < plan_.policy.min_blocks || !are_enough_blocks(blocks, first, other)) return false;
    const Difference found = difference_of_blocks(blocks.log_ratios, confidence, rates_ ? bias_of_answers : 0);
    if (!found.p || (found.high - found.low) / 2 / found.ratio > *plan_.until) return false;
  }
  return true;
}

}  // namespace edagen
