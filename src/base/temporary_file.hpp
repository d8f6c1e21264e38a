// Files that nobody else can have put there, and that are gone when they are closed.
#pragma once

#include <sys/types.h>

#include "base/descriptor.hpp"

namespace edagen {

/// A fresh file of mode 0600 in `directory`, open for reading and writing with `flags` besides, that has no name
/// (O_TMPFILE) or, where the file system has no such files, had a random one that nothing else had. Without a
/// descriptor errno says why.
Descriptor temporary_file(int directory, int flags = 0);

}  // namespace edagen
