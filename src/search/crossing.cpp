#include "search/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/distribution.hpp"
#include "stats/least_squares.hpp"

namespace edagen {
namespace {

constexpr std::size_t fewest = 4;  ///< blocks of a fit; and the nearest half of all in any case
constexpr int most_rounds = 8;     ///< of finding the blocks that are near
/// A search that ends when its interval is narrow ends where the scatter seems small by chance: without this, intervals
/// hold the truth in 88 to 92 of 100 searches (bench/search).
constexpr double wider_for_stopping = 1.1;
constexpr double zone_margin = 1.05;
constexpr double least_eta = 0.05, most_eta = 5;  ///< of blocks far from the target, linked inversely

/// A value as the line sees it, and back. Blocks far from the target pull it no further than the bounds.
double bounded(Link link, double value) {
  if (link == Link::log) return linked(link, std::max(value, least_eta));
  return std::clamp(linked(link, value), least_eta, most_eta);
}
double unlinked(Link link, double eta) { return link == Link::log ? std::exp(eta) : 1 / std::max(eta, least_eta); }
/// How much the linked value changes with the value, where that is `mean`.
double derivative(Link link, double mean) { return link == Link::log ? 1 / mean : -1 / (mean * mean); }

/// In the order of time: those no further away from `near` than `reach`, and in any case the nearest ones.
std::vector<Observation> nearest(std::span<const Observation> blocks, double near, double reach) {
  std::vector<double> distances;
  for (const Observation& block : blocks) distances.push_back(std::abs(block.rate - near));
  std::vector<double> sorted = distances;
  std::ranges::sort(sorted);
  const double limit = std::max(reach, sorted[std::max(fewest, sorted.size() / 2) - 1]);
  std::vector<Observation> chosen;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (distances[i] <= limit) chosen.push_back(blocks[i]);
  return chosen;
}

/// The line through the linked values has their slope, but not their level: the mean of 1 / value is not 1 / the mean.
/// The level is the one at which the line's values add up to the measured ones.
void match_totals(LeastSquares& line, std::span<const Observation> blocks, Link link) {
  const auto excess = [&](double level) {
    double sum = 0;
    for (const Observation& block : blocks) {
      const double off = line.slope * (block.rate - line.center);
      const double expected = unlinked(link, line.at_center + off);
      sum += block.weight * (block.value - unlinked(link, level + off)) * derivative(link, std::max(expected, 1.0));
    }
    return sum;  // falls with the level
  };
  double low = line.at_center - 2, high = line.at_center + 2;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  line.at_center = (low + high) / 2;
}

/// What the deviations of the blocks from the line say.
void judge(const LeastSquares& line, std::span<const Observation> blocks, Link link, double at_target,
           Crossing& crossing) {
  double weights = 0, squares = 0, products = 0, before = 0;
  std::vector<std::pair<double, double>> by_rate;
  for (const Observation& block : blocks) {
    const double mean = unlinked(link, line.at_center + line.slope * (block.rate - line.center));
    const double deviation = std::sqrt(block.weight) * (block.value - mean) * derivative(link, mean);
    weights += block.weight;
    squares += deviation * deviation;
    products += deviation * before;
    before = deviation;
    by_rate.emplace_back(block.rate, deviation);
  }
  // From one rate to the next, so that it does not count where the curve is no straight line.
  std::ranges::sort(by_rate);
  double steps = 0;
  for (std::size_t i = 1; i < by_rate.size(); ++i) steps += std::pow(by_rate[i].second - by_rate[i - 1].second, 2);
  const auto count = static_cast<double>(blocks.size());
  const double dispersion = squares / (count - 2);
  crossing.blocks = blocks.size();
  crossing.scatter = std::sqrt(steps / 2 / (count - 1) * count / weights);
  crossing.correlation = squares > 0 ? products / squares : 0;
  crossing.slope_error = std::sqrt(dispersion / line.spread);
  // The variance of a mean of values that are correlated so from one to the next; half a standard error of the
  // correlation is taken for chance.
  const double correlation = std::clamp(crossing.correlation - 0.5 / std::sqrt(count), 0.0, 0.9);
  const double t = wider_for_stopping * student_quantile(0.95, static_cast<int>(blocks.size()) - 2),
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

}  // namespace

double linked(Link link, double value) {
  const double some = std::max(value, 1e-9);
  return link == Link::log ? std::log(some) : 1 / some;
}

double Crossing::spread(const SearchPolicy& policy) const {
  const double needed = policy.slope_certainty * scatter / std::sqrt(static_cast<double>(blocks));
  return std::clamp(needed, policy.widest / 10, policy.widest);
}

std::optional<Crossing> fit_crossing(std::span<const Observation> blocks, Link link, const RateZone& zone,
                                     const SearchPolicy& policy) {
  if (blocks.size() < fewest) return std::nullopt;
  const double at_target = linked(link, 1), falls = link == Link::inverse ? -1 : 1;
  const auto [lowest, highest] = std::ranges::minmax(blocks, {}, &Observation::rate);
  const double all = highest.rate - lowest.rate;
  /// nullopt: there is no slope to be seen so near.
  const auto fitted = [&](double near, double reach) -> std::optional<Crossing> {
    const std::vector<Observation> chosen = nearest(blocks, near, reach);
    std::vector<WeightedPoint> points;
    for (const Observation& block : chosen) points.push_back({block.rate, bounded(link, block.value), block.weight});
    std::optional<LeastSquares> line = least_squares(points);
    if (!line || line->slope * falls <= 0) return std::nullopt;
    std::vector<Observation> local;
    for (const Observation& block : chosen)
      if (std::abs(block.rate - near) <= reach) local.push_back(block);
    match_totals(*line, local.size() < fewest ? chosen : local, link);
    const double crosses = line->center + (at_target - line->at_center) / line->slope;
    Crossing crossing{.rate = std::clamp(crosses, zone.low / zone_margin, zone.high * zone_margin),
                      .slope = line->slope};
    crossing.outside = crossing.rate != crosses;
    judge(*line, chosen, link, at_target, crossing);
    return crossing;
  };
  double near = (zone.low + zone.high) / 2, reach = std::max(0.25 * near, (zone.high - zone.low) / 2);
  std::optional<Crossing> found;
  for (int round = 0; round < most_rounds; ++round) {
    const std::optional<Crossing> crossing = fitted(near, reach);
    if (!crossing) {
      if (reach >= all) break;
      reach *= 2;
      continue;
    }
    const bool same = found && std::abs(crossing->rate / found->rate - 1) < 1e-6;
    found = crossing;
    if (same) break;
    near = found->rate;
    reach = std::min(policy.reach * found->spread(policy) / std::abs(found->slope), 0.5 * near);
  }
  // Where the slope is not known well enough to bound the crossing, blocks further away say more.
  while (found && !std::isfinite(found->high) && reach < all) {
    reach *= 2;
    if (const std::optional<Crossing> wider = fitted(near, reach); wider && std::isfinite(wider->high)) {
      found->low = std::min(wider->low, found->rate);
      found->high = std::max(wider->high, found->rate);
    }
  }
  return found;
}

}  // namespace edagen
