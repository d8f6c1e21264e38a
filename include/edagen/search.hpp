// Which load points are run: a series that was asked for, or a search for the rate at which the latency reaches its
// targets; and what they show.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edagen/load_runner.hpp"
#include "edagen/result.hpp"
#include "edagen/search_policy.hpp"

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
  std::map<OpKind, double> within_target_share;  ///< of the ops that were due in the window; empty without a target

  /// Below the volume's limits: the requested rate was reached.
  bool reached() const;
  /// The generator itself was late, or paused.
  bool generator_limited() const;
  /// Reached by a generator that was in time, so that the point is on the curve.
  bool on_curve() const;
};

/// The rate at which the latency reaches a target.
struct AtTarget {
  Nanos target{0};
  double ops_per_sec = 0;
  double mib_per_sec = 0;
  double low = 0, high = 0;  ///< 95 % confidence interval of ops_per_sec
  bool met = true;           ///< false: no load met the target, and the figures above are 0; none does, without a limit
  NanosF lowest_latency{0};  ///< seen since a load last met the target, when the target is not met
  double lowest_latency_rate = 0;  ///< ops/s that were requested when it was seen
  /// The target is not reached: ops_per_sec is a lower bound, and this the limit that was met instead.
  std::optional<RateLimit> limit;
  std::optional<DemonstrationFigures> demonstrated;  ///< the highest one; load_point: of Curve::points
  std::vector<Invalid> invalid;                      ///< why; empty: valid
};

/// The shape of a curve: after the answer of a search the same load goes on through these points, from idle to over the
/// answer. Changes no answer.
struct ShapePlan {
  std::size_t points = 10;        ///< equally spaced, the last one at the answer
  std::size_t points_beyond = 2;  ///< as far from each other, above the answer
  double block_seconds = 4;       ///< shortest window of a point
  double settle_share = 0.25;     ///< time that passes before a window, as a share of the window
  std::size_t intervals = 16;     ///< of a window: the scatter of their latencies is the error of a point

  /// The time that all points take; it is longer when the rates are so low that windows become longer.
  Nanos time() const {
    return from_seconds(static_cast<double>(points + points_beyond) * (1 + settle_share) * block_seconds);
  }
};

/// As many rates as load points, equally spaced up to `highest`.
std::vector<double> equally_spaced_rates(std::size_t points, double highest);

/// A curve: load points at given rates, or a search.
struct CurvePlan {
  LoadPoint load;              ///< warm-up, duration and statistic of a load point of full length; not its rate
  std::vector<Nanos> targets;  ///< ascending; not empty
  std::vector<double> rates;   ///< ops/s of load points, ascending; empty: search
  double max_rate = 0;         ///< ops/s: the limit of a search; 0: none
  double own_rate = 0;         ///< of all procs at their workloads' rates, ops/s
  std::size_t job_sets = 0;    ///< load is added as job sets, up to so many; 0: as a rate of the same procs
  double precision = 0.02;     ///< a search ends when the half-width of its interval, relative, is at most that
  Nanos search_time = std::chrono::minutes(2);  ///< for each target: or then
  std::optional<ShapePlan> shape;               ///< after a search; nullopt: the load ends with the answer
  Arrivals arrivals = Arrivals::uniform;        ///< of each load point: they are open loops
  std::uint64_t seed = 1;                       ///< of the order of blocks
  SearchPolicy policy;

  /// The load of full length at a rate.
  LoadPoint at(double ops_per_sec) const;
  bool is_search() const { return rates.empty(); }
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

struct Curve {
  std::vector<CurvePoint> points;  ///< in the order of measurement
  std::vector<AtTarget> answers;   ///< one for each target
  LatencyStatistic statistic;      ///< that the answers are about
  Swept swept = Swept::nothing;
  bool interrupted = false;
};

/// Measures until the plan is carried out, the run is interrupted, too many ops fail or are stuck. Never throws for a
/// bad point. What blocks of a search saw of single kinds of ops is emitted and not kept.
Curve measure(LoadRunner& runner, const CurvePlan& plan, const EventSink& emit);

/// The same for a series, or until too many ops fail. The curve has no answers.
Curve measure(LoadRunner& runner, const LoadSeries& series, const EventSink& emit);

}  // namespace edagen
