// Which load points are run: a series that was asked for, or a search for the rate at which the latency reaches its
// targets; and what they show.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "edagen/load_runner.hpp"
#include "edagen/result.hpp"

namespace edagen {

/// The limit of the generator's own delay that a load point is judged by, and the statistic of the delay that is held
/// against it.
struct LagLimit {
  LatencyStatistic statistic;
  NanosF value{0};
};

/// A measured load point of a curve.
struct CurvePoint {
  RunStats stats;
  std::vector<Invalid> invalid;  ///< why; empty: valid
  LagLimit lag_limit;
  Purpose purpose = Purpose::load_point;
  double sweep_value = 0;    ///< of the parameter that is swept
  std::size_t repeat = 1;    ///< of the same load, from 1
  std::size_t job_sets = 0;  ///< that were active; 0: all
  double rate = 0;           ///< achieved, ops/s
  NanosF latency{0};         ///< the statistic, over the whole window
  NanosF latency_error{0};   ///< its standard error, by batch means
  int degrees_of_freedom = 0;

  /// Below the volume's limits: the requested rate was reached.
  bool reached() const;
  /// The generator itself was late, or paused.
  bool generator_limited() const;
  /// Reached by a generator that was in time, so that the point is on the curve.
  bool on_curve() const;
};

/// A load point of full length that met the target and is valid: what published results call a load point.
struct Demonstration {
  double ops_per_sec = 0;  ///< asked for, and reached
  NanosF latency{0};       ///< the statistic
  std::size_t point = 0;   ///< of Curve::points
};

/// The rate at which the latency reaches a target.
struct AtTarget {
  Nanos target{0};
  double ops_per_sec = 0;
  double mib_per_sec = 0;
  double low = 0, high = 0;  ///< 95 % confidence interval of ops_per_sec
  bool met = true;           ///< false: no load met the target, and the figures above are 0; none does, without a limit
  NanosF lowest_latency{0};  ///< seen in the search, when the target is not met
  /// The target is not reached: ops_per_sec is a lower bound, and this the limit that was met instead.
  std::optional<RateLimit> limit;
  std::optional<Demonstration> demonstrated;  ///< the highest one
  std::vector<Invalid> invalid;               ///< why; empty: valid
};

/// How a search for a rate goes about it: docs/methodology.md. bench/search shows what changing each of these does.
/// "Away from the target" is in the latency that a fit sees: of means |1 - target / latency| above the floor, of
/// percentiles the logarithm of the share of ops over the target.
struct SearchPolicy {
  // The climb: blocks at rates ever higher (or lower) until the target lies between two of them.
  double climb_from = 0.125;  ///< of the procs' own rate: its first block
  double climb_factor = 3;    ///< between rates
  Nanos climb_block = std::chrono::milliseconds(500);
  std::uint64_t climb_ops = 100;  ///< that a block of the climb holds at least
  double lowest_ops = 20;         ///< that the longest block holds at the lowest rate that is asked for, of a mean
  double bracket = 1.1;           ///< the climb ends when its rates on both sides are so near
  // No load may meet the target.
  std::size_t looks = 2;        ///< at the lowest rate, at least: most are overloads, or their mean is over it
  double surely = 0.99;         ///< outside of its confidence interval
  std::size_t most_looks = 10;  ///< while their mean is over it, before the search goes on all the same
  double look_up_until = 2;     ///< times the lowest latency seen: higher rates are tried where it falls with the rate
  // Blocks around the estimate, on both sides of it.
  Nanos block = std::chrono::seconds(2);           ///< the first ones
  std::uint64_t block_ops = 200;                   ///< that a block holds at least
  double rare_share = 0.1;                         ///< of rarer ops over a percentile, blocks hold more ops
  Nanos longest_block = std::chrono::seconds(10);  ///< whatever the three above say
  double rough = 0.3;                              ///< blocks that scatter or correlate more grow to twice,
  std::size_t grow_after = 6;                      ///< after so many of a length
  // What passes at a block's rate before it, at least, and does not count:
  double settle = 0.1;                                  ///< of the block
  int settle_targets = 20;                              ///< times the latency target
  Nanos first_settle = std::chrono::milliseconds(500);  ///< of a load's first block: connections and caches are empty
  double overloaded = 3;  ///< times the highest target: the load ends; at the lowest rate, times its own
  // How far from the estimate.
  double least_step = 0.0025;  ///< from the estimate, relative
  double most_step = 0.3;
  double first_step = 0.25;       ///< of the band of rates that are below and over, where there is no fit yet
  double widest = 0.35;           ///< away from the target, as the fit expects, a block is made at most
  double narrowest = 0.025;       ///< and at least
  double slope_certainty = 4;     ///< blocks are no further away than it takes to know the slope to one in so many
  double least_of_slope = 0.3;    ///< that is believed when a step is chosen, however uncertain it is
  double too_far = 0.67;          ///< away from the target, as it was measured: the next step on that side is
  double shorter = 0.5;           ///< so much of it; as much longer where the block was on the other side,
  double longer = 1.5;            ///< and by that where it was nearer than wanted
  double band_margin = 1.1;       ///< around the rates at which blocks were below and over, for blocks
  std::size_t least_blocks = 16;  ///< before the search may end
  // The fit.
  std::size_t fewest_blocks = 4;  ///< of one
  double reach_factor = 1.25;     ///< so much further blocks are looked at in turn,
  double agreement = 0.8;         ///< as long as the crossing stays in this share of the nearer ones' intervals,
  double farthest = 0.5;          ///< of the rate, away from it,
  double much_wider = 1.4;        ///< and as long as the interval is not so many times as wide as the nearer ones'
  double beyond = 0.5;  ///< of their reach: the crossing of blocks that do not bound it counts no further away
  double most_correlation = 0.9;  ///< of neighbouring blocks: no more than that widens the interval
  // Of the target; what a block shows beyond counts as that, so that no far block turns the line.
  double least_latency = 0.2;
  double most_latency = 20;
  double least_share = 0.05;  ///< of ops over a percentile
  double zone_margin = 1.05;  ///< around the blocks below and over the target: the answer is not further away
  /// A search that ends when its interval is narrow ends where the scatter seems small by chance: intervals are so many
  /// times as wide. Without it they hold the truth of M/M/1 in 2 of 100 searches less.
  double wider_for_stopping = 1.1;
  double floor_certainty = 2;  ///< standard errors by which the curve is steeper at the target than from there to idle,
                               ///< where a delay that no load adds to is believed
  // The demonstration: a load point of full length.
  double demonstrate_below = 0.045;  ///< the estimate, at most; else at the interval's lower end
  double after_failure = 0.01;       ///< below one that failed
  int demonstrations = 3;            ///< at most
  double time_over = 1.25;  ///< times the search's time: another one, or one that must settle, ends before that
  // What is a valid answer.
  double demonstrated_within = 0.05;  ///< below it
  double widest_half_width = 0.1;     ///< of its interval, relative
  double limit_within = 0.1;          ///< of the rate: of blocks so near it is asked what limited them
  double forgotten = 4;               ///< times what a queue at the target takes to forget: blocks can be as long

  /// So many times as many ops as for a mean say as much of the statistic.
  double ops_share(const LatencyStatistic& statistic) const {
    return std::max(1.0, rare_share / (1 - statistic.percentile / 100));
  }
};

/// A curve: load points equally spaced, or a search.
struct CurvePlan {
  LoadPoint load;              ///< warm-up, duration and statistic of a load point of full length; not its rate
  std::vector<Nanos> targets;  ///< ascending; not empty
  std::size_t points = 0;      ///< fixed load points; 0: search
  double max_rate = 0;         ///< ops/s of the last fixed point, or the limit of a search; 0: none
  double own_rate = 0;         ///< of all procs at their workloads' rates, ops/s
  std::size_t job_sets = 0;    ///< load is added as job sets, up to so many; 0: as a rate of the same procs
  double precision = 0.02;     ///< a search ends when the half-width of its interval, relative, is at most that
  Nanos search_time = std::chrono::minutes(2);  ///< for each target: or then
  Arrivals arrivals = Arrivals::uniform;        ///< of each load point: they are open loops
  std::uint64_t seed = 1;                       ///< of the order of blocks
  SearchPolicy policy;

  /// The load of full length at a rate.
  LoadPoint at(double ops_per_sec) const;
};

/// What a series varies.
enum class Swept { nothing, io_depth, clients, read_percent };
template <>
inline constexpr std::array<std::string_view, 4> enum_names<Swept>{"nothing", "io-depth", "clients", "read-percent"};

/// Load points in a row: the values of a sweep, the whole repeated.
struct LoadSeries {
  LoadPoint load;  ///< what is not swept
  Swept swept = Swept::nothing;
  std::vector<double> values{0};  ///< of it, in the order of measurement; one when nothing is swept
  std::size_t repeats = 1;        ///< of all values: 1 2 4, 1 2 4, ... so that drift does not look like an effect

  /// The load at a value.
  LoadPoint at(double value) const;
};

/// Told of a curve while it is measured; passed on to the runs.
class CurveObserver : public RunObserver {
 public:
  /// `rate`: ops/s; nullopt in a closed loop. `purpose`: empty when it is the only load.
  virtual void point_begins(std::optional<double> /*rate*/, const std::string& /*purpose*/) {}
  virtual void point_done(const CurvePoint&) {}
  /// What a search would answer if it ended now.
  virtual void estimated(const AtTarget&) {}
};

struct Curve {
  std::vector<CurvePoint> points;  ///< in the order of measurement
  std::vector<AtTarget> answers;   ///< one for each target
  LatencyStatistic statistic;      ///< that the answers are about
  Swept swept = Swept::nothing;
  bool interrupted = false;
};

/// Measures until the plan is carried out, the run is interrupted, too many ops fail or are stuck. Never throws for a
/// bad point. What blocks of a search saw of single kinds of ops is told the observer, and not kept.
Curve measure(LoadRunner& runner, const CurvePlan& plan, CurveObserver& observer);

/// The same for a series, or until too many ops fail. The curve has no answers.
Curve measure(LoadRunner& runner, const LoadSeries& series, CurveObserver& observer);

}  // namespace edagen
