// Where a latency crosses its target: one local model of latency over rate, fitted to blocks of a load near the target.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "edagen/search.hpp"

namespace edagen {

/// How the latency goes with the rate near the target.
enum class Link {
  /// 1 / (value - floor) is a straight line: exactly for the mean response of M/M/1 without a floor, and about so for
  /// several servers, or a wall, above the delay that no load adds to. Values scatter in proportion to their size above
  /// the floor. For means.
  inverse,
  /// log value is a straight line, as it is exactly for the share of ops over a limit of M/M/1; their variance is in
  /// proportion to it. For percentiles: the share of ops over the target, divided by what the percentile allows.
  log
};

/// A value on the scale of the link. The linked value of 0 is large, not infinite.
double linked(Link link, double value);

/// The link of a latency statistic.
constexpr Link link_of(const LatencyStatistic& statistic) {
  return statistic.percentile == 0 ? Link::inverse : Link::log;
}

/// How far a value is from the target in the linked value without a floor, above 0 over the target; bounded as the fit
/// bounds values.
double distance_from_target(Link link, double value, const SearchPolicy& policy);

/// The value on a scale that is 0 at the floor and 1 at the target.
constexpr double above_floor(double floor, double value) { return (value - floor) / (1 - floor); }

/// One block of a load.
struct Observation {
  double rate = 0;    ///< ops/s
  double value = 0;   ///< latency, 1 at the target
  double weight = 1;  ///< in proportion to its length
};

struct RateRange {
  double low = 0, high = 0;  ///< ops/s
};

struct Crossing {
  double rate = 0;           ///< ops/s at which the value is 1
  double low = 0, high = 0;  ///< 95 % confidence interval; 0 and infinity where the observations do not bound the rate
  double floor = 0;          ///< value without load, as far as the curve shows it
  double slope = 0;          ///< of the linked value above the floor, per op/s
  double slope_error = 0;    ///< its standard error
  double reach = 0;          ///< ops/s: blocks within this distance are fitted
  std::size_t blocks = 0;    ///< number of fitted blocks
  double scatter = 0;        ///< relative standard deviation of a block of mean weight
  double correlation = 0;    ///< between the deviations of neighbouring blocks
  bool outside = false;      ///< The line crosses the target far outside of the overlap: `rate` is at the edge.

  /// Distance from the target at which blocks are to be placed, in the linked value above the floor.
  double block_distance(const SearchPolicy& policy) const;
  /// Distance of a block from the target.
  double distance(Link link, double value) const;
  bool is_bounded() const { return std::isfinite(high); }
  double half_width() const { return (high - low) / 2 / rate; }
};

/// A generalised linear model with the link's own variance (McCullagh, Nelder: Generalized Linear Models, 1989): the
/// fitted values add up to the measured ones, so that rare slow blocks count with all they are. The scatter between
/// blocks is estimated from their deviations and widened where one block's deviation goes with the next one's; the
/// interval is Fieller's, with Student's quantile. `blocks`: in the order of time; of those far from the crossing,
/// those that agree with the near ones. The crossing is looked for about `bracket`, and is not far outside of
/// `overlap`. nullopt where the blocks show no crossing.
std::optional<Crossing> fit_crossing(std::span<const Observation> blocks, Link link, const RateRange& bracket,
                                     const RateRange& overlap, const SearchPolicy& policy);

}  // namespace edagen
