// The phases of a load point: warm-up, the window in intervals, the end. They are the same in real and in virtual time.
#pragma once

#include <vector>

#include "edagen/load_runner.hpp"

namespace edagen {

/// The time that counts: ops that were due in it are timed, ops that ended in it are counted. During the warm-up it
/// begins with the load, for the intervals of the warm-up.
struct Window {
  Nanos start{0};
  Nanos end = Nanos::max();

  bool contains(Nanos at) const { return at >= start && at < end; }
};

/// Maximum time to wait for the ops that were due in a window, after its end.
Nanos longest_drain(Nanos window);
/// The same for a load that ends early. `shared`: by several hosts; `may_abandon`: ops that last longer are given up.
Nanos longest_drain_when_ending(bool shared, bool may_abandon);

/// The time of warm-up and window of a load point whose latency trends for as long as it is looked at: the warm-up is
/// longer and there is a second window, where each has enough intervals to show a trend.
Nanos longest_load_time(const LoadPoint& load);

class Measurement {
 public:
  /// `load` must outlive this object. `start` is that of the load point, since the load began.
  Measurement(const LoadPoint& load, const std::vector<std::string>& groups, EventSink emit, Nanos start = Nanos(0));

  /// Must be called before all other functions.
  void load_began();
  /// The end of the current interval, since the load began.
  Nanos interval_end() const;

  enum class Next {
    interval,  ///< the phase goes on
    window,    ///< call begin_window(): earlier ops do not count
    end        ///< call end_window(), wait for the ops that were due in the window, call finish()
  };
  /// Takes the `stats` of an interval that ended at `at`. `ending`: the run must end, whatever is missing.
  Next interval_ended(Nanos at, const IntervalStats& stats, bool ending);
  void begin_window(Nanos at);
  /// Ends the window. What is counted elsewhere (processors, pauses) is then of the window alone, without the wait for
  /// its last ops.
  void end_window() {
    if (measuring_) emit_(WindowEnded{});
  }
  /// Makes the warm-up go on for as long again.
  void extend_warmup() { phase_end_ += load_.warmup; }
  /// The last interval of the phase.
  const Interval& last_interval() const { return last_; }

  /// The window in which ops count now.
  Window window() const;
  bool measuring() const { return measuring_; }
  /// `stats` are those of the last interval, with the ops that have ended since. Returns all statistics except those of
  /// the runner's procs. A load that ended in its warm-up has a window of no length.
  RunStats finish(const IntervalStats& stats);

 private:
  bool has_time_for(Nanos at, Nanos time) const;
  void add(const IntervalStats& stats);
  void fill(Interval& interval, const IntervalStats& stats) const;

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
