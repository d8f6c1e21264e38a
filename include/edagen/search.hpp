// Which load points are run: a series that was asked for, or a search for the rate at which the latency reaches its
// targets; and what they show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/load_runner.hpp"
#include "edagen/result.hpp"
#include "edagen/search_policy.hpp"

namespace edagen {

/// A measured load point of a curve.
struct CurvePoint {
  RunStats stats;
  std::vector<Invalid> invalid;  ///< why; empty: valid
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

/// Receives the progress of a curve; passed on to the runs.
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
