#include "search/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"

namespace edagen {
namespace {

constexpr double confidence = 0.95;  ///< of intervals
constexpr int max_rounds = 8;        ///< of the fit: each looks for blocks near the crossing of the round before
constexpr double same_rate = 1e-6;   ///< relative difference at which the rounds end
constexpr double level_range = 2;    ///< of the linked value: the line's level is found within so much of the fit's
constexpr int level_bisections = 50;

/// The linked value within bounds, so that no block far from the target turns the line; and the way back.
double bounded(Link link, double value, const SearchPolicy& policy) {
  if (link == Link::log) return linked(link, std::max(value, policy.min_over_share));
  return linked(link, std::clamp(value, policy.min_latency_factor, policy.max_latency_factor));
}
double unlinked(Link link, double eta, const SearchPolicy& policy) {
  return link == Link::log ? std::exp(eta) : 1 / std::max(eta, 1 / policy.max_latency_factor);
}
/// The change of the linked value with the value, at `mean`.
double derivative(Link link, double mean) { return link == Link::log ? 1 / mean : -1 / (mean * mean); }

/// The line through the linked values has their slope, but not their level: the mean of 1 / value is not 1 / the mean.
/// The level is the one at which the line's values add up to the measured ones.
void match_totals(LeastSquares& line, std::span<const Observation> blocks, Link link, const SearchPolicy& policy) {
  const auto excess = [&](double level) {
    double sum = 0;
    for (const Observation& block : blocks) {
      const double off = line.slope * (block.rate - line.center);
      const double expected = unlinked(link, line.at_center + off, policy);
      sum += block.weight * (block.value - unlinked(link, level + off, policy)) *
             derivative(link, std::max(expected, 1.0));
    }
    return sum;  // falls with the level
  };
  double low = line.at_center - level_range, high = line.at_center + level_range;
  for (int i = 0; i < level_bisections; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  line.at_center = (low + high) / 2;
}

/// The interval, scatter and correlation from the deviations of the blocks from the line.
void estimate_errors(const LeastSquares& line, std::span<const Observation> blocks, Link link, double at_target,
                     const SearchPolicy& policy, Crossing& crossing) {
  double weights = 0, squares = 0, products = 0, before = 0;
  std::vector<std::pair<double, double>> by_rate;
  for (const Observation& block : blocks) {
    const double mean = unlinked(link, line.at_center + line.slope * (block.rate - line.center), policy);
    const double deviation = std::sqrt(block.weight) * (block.value - mean) * derivative(link, std::max(mean, 1.0));
    weights += block.weight;
    squares += deviation * deviation;
    products += deviation * before;
    before = deviation;
    by_rate.emplace_back(block.rate, deviation);
  }
  // Scatter is taken from one rate to the next: the curvature of the latency must not count.
  std::ranges::sort(by_rate);
  double steps = 0;
  for (std::size_t i = 1; i < by_rate.size(); ++i) steps += std::pow(by_rate[i].second - by_rate[i - 1].second, 2);
  const auto count = static_cast<double>(blocks.size());
  const double dispersion = std::max(squares, line.residuals) / (count - 2);
  crossing.blocks = blocks.size();
  crossing.scatter = std::sqrt(steps / 2 / (count - 1) * count / weights);
  crossing.correlation = squares > 0 ? products / squares : 0;
  crossing.slope_error = std::sqrt(dispersion / line.spread);
  // The variance of a mean of values with this correlation of neighbours.
  const double correlation = std::clamp(crossing.correlation, 0.0, policy.max_correlation);
  const double t = policy.stopping_factor * student_quantile(confidence, static_cast<int>(blocks.size()) - 2),
               spread = t * t * dispersion * (1 + correlation) / (1 - correlation);
  // Where (line - target)^2 = t^2 variance of the line: a square in (rate - center).
  const double off = line.at_center - at_target;
  const double square = line.slope * line.slope - spread / line.spread, half = off * line.slope,
               constant = off * off - spread / weights;
  const double root = half * half - square * constant;
  if (square <= 0 || root < 0) {
    crossing.low = 0;
    crossing.high = std::numeric_limits<double>::infinity();
    return;
  }
  crossing.low = std::clamp(line.center + (-half - std::sqrt(root)) / square, 0.0, crossing.rate);
  crossing.high = std::max(line.center + (-half + std::sqrt(root)) / square, crossing.rate);
}

/// The line through the blocks within `reach` of `near`; nullopt: they do not show the latency rise.
std::optional<Crossing> line_within(std::span<const Observation> blocks, Link link, double near, double reach,
                                    const SearchPolicy& policy) {
  std::vector<Observation> chosen;
  std::vector<WeightedPoint> points;
  for (const Observation& block : blocks) {
    if (std::abs(block.rate - near) > reach) continue;
    chosen.push_back(block);
    points.push_back({block.rate, bounded(link, block.value, policy), block.weight});
  }
  const double at_target = linked(link, 1), falls = link == Link::inverse ? -1 : 1;
  std::optional<LeastSquares> line = least_squares(points);
  if (!line || line->slope * falls <= 0) return std::nullopt;
  match_totals(*line, chosen, link, policy);
  Crossing crossing{
      .rate = line->center + (at_target - line->at_center) / line->slope, .slope = line->slope, .reach = reach};
  estimate_errors(*line, chosen, link, at_target, policy, crossing);
  return crossing;
}

/// The widest neighbourhood whose interval is hardly wider than those of narrower ones: how far the curve is a line
/// depends on the storage, and how many blocks it takes to see its slope on how they scatter. The narrowest
/// neighbourhood holds half of the blocks, and some on both sides of the target that are no overload. Where it does not
/// bound the rate, the interval is that of wider ones, and so is the rate where it is an extrapolation.
std::optional<Crossing> widest_line(std::span<const Observation> blocks, Link link, double near,
                                    const SearchPolicy& policy) {
  std::vector<double> distances, below, over;
  for (const Observation& block : blocks) {
    distances.push_back(std::abs(block.rate - near));
    if (block.value <= policy.overload_factor) (block.value > 1 ? over : below).push_back(distances.back());
  }
  for (std::vector<double>* const each : {&distances, &below, &over}) std::ranges::sort(*each);
  double reach = distances[std::max(policy.min_fit_blocks, distances.size() / 2) - 1];
  const std::size_t of_a_side = policy.min_fit_blocks / 2;
  for (const std::vector<double>& side : {below, over})
    if (!side.empty()) reach = std::max(reach, side[std::min(of_a_side, side.size()) - 1]);
  std::optional<Crossing> best;
  while (true) {
    const bool is_far = reach > policy.max_distance_share * near, is_bounded = best && best->is_bounded();
    if (is_far && is_bounded) break;
    if (const std::optional<Crossing> line = line_within(blocks, link, near, reach, policy)) {
      if (line->rate < 0) break;  // so far the curve is no line
      const bool is_wide = best && line->high - line->low > policy.max_widening_factor * (best->high - best->low);
      const bool is_extrapolated =
          best && !is_bounded && std::abs(best->rate - near) > policy.max_extrapolation_share * best->reach;
      if (!best || is_extrapolated || (!is_far && line->is_bounded() && !is_wide)) best = line;
      else if (!is_bounded) best->low = std::min(line->low, best->rate), best->high = std::max(line->high, best->rate);
    }
    // The furthest block within the next reach, or else the next block.
    const auto next = std::ranges::upper_bound(distances, reach);
    if (next == distances.end()) break;
    reach = std::max(*std::prev(std::ranges::upper_bound(distances, policy.reach_factor * reach)), *next);
  }
  return best;
}

/// The fit to values above the floor.
std::optional<Crossing> crossing_of(std::span<const Observation> blocks, Link link, const RateRange& bracket,
                                    const RateRange& overlap, const SearchPolicy& policy) {
  const auto clamped = [&](double rate, const RateRange& within) {
    return std::clamp(rate, within.low / policy.answer_margin_factor, within.high * policy.answer_margin_factor);
  };
  std::optional<Crossing> found;
  double near = (bracket.low + bracket.high) / 2;
  for (int round = 0; round < max_rounds; ++round) {
    const std::optional<Crossing> crossing = widest_line(blocks, link, near, policy);
    if (!crossing) break;
    const bool same = found && std::abs(crossing->rate / found->rate - 1) < same_rate;
    found = crossing;
    near = clamped(found->rate, bracket);
    if (same) break;
  }
  if (!found) return found;
  const double rate = clamped(found->rate, overlap);
  found->outside = rate != found->rate;
  found->rate = rate;
  found->low = std::min(found->low, rate);
  found->high = std::max(found->high, rate);
  return found;
}

/// The floor above which the lowest block lies on the line as well. Where 1 / value is one line from idle to the
/// target, as that of M/M/1, there is none; the steeper the line is at the target, the nearer the floor is to the
/// lowest value.
double floor_of(std::span<const Observation> blocks, const Crossing& line) {
  const Observation* lowest = nullptr;
  for (const Observation& block : blocks)
    if (block.rate < line.rate && block.value < (lowest ? lowest->value : 1)) lowest = &block;
  if (!lowest) return 0;
  // 1 / (value - floor) - 1 / (1 - floor) = rise / (1 - floor)^2
  const double rise = std::abs(line.slope) * (line.rate - lowest->rate), fall = 1 - lowest->value;
  return rise > fall ? std::max(0.0, lowest->value - fall * fall / (rise - fall)) : 0;
}

}  // namespace

double linked(Link link, double value) {
  const double some = std::max(value, 1e-9);
  return link == Link::log ? std::log(some) : 1 / some;
}

double distance_from_target(Link link, double value, const SearchPolicy& policy) {
  const double above = bounded(link, value, policy) - linked(link, 1);
  return link == Link::inverse ? -above : above;
}

double Crossing::block_distance(const SearchPolicy& policy) const {
  const double needed = policy.slope_certainty_factor * scatter / std::sqrt(static_cast<double>(blocks));
  return std::clamp(needed, std::min(policy.min_distance_from_target, policy.max_distance_from_target),
                    policy.max_distance_from_target);
}

double Crossing::distance(Link link, double value) const {
  return std::abs(linked(link, above_floor(floor, value)) - linked(link, 1));
}

std::optional<Crossing> fit_crossing(std::span<const Observation> blocks, Link link, const RateRange& bracket,
                                     const RateRange& overlap, const SearchPolicy& policy) {
  if (blocks.size() < policy.min_fit_blocks) return std::nullopt;
  std::optional<Crossing> found = crossing_of(blocks, link, bracket, overlap, policy);
  if (!found || link != Link::inverse) return found;
  const double floor = floor_of(blocks, *found);
  std::vector<Observation> lifted(blocks.begin(), blocks.end());
  for (Observation& block : lifted) block.value = above_floor(floor, block.value);
  found = crossing_of(lifted, link, bracket, overlap, policy);
  if (found) found->floor = floor;
  return found;
}

}  // namespace edagen
