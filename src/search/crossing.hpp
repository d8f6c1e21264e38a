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
  /// the floor. Of means.
  inverse,
  /// log value is a straight line, as it is exactly for the share of ops over a limit of M/M/1; their variance is in
  /// proportion to it. Of percentiles: the share of ops over the target, divided by what the percentile allows.
  log
};

/// A value on the scale of the link. Of a value of 0 it is large, not infinite.
double linked(Link link, double value);

/// 0 at the floor and 1 at the target.
constexpr double above_floor(double floor, double value) { return (value - floor) / (1 - floor); }

/// What a block of a load says.
struct Observation {
  double rate = 0;    ///< ops/s
  double value = 0;   ///< of the latency: 1 at the target
  double weight = 1;  ///< in proportion to its length
};

/// ops/s
struct RateRange {
  double low = 0, high = 0;
};

struct Crossing {
  double rate = 0;           ///< ops/s at which the value is 1
  double low = 0, high = 0;  ///< 95 %; 0 and infinity where the observations do not bound it
  double floor = 0;          ///< of the value: what it falls to without load, as far as its curve shows that
  double slope = 0;          ///< of the linked value above the floor, per op/s
  double slope_error = 0;    ///< its standard error
  double reach = 0;          ///< ops/s: blocks so near are fitted
  std::size_t blocks = 0;    ///< of them
  double scatter = 0;        ///< of a block of mean weight, relative
  double correlation = 0;    ///< of the deviations of one block and the next
  bool outside = false;      ///< of the overlap by far, where the line says it is: `rate` is at its edge then

  /// How far away from the target blocks are to be made: of the linked value above the floor.
  double block_distance(const SearchPolicy& policy) const;
  /// How far away a block was.
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
