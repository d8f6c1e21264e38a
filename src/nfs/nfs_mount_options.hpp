// Which mount options a tuning may have.
#pragma once

#include <set>
#include <string>

namespace edagen {

/// The options of nfs(5) and of the kernel's NFS client, and those of mount(8) that it takes for every file system.
const std::set<std::string>& nfs_mount_options();

/// Comments (x-systemd.automount) are options as well.
bool is_nfs_mount_option(const std::string& name);

/// With this option of mount(8), mount changes another mount, makes a directory or carries out a program.
bool has_other_effects(const std::string& name);

}  // namespace edagen
