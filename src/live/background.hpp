// Threads that show what goes on: they yield to those that make the load.
#pragma once

#include <sys/resource.h>

namespace edagen {

/// Of the calling thread: its nice value is 10.
inline void yield_to_the_load() { ::setpriority(PRIO_PROCESS, 0, 10); }

}  // namespace edagen
