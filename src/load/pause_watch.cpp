#include "load/pause_watch.hpp"

#include <time.h>

#include <algorithm>
#include <thread>

namespace edagen {
namespace {

/// Unlike the steady clock's, it goes on while the host is suspended.
Nanos time_since_boot() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec);
}

}  // namespace

void PauseWatch::sleep_until(TimePoint until) {
  const Nanos asleep = time_since_boot(), asked = std::max(until - now(), Nanos(0));
  std::this_thread::sleep_until(until);
  longest_ = std::max(longest_, time_since_boot() - asleep - asked);
}

}  // namespace edagen
