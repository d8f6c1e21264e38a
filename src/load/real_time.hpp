// Real-time priority for threads that sleep until an op is due, so that they wake at once on a busy machine.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "edagen/clock.hpp"

namespace edagen {

/// Makes the kernel wake the calling thread without slack, not together with other threads. Children inherit this.
void wake_without_slack();

/// The priority of one thread, ordinary until it is raised. One other thread uses this object, and must not have joined
/// or detached the thread; end() is for the thread itself.
class RealTime {
 public:
  /// From now on the thread may be raised.
  void begin(pthread_t thread) { thread_ = thread; }
  bool has_begun() const { return thread_.has_value(); }
  /// Processors that the thread used since the last call; 1 at the first call.
  double used(TimePoint at);
  /// Raises or lowers the priority; does nothing where the system forbids it.
  void raise(bool raised);
  /// Whether the system has forbidden it.
  bool is_refused();
  /// The thread itself returns to ordinary priority for good. Freeing memory may spin until a thread of ordinary
  /// priority releases a lock (UCX looks at every munmap, also of the stack of a thread that ends).
  void end();

 private:
  void set(pthread_t thread, bool raised);

  std::optional<pthread_t> thread_;
  TimePoint since_{};
  Nanos used_{0};
  std::mutex mutex_;
  bool raised_ = false, refused_ = false, ended_ = false;  ///< under mutex_
};

/// The choice of threads with real-time priority. A thread that hardly sleeps gets none: the kernel would stop it for
/// 50 ms in each second (sched_rt_runtime_us). Threads that together would leave less than half a processor to all
/// others get none either: this process's own other threads, other ranks on this host and the kernel's threads, on
/// which the ops themselves may wait, would starve.
class RealTimePolicy {
 public:
  /// For a host with `processors`, on which `processes` like this one run, each of which may use `usable` of them.
  RealTimePolicy(std::size_t processors, std::size_t usable, std::size_t processes)
      : of_all_(std::min((static_cast<double>(processors) - left) / static_cast<double>(processes),
                         static_cast<double>(usable) - left)) {}
  /// Whether to raise a thread that used `thread` processors, among threads that used `all` together.
  bool raises(double thread, double all) const { return thread < of_one && all < of_all_; }

 private:
  // In processors.
  static constexpr double of_one = 0.7;  ///< the kernel's own limit is 0.95
  static constexpr double left = 0.5;    ///< left to all others

  double of_all_;
};

}  // namespace edagen
