// Real-time priority for threads that sleep until an op is due, so that they wake at once on a busy machine.
#pragma once

#include <pthread.h>

#include "edagen/clock.hpp"

namespace edagen {

/// Wake-ups of the calling thread are not delayed to be made together with others. Children inherit it.
void wake_without_slack();

/// The priority of one thread. A thread that hardly sleeps has none: the kernel would stop it for 50 ms in each second
/// (sched_rt_runtime_us), and others would starve. Not thread-safe; the thread must not be joined or detached before.
class RealTime {
 public:
  /// The thread has ordinary priority until the first update().
  explicit RealTime(pthread_t thread) : thread_(thread) {}
  /// To be called every 100 ms or so: raises the priority of a thread that mostly slept since the last call, and lowers
  /// it otherwise. Does nothing where it is not allowed.
  void update(TimePoint at);

 private:
  pthread_t thread_;
  bool raised_ = false, refused_ = false;
  TimePoint since_{};
  Nanos used_{0};
};

}  // namespace edagen
