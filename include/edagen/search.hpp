// Which load points are run: a series that was asked for, or a search for the rate at which the latency reaches its
// targets; and what they show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/load_runner.hpp"
#include "edagen/result.hpp"

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
  NanosF typical_latency{0};  ///< the median of its intervals' statistic: what a pause or two do not change; 0: unknown

  /// Below the volume's limits: the requested rate was reached.
  bool reached() const;
  /// The generator itself was late, or paused.
  bool generator_limited() const;
  /// Reached by a generator that was in time, so that the point is on the curve.
  bool on_curve() const;
  /// Not reached, or slower. A late generator only adds to the latency: such a point may well be below.
  bool above(NanosF target) const { return !reached() || latency > target; }
};

/// The rate at which the latency reaches a target.
struct AtTarget {
  Nanos target{0};
  double ops_per_sec = 0;
  double mib_per_sec = 0;
  double low = 0, high = 0;   ///< 95 % confidence interval of ops_per_sec
  bool bounded = false;       ///< false: the target is not reached below the highest rate; ops_per_sec is a lower bound
  bool met = true;            ///< false: no load was found that meets the target
  std::size_t full_runs = 0;  ///< that alone give the rate, as they refute the probes; 0: all points give it
  /// Why the full run next to it is invalid; empty: it is valid, or the rate rests on several of which one within 5 %
  /// of the interval is.
  std::vector<Invalid> invalid;
};

/// A curve: load points equally spaced, or a search.
struct CurvePlan {
  LoadPoint load;              ///< arrivals, warm-up, duration and statistic of a full run
  std::vector<Nanos> targets;  ///< ascending; not empty
  std::size_t points = 0;      ///< fixed load points; 0: search
  double max_rate = 0;         ///< ops/s of the last fixed point, or the limit of a search; 0: none
  double own_rate = 0;         ///< of all procs at their workloads' rates, ops/s
  std::size_t job_sets = 0;    ///< load is added as job sets, up to so many; 0: as a rate of the same procs
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
  /// `rate`: ops/s; nullopt in a closed loop.
  virtual void point_begins(std::optional<double> /*rate*/, const std::string& /*purpose*/) {}
  virtual void point_done(const CurvePoint&) {}
};

struct Curve {
  std::vector<CurvePoint> points;  ///< in the order of measurement
  std::vector<AtTarget> answers;   ///< one for each target
  LatencyStatistic statistic;      ///< that the answers are about
  Swept swept = Swept::nothing;
  bool interrupted = false;
};

/// Measures until the plan is carried out, the run is interrupted or ops are stuck. Never throws for a bad point.
Curve measure(LoadRunner& runner, const CurvePlan& plan, CurveObserver& observer);

/// The same for a series, or until too many ops fail. The curve has no answers.
Curve measure(LoadRunner& runner, const LoadSeries& series, CurveObserver& observer);

}  // namespace edagen
