// How long this host has been up, where a test needs a time that is long ago and yet after the host's start.
#pragma once

#include <time.h>

#include <chrono>
#include <thread>

namespace edagen::testing {

/// A host that was started a few minutes ago has no such time yet.
inline void wait_until_up_for(std::chrono::seconds time) {
  timespec up{};
  ::clock_gettime(CLOCK_BOOTTIME, &up);
  std::this_thread::sleep_for(time - std::chrono::seconds(up.tv_sec));
}

}  // namespace edagen::testing
