// What a file system has room for.
#pragma once

#include <optional>
#include <string>

namespace edagen {

struct FreeSpace {
  double bytes = 0;              ///< without what is reserved for root
  std::optional<double> inodes;  ///< nullopt: the file system has no limit of its own
};

/// In the file system of `path`. nullopt with errno.
std::optional<FreeSpace> free_space(const std::string& path);

}  // namespace edagen
