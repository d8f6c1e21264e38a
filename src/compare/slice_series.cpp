#include "compare/slice_series.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "compare/run_figures.hpp"

namespace edagen {
namespace {

/// From which value on a series is steady, by the marginal standard error rule (White: An Effective Truncation
/// Heuristic for Bias Reduction in Simulation Output, 1997); at most half of the values are left out.
std::size_t values_to_settle(std::span<const double> values) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t left_out = 0; left_out <= values.size() / 2; ++left_out) {
    const std::span<const double> rest = values.subspan(left_out);
    const auto count = static_cast<double>(rest.size());
    const double mean = std::accumulate(rest.begin(), rest.end(), 0.0) / count;
    double squares = 0;
    for (const double value : rest) squares += (value - mean) * (value - mean);
    if (squares / (count * count) >= least) continue;
    least = squares / (count * count);
    best = left_out;
  }
  return best;
}

}  // namespace

double SlicePlan::pilot_seconds() const {
  if (length) return std::min(to_seconds(*length), policy.pilot_seconds);
  const double ops = policy.min_interval_ops * static_cast<double>(policy.pilot_intervals);
  return std::clamp(ops_per_sec > 0 ? ops / ops_per_sec : 0, policy.pilot_seconds, policy.max_pilot_seconds);
}

Nanos SlicePlan::shortest_time() const {
  const double pilots = static_cast<double>(policy.pilots) * pilot_seconds(),
               slices = 2 * static_cast<double>(policy.min_blocks) * 1.5 * policy.min_slice_seconds;
  return static_cast<Nanos::rep>(variants) * (warmup + from_seconds(pilots + slices));
}

SliceSeries::SliceSeries(const SlicePlan& plan)
    : plan_(plan),
      random_(derive_seed(plan.seed, 0x736c69636573)),
      slices_(plan.variants),
      half_slices_(plan.variants),
      length_(plan.length.value_or(Nanos(0))),
      next_look_(plan.policy.min_blocks) {}

std::optional<Slice> SliceSeries::next() {
  while (requested_.empty() && !end_) {
    switch (stage_) {
      case Stage::warm_up:
        stage_ = Stage::pilots;
        if (plan_.warmup > Nanos(0)) request(Slice::What::warm_up, Nanos(0), plan_.warmup, 1);
        break;
      case Stage::pilots:
        stage_ = Stage::blocks;
        for (std::size_t i = 0; i < plan_.policy.pilots; ++i)
          request(Slice::What::pilot, Nanos(0), from_seconds(plan_.pilot_seconds()), plan_.policy.pilot_intervals);
        break;
      case Stage::blocks: request_block(); break;
    }
  }
  if (end_ || requested_.empty()) return std::nullopt;
  return requested_.front();
}

/// A load of each variant, in a random order; a block has the reverse after it.
void SliceSeries::request(Slice::What what, Nanos settle, Nanos length, std::size_t intervals) {
  std::vector<std::size_t> order(plan_.variants);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random_.below(left)]);
  if (what == Slice::What::slice) order.insert(order.end(), order.rbegin(), order.rend());
  for (const std::size_t variant : order) requested_.push_back({what, variant, blocks_, settle, length, intervals});
}

void SliceSeries::request_block() {
  if (!settle_) find_settling();
  if (is_precise()) {
    end_ = EndReason::precision;
    return;
  }
  if (!plan_.length && blocks_ - length_since_ >= plan_.policy.length_blocks) adapt_length();
  const Nanos block = static_cast<Nanos::rep>(2 * plan_.variants) * (*settle_ + length_);
  if (spent_ + block > plan_.max_time) {
    end_ = EndReason::time;
    return;
  }
  ++blocks_;
  request(Slice::What::slice, *settle_, length_, 2);
}

void SliceSeries::add(SliceSeen seen) {
  const Slice slice = requested_.front();
  requested_.pop_front();
  const Nanos began = spent_;
  spent_ += seen.took;
  end_ = seen.end;
  if (!seen.figures) return;
  if (slice.what == Slice::What::pilot) {
    pilot_.resize(plan_.policy.pilot_intervals);
    const double response = response_of(*seen.figures);
    for (std::size_t i = 0; i < std::min(pilot_.size(), seen.interval_responses.size()) && response > 0; ++i)
      pilot_[i] += seen.interval_responses[i] > 0 ? seen.interval_responses[i] / response : 1;
  }
  if (slice.what != Slice::What::slice) return;
  std::vector<RunFigures>& slices = slices_[slice.variant];
  RunFigures figures = *std::move(seen.figures);
  figures.repeat = slices.size() + 1;
  figures.slice = SliceFigures{slice.block, to_seconds(began + slice.settle), to_seconds(slice.length)};
  slices.push_back(figures);
  if (plan_.length) return;
  figures.response = Millis(seen.interval_responses.empty() ? 0 : seen.interval_responses.front());
  half_slices_[slice.variant].push_back(std::move(figures));
}

/// The load of a variant that was idle settles: what was seen of that in the pilots of all variants together.
void SliceSeries::find_settling() {
  const double interval = plan_.pilot_seconds() / static_cast<double>(plan_.policy.pilot_intervals);
  settle_ = from_seconds(interval * static_cast<double>(std::max<std::size_t>(1, values_to_settle(pilot_))));
  const double slices = static_cast<double>(2 * plan_.variants * plan_.policy.min_blocks);
  longest_seconds_ =
      std::min(plan_.policy.max_slice_seconds, to_seconds(plan_.max_time - spent_) / slices - to_seconds(*settle_));
  if (!plan_.length) length_ = fitting(plan_.policy.first_settle_count * to_seconds(*settle_));
}

/// The length nearest to `seconds` that has enough ops and leaves time for enough blocks.
Nanos SliceSeries::fitting(double seconds) const {
  const double ops = plan_.ops_per_sec > 0 ? plan_.policy.min_slice_ops / plan_.ops_per_sec : 0;
  return from_seconds(std::max(plan_.policy.min_slice_seconds, std::min(std::max(seconds, ops), longest_seconds_)));
}

/// Blocks of the present length are held against what their first halves alone would have shown: where these give
/// nearly as narrow an interval, slices become half as long, and where they give a much wider one, twice as long.
void SliceSeries::adapt_length() {
  const auto time_needed = [&](const std::vector<std::vector<RunFigures>>& slices, Nanos length) {
    double worst = 0;
    for (std::size_t variant = 1; variant < plan_.variants; ++variant) {
      const std::vector<double> all = slice_blocks(slices[0], slices[variant], response_of).log_ratios;
      const std::size_t recent = std::min<std::size_t>(all.size(), plan_.policy.length_blocks);
      const Difference found = difference_of_blocks({all.end() - static_cast<std::ptrdiff_t>(recent), all.end()});
      worst = std::max(worst, found.p ? std::log(found.high / found.low) : 0);
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
    const SliceBlocks blocks = slice_blocks(slices_[0], slices_[variant], response_of);
    if (blocks.log_ratios.size() < plan_.policy.min_blocks) return false;
    const Difference found = difference_of_blocks(blocks.log_ratios, confidence);
    if (!found.p || (found.high - found.low) / 2 / found.ratio > *plan_.until) return false;
  }
  return true;
}

}  // namespace edagen
