#include "input.hpp"
#include "nfs/mount_info.hpp"

namespace edagen::fuzz {

void use_mountinfo(const std::string& text) {
  for (const MountInfo& mount : parse_mountinfo(text)) static_cast<void>(mount.local_locks());
}

}  // namespace edagen::fuzz
