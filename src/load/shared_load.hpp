// The decisions of several hosts that make one load together.
#pragma once

#include <string>

#include "load/measurement.hpp"

namespace edagen {

/// The rate of a proc on another host.
struct ProcElsewhere {
  std::size_t group = 0;
  double ops_per_sec = 0;  ///< the proc's own rate
  std::size_t job_set = 0, client = 0;
  bool paced = true;  ///< as EngineProc
};

/// Used by the thread that runs the load.
class SharedLoad {
 public:
  struct Decision {
    Measurement::Next next = Measurement::Next::end;
    TimePoint at{};  ///< the beginning of a window, by this host's clock
  };

  virtual ~SharedLoad() = default;
  /// Waits until the load point can begin on all hosts. Returns the beginning by this host's clock; a past time when
  /// the load is over.
  virtual TimePoint agree_start() = 0;
  /// Takes an interval that has ended here. `phase_over`: it was the last of the warm-up or of the window, and a
  /// decision follows. `ending`: this host cannot go on.
  virtual void interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) = 0;
  /// What comes after the phase; nullopt while this is undecided.
  virtual std::optional<Decision> decision() = 0;
  /// Whether the load must end at once.
  virtual bool is_over() = 0;
  /// Takes the last interval again, after the ops of the window have ended.
  virtual void drained(const IntervalStats& stats) = 0;
  /// Reports an op that has not returned here for too long: the load ends on all hosts.
  virtual void op_stuck(const std::string& what, OpKind kind, Nanos age) = 0;
  /// Waits a moment between two calls of decision(), for a caller without other work.
  virtual void rest() = 0;
};

}  // namespace edagen
