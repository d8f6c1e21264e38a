// The course of a load point: warm-up, the window in intervals, the end. The same in real and in virtual time.
#pragma once

#include <vector>

#include "edagen/load_runner.hpp"

namespace edagen {

/// What counts: ops that were due in it are timed, ops that ended in it are counted. From the start of the load on, ops
/// of the warm-up count for its own intervals.
struct Window {
  Nanos start{0};
  Nanos end = Nanos::max();

  bool contains(Nanos at) const { return at >= start && at < end; }
};

/// How long the ops that were due in a window are waited for when it is over.
Nanos longest_drain(Nanos window);

class Measurement {
 public:
  /// `load` outlives this. `start`: of the load point, since the load began.
  Measurement(const LoadPoint& load, const std::vector<std::string>& groups, EventSink emit, Nanos start = Nanos(0));

  /// To be called before all others.
  void load_began();
  /// When the current interval ends, since the load began.
  Nanos interval_end() const;

  enum class Next {
    interval,  ///< goes on
    window,    ///< call begin_window(): earlier ops do not count
    end        ///< call end_window(), wait for the ops that were due in the window, call finish()
  };
  /// An interval has ended at `at`; `stats` are of it. `ending`: the run is to end, whatever is missing.
  Next interval_ended(Nanos at, const IntervalStats& stats, bool ending);
  void begin_window(Nanos at);
  /// What is counted elsewhere is of the window alone, as the ops that count are, and not of the wait for its last
  /// ones.
  void end_window() {
    if (measuring_) emit_(WindowEnded{});
  }
  /// The warm-up goes on for as long again.
  void extend_warmup() { phase_end_ += load_.warmup; }
  /// The last one of the phase.
  const Interval& last_interval() const { return last_; }

  /// What counts now.
  Window window() const;
  bool measuring() const { return measuring_; }
  /// `stats` are of the last interval again, with the ops that have ended since. Gives everything but what the runner
  /// knows of its procs; of a load that ended in its warm-up, a window of no length.
  RunStats finish(const IntervalStats& stats);

 private:
  bool has_time_for(Nanos at, Nanos time) const;
  void add(const IntervalStats& stats);
  void fill(Interval& interval, const OpStats& ops) const;

  const LoadPoint& load_;
  EventSink emit_;
  bool measuring_;
  bool extended_ = false;
  Nanos start_, phase_end_;
  Nanos interval_start_, window_start_;
  std::vector<Interval> warm_;
  Interval last_;
  RunStats stats_;
};

}  // namespace edagen
