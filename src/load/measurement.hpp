// The course of a load point: warm-up, the window in intervals, the end. The same in real and in virtual time.
#pragma once

#include <vector>

#include "edagen/load_runner.hpp"

namespace edagen {

/// Statistics of the ops that ended in an interval, of all kinds of procs.
struct IntervalStats {
  OpStats ops;
  double generator_lag_ns = 0;
  std::vector<std::uint64_t> group_operations;  ///< by kind of proc

  explicit IntervalStats(std::size_t groups) : group_operations(groups) {}
  void clear();
  void merge(const IntervalStats& other);
};

class Measurement {
 public:
  /// Both outlive this.
  Measurement(const LoadPoint& load, const std::vector<std::string>& groups, RunObserver& observer);

  /// To be called before all others.
  void load_began();
  /// When the current interval ends, since the load began.
  Nanos interval_end() const;

  enum class Next {
    interval,  ///< goes on
    window,    ///< the window begins now: earlier ops do not count
    end        ///< take the result
  };
  /// An interval has ended at `at`; `stats` are of the ops that ended in it. `ending`: the run is to end, whatever is
  /// missing.
  Next interval_ended(Nanos at, IntervalStats& stats, bool ending);

  Nanos window_start() const { return window_start_; }
  bool measuring() const { return measuring_; }
  /// With everything but the requested rates and shares of the procs.
  RunStats result();

 private:
  std::vector<double> means() const;
  void begin_window(Nanos at);

  const LoadPoint& load_;
  RunObserver& observer_;
  bool measuring_;
  bool extended_ = false;
  Nanos phase_end_;
  Nanos interval_start_{0}, window_start_{0};
  double generator_lag_ns_ = 0;
  std::vector<Interval> warm_;
  RunStats stats_;
};

}  // namespace edagen
