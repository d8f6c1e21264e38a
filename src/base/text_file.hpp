// The only reader of files from users and of the kernel's tables in /proc.
#pragma once

#include <sys/stat.h>

#include <string>

#include "edagen/units.hpp"

namespace edagen {

inline constexpr Bytes largest_definition = 4 * MiB;  ///< workloads, volumes, tunings, fio jobs
inline constexpr Bytes largest_result = 256 * MiB;    ///< results, journals

/// The whole of a regular file of at most `most` bytes. Throws Error (usage) when it cannot be read, is larger, or is a
/// directory, a FIFO, a device or a socket. Never blocks.
std::string read_text_file(const std::string& path, Bytes most);

/// The same for an open file; `path` is for messages.
std::string read_text_file(int file, const std::string& path, Bytes most);

/// The kind of a file that is not regular: "a directory", "a FIFO"; empty for a regular file.
std::string irregular_kind(const struct stat& info);

}  // namespace edagen
