#include "load/pause_watch.hpp"

#include <algorithm>
#include <thread>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

/// Unlike the steady clock's, it goes on while the host is suspended.
Nanos time_since_boot() { return time_of(CLOCK_BOOTTIME); }

}  // namespace

void PauseWatch::sleep_until(TimePoint until) {
  const Nanos asleep = time_since_boot(), asked = std::max(until - now(), Nanos(0));
  std::this_thread::sleep_until(until);
  longest_ = std::max(longest_, time_since_boot() - asleep - asked);
}

}  // namespace edagen
