// Threads that show what goes on: they yield to those that make the load.
#pragma once

#include <sys/resource.h>

namespace edagen {

/// Sets the nice value of the calling thread to 10.
inline void yield_to_the_load() { ::setpriority(PRIO_PROCESS, 0, 10); }

}  // namespace edagen
