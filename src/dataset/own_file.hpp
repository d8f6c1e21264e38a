// Whether a file of edagen's own in a dataset directory is to be trusted.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// Opens `name` in `directory`, which is not to be a link, a device or a FIFO that would block. An empty Descriptor
/// when there is none. Throws Error (usage) unless it is a regular file with one name, of the owner of the directory,
/// that nobody else may write. `path` is the directory's.
Descriptor open_own_file(int directory, const char* name, int flags, const std::string& path);

/// What `file` holds; nullopt when that is more than `most` bytes. Throws Error (usage).
std::optional<std::string> read_own_file(int file, std::size_t most, const std::string& path);

/// Why a file or directory is not `owner`'s alone to write; empty when it is.
std::string not_own(const struct stat& info, uid_t owner);

}  // namespace edagen
