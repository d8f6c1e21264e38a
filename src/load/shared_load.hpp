// Where several hosts make one load together: what they decide for all of them.
#pragma once

#include <functional>
#include <string>

#include "load/measurement.hpp"

namespace edagen {

/// The rate of procs that other hosts have.
struct ProcElsewhere {
  std::size_t group = 0;
  double ops_per_sec = 0;  ///< its own
  std::size_t job_set = 0, client = 0;
  bool paced = true;  ///< as EngineProc
};

/// For the thread that runs the load.
class SharedLoad {
 public:
  struct Decision {
    Measurement::Next next = Measurement::Next::end;
    TimePoint at{};  ///< of a window: when it begins, by this host's clock
  };

  virtual ~SharedLoad() = default;
  /// The load point can begin here; waits until it can everywhere. When that is, by this host's clock; a time that is
  /// over when the load is.
  virtual TimePoint agree_start() = 0;
  /// An interval has ended here. `phase_over`: it was the last of the warm-up or of the window, and a decision follows.
  /// `ending`: this host cannot go on.
  virtual void interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) = 0;
  /// What comes after the phase; nullopt: not known yet.
  virtual std::optional<Decision> decision() = 0;
  /// The load is to end at once.
  virtual bool is_over() = 0;
  /// The ops of the window have ended, too: what the last interval is now.
  virtual void drained(const IntervalStats& stats) = 0;
  /// An op has not returned here for too long: the load is to end on all hosts.
  virtual void op_stuck(const std::string& what, OpKind kind, Nanos age) = 0;
  /// Between two looks at decision() of who has nothing else to do.
  virtual void rest() = 0;
};

}  // namespace edagen
