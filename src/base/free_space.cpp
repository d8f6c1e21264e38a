#include "base/free_space.hpp"

#include <sys/statvfs.h>

namespace edagen {

std::optional<FreeSpace> free_space(const std::string& path) {
  struct statvfs info {};
  if (::statvfs(path.c_str(), &info) != 0) return std::nullopt;
  FreeSpace space;
  if (info.f_blocks > 0) space.bytes = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
  if (info.f_files > 0) space.inodes = static_cast<double>(info.f_favail);
  return space;
}

}  // namespace edagen
