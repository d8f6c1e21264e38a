#include "compare/target_rates.hpp"

#include <algorithm>
#include <cmath>

#include "compare/rates_at_target.hpp"
#include "compare/slice_blocks.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

/// Why a search that ended before its blocks around the target has no rate there.
std::string obstacle_of(const AtTarget& answer) {
  if (!answer.limit && !answer.met) return "no load meets the target";
  switch (answer.limit.value_or(RateLimit::search_time)) {
    case RateLimit::highest_rate: return "the target is not reached at the highest rate (--max-rate)";
    case RateLimit::procs: return "the target is not reached by so many procs (--job-sets)";
    case RateLimit::search_time: return "the target is not found within the time of a search (--search-time)";
    case RateLimit::host: return "the target is not reached by the load of this host";
  }
  return "";
}

}  // namespace

TargetRates::TargetRates(const std::vector<const CurvePlan*>& searches, TargetRatePolicy policy)
    : policy_(policy), climbed_(searches.size()), offsets_(searches.size()), side_shares_(searches.size()) {
  for (const CurvePlan* const search : searches) {
    searches_.emplace_back(*search, 0);
    ranges_.emplace_back(*search);
  }
}

std::optional<SearchStep> TargetRates::climb(std::size_t variant) {
  const std::optional<SearchStep> step = searches_[variant].next();
  if (step && step->purpose == Purpose::climb) return step;
  const AtTarget answer = searches_[variant].answer();
  const bool is_known = step && step->purpose == Purpose::block && answer.limit != RateLimit::procs;
  if (is_known) climbed_[variant] = std::log(answer.ops_per_sec);
  else if (!obstacle_) obstacle_ = SliceObstacle{variant, obstacle_of(answer)};
  return std::nullopt;
}

double TargetRates::rate(std::size_t variant, int side) const {
  return ranges_[variant].clamped(std::exp(level_ + offsets_[variant] + side * side_shares_[variant]));
}

double TargetRates::lowest_rate() const {
  double lowest = rate(0, 0);
  for (std::size_t variant = 1; variant < searches_.size(); ++variant) lowest = std::min(lowest, rate(variant, 0));
  return lowest;
}

void TargetRates::begin() {
  level_ = mean_of(climbed_);
  for (std::size_t variant = 0; variant < climbed_.size(); ++variant) offsets_[variant] = climbed_[variant] - level_;
  set_sides(std::vector<double>(climbed_.size(), slope_at_target({})));
}

void TargetRates::set_sides(const std::vector<double>& slopes) {
  for (std::size_t variant = 0; variant < slopes.size(); ++variant)
    side_shares_[variant] =
        std::clamp(policy_.side_distance / slopes[variant], policy_.min_side_share, policy_.max_side_share);
}

void TargetRates::follow(const std::vector<std::vector<RunFigures>>& slices) {
  std::vector<double> slopes, shown;  // shown: the logarithm of the rate at the target in the last block
  double common = 0, weights = 0;     // the flatter the latency, the less exact a rate
  for (const std::vector<RunFigures>& of_variant : slices) {
    const double slope = slopes.emplace_back(slope_at_target(of_variant));
    double sum = 0;
    for (std::size_t i = of_variant.size() - slices_per_block; i < of_variant.size(); ++i) {
      if (!is_usable_slice(of_variant[i])) return;
      sum += log_rate_at_target(*of_variant[i].slice, slope);
    }
    shown.push_back(sum / slices_per_block);
    common += slope * slope * (shown.back() - offsets_[slopes.size() - 1]);
    weights += slope * slope;
  }
  set_sides(slopes);
  common /= weights;
  const auto bounded = [&](double change) { return std::clamp(change, -policy_.max_change, policy_.max_change); };
  const double gain = std::max(1 / static_cast<double>(++blocks_ + 1), policy_.offset_gain);
  for (std::size_t variant = 0; variant < slices.size(); ++variant)
    offsets_[variant] += bounded(gain * (shown[variant] - common - offsets_[variant]));
  level_ += bounded(policy_.level_gain * (common - level_));
}

}  // namespace edagen
