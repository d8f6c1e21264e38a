// The one way in which files that people hand in, and the kernel's tables in /proc, are read.
#pragma once

#include <sys/stat.h>

#include <string>

#include "edagen/units.hpp"

namespace edagen {

inline constexpr Bytes largest_definition = 4 * MiB;  ///< workloads, volumes, tunings, fio jobs
inline constexpr Bytes largest_result = 256 * MiB;    ///< results, journals

/// The whole of a regular file of at most `most` bytes. Throws Error (usage) when it cannot be read, is larger, or is a
/// directory, a FIFO, a device or a socket: none of these ever blocks it.
std::string read_text_file(const std::string& path, Bytes most);

/// The same of an open file; `path` is for messages.
std::string read_text_file(int file, const std::string& path, Bytes most);

/// What a file is when it is not a regular one: "a directory", "a FIFO"; empty for a regular one.
std::string irregular_kind(const struct stat& info);

}  // namespace edagen
