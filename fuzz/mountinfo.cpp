#include "input.hpp"
#include "nfs/mount_info.hpp"

namespace edagen::fuzz {

void use_mountinfo(const std::string& text) {
  const std::vector<MountInfo> mounts = parse_mountinfo(text);
  for (const MountInfo& mount : mounts) {
    static_cast<void>(mount.local_locks());
    static_cast<void>(mount_at(mount.mount_point, mounts));
    static_cast<void>(volume_of(mount, {}));
  }
  static_cast<void>(parse_nfs_volumes(text));
}

}  // namespace edagen::fuzz
