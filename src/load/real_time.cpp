#include "load/real_time.hpp"

#include <sched.h>
#include <sys/prctl.h>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

Nanos cpu_time_of(pthread_t thread) {
  clockid_t clock{};
  return pthread_getcpuclockid(thread, &clock) == 0 ? time_of(clock) : Nanos(0);
}

}  // namespace

void wake_without_slack() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

double RealTime::used(TimePoint at) {
  const Nanos used = cpu_time_of(*thread_);
  const bool first = since_ == TimePoint{};
  const double processors = first ? 1 : to_seconds(used - used_) / to_seconds(at - since_);
  since_ = at;
  used_ = used;
  return processors;
}

void RealTime::raise(bool raised) {
  std::lock_guard lock(mutex_);
  if (!ended_) set(*thread_, raised);
}

bool RealTime::is_refused() {
  std::lock_guard lock(mutex_);
  return refused_;
}

void RealTime::end() {
  std::lock_guard lock(mutex_);
  ended_ = true;
  set(pthread_self(), false);
}

void RealTime::set(pthread_t thread, bool raised) {
  if (refused_ || raised == raised_) return;
  const sched_param priority{.sched_priority = raised ? 1 : 0};
  refused_ = pthread_setschedparam(thread, raised ? SCHED_FIFO : SCHED_OTHER, &priority) != 0;
  if (!refused_) raised_ = raised;
}

}  // namespace edagen
