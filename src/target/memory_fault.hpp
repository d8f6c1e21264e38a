// Copies from or to a mapped file, whose pages may be impossible to get: that is SIGBUS, not an errno.
#pragma once

#include <cstddef>

namespace edagen {

/// Installs the handler; once, before the first copy.
void catch_memory_faults();

/// memcpy; false when a page could not be had.
bool copy_guarded(void* to, const void* from, std::size_t length);

}  // namespace edagen
