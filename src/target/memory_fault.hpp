// Copies from or to a mapped file. A page that cannot be read raises SIGBUS, not an errno.
#pragma once

#include <cstddef>

namespace edagen {

/// Installs the signal handler. Must be called once, before the first copy.
void catch_memory_faults();

/// Like memcpy; returns false when a page could not be read.
bool copy_guarded(void* to, const void* from, std::size_t length);

}  // namespace edagen
