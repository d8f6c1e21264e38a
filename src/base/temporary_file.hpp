// Files that nobody else can have made, and that vanish when they are closed.
#pragma once

#include <sys/types.h>

#include "base/descriptor.hpp"

namespace edagen {

/// A new file of mode 0600 in `directory`, open for reading and writing and with `flags`. It has no name (O_TMPFILE);
/// on file systems without such files it had a random name that was free. An empty Descriptor leaves the reason in
/// errno.
Descriptor temporary_file(int directory, int flags = 0);

}  // namespace edagen
