// What a file system has room for.
#pragma once

#include <optional>
#include <string>

#include "edagen/units.hpp"

namespace edagen {

struct FreeSpace {
  std::optional<double> bytes;   ///< without what is reserved for root; nullopt: the file system does not count blocks
  std::optional<double> inodes;  ///< nullopt: the file system has no limit of its own
};

/// Taken for the free bytes where they are not known; a dataset gets a tenth of them. A server or file system that does
/// not count blocks may keep files in memory.
constexpr double space_where_unknown = 5.0 * GiB;

/// In the file system of `path`. nullopt with errno.
std::optional<FreeSpace> free_space(const std::string& path);

}  // namespace edagen
