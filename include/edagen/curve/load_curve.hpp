// Which load points are run: a fixed plan, or a search for the rate at which the latency reaches its targets.
#pragma once

#include <functional>

#include "edagen/curve/rate_at_latency.hpp"
#include "edagen/engine/load_runner.hpp"

namespace edagen {

struct CurvePlan {
  LoadPoint load;                ///< arrivals, warm-up, duration and statistic of a full point
  std::vector<Nanos> targets;    ///< not empty
  std::size_t points = 0;        ///< fixed load points; 0: search
  double max_rate = 0;           ///< of fixed points; the limit of a search; 0: none
  double own_rate = 0;           ///< of all procs at their workloads' rates
  std::size_t job_sets = 0;      ///< load is added as job sets, up to so many; 0: as a rate of the same procs
};

/// Told of a curve while it is measured; passed on to the runs.
class CurveObserver : public RunObserver {
 public:
  /// `rate`: nullopt when unpaced.
  virtual void point_begins(std::optional<double> /*rate*/, const std::string& /*purpose*/) {}
  /// May add to the point what it has seen of the run.
  virtual void point_done(CurvePoint&) {}
};

struct Curve {
  std::vector<CurvePoint> points;  ///< in the order of measurement
  std::vector<AtTarget> answers;   ///< one for each target
  LatencyStatistic statistic;      ///< that the answers are about
  std::string parameter;           ///< what was swept (load_series.hpp); empty: nothing
  bool interrupted = false;
};

/// Measures until the plan is carried out, the run is interrupted or ops are stuck. Never throws for a bad point.
Curve measure_curve(LoadRunner& runner, const CurvePlan& plan, CurveObserver& observer);

}  // namespace edagen
