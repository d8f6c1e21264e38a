// Real-time priority for threads that sleep until an op is due, so that they wake at once on a busy machine.
#pragma once

#include <pthread.h>

#include <mutex>
#include <optional>

#include "edagen/clock.hpp"

namespace edagen {

/// Wake-ups of the calling thread are not delayed to be made together with others. Children inherit it.
void wake_without_slack();

/// The priority of one thread, ordinary until it is raised. For one other thread, which must not have joined or
/// detached it, but for end().
class RealTime {
 public:
  /// The thread may be raised.
  void begin(pthread_t thread) { thread_ = thread; }
  bool has_begun() const { return thread_.has_value(); }
  /// Processors that the thread used since the last call; 1 at the first.
  double used(TimePoint at);
  /// Does nothing where it is not allowed.
  void raise(bool raised);
  /// For the thread itself: ordinary from now on. What gives memory back may spin until a thread of ordinary priority
  /// lets go of a lock (UCX looks at every munmap, also of the stack of a thread that ends).
  void end();

 private:
  void set(pthread_t thread, bool raised);

  std::optional<pthread_t> thread_;
  TimePoint since_{};
  Nanos used_{0};
  std::mutex mutex_;
  bool raised_ = false, refused_ = false, ended_ = false;  ///< under mutex_
};

/// Which threads have real-time priority. A thread that hardly sleeps has none: the kernel would stop it for 50 ms in
/// each second (sched_rt_runtime_us). Threads that together would leave less than half a processor to all others have
/// none either: this process's own other threads, other ranks on this host and the kernel's threads, on which the ops
/// themselves may wait, would starve.
class RealTimePolicy {
 public:
  /// Of a host with so many processors, on which so many processes like this one run.
  RealTimePolicy(std::size_t processors, std::size_t processes)
      : of_all_((static_cast<double>(processors) - left) / static_cast<double>(processes)) {}
  /// For a thread that used `thread` processors, one of several that used `all` together.
  bool raises(double thread, double all) const { return thread < of_one && all < of_all_; }

 private:
  // Processors.
  static constexpr double of_one = 0.7;  ///< the kernel's own limit is 0.95
  static constexpr double left = 0.5;    ///< to all others

  double of_all_;
};

}  // namespace edagen
