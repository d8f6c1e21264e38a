// Clocks of the kernel other than the steady one.
#pragma once

#include <time.h>

#include "edagen/clock.hpp"

namespace edagen {

/// The time of the clock (clock_gettime(2)); 0 when there is no such clock.
inline Nanos time_of(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return Nanos(0);
  return std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec);
}

}  // namespace edagen
