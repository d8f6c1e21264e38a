// What is mounted where, as the kernel says it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace edagen {

/// A line of /proc/self/mountinfo (proc_pid_mountinfo(5)), its escapes resolved.
struct MountInfo {
  std::string device;  ///< "major:minor": equal for mounts that share a superblock
  std::string mount_point;
  std::string fstype;
  std::string source;   ///< "server:/export" for NFS
  std::string options;  ///< of the mount, then of the superblock, comma-separated

  bool is_nfs() const { return fstype == "nfs" || fstype == "nfs4"; }
  /// Other hosts do not see locks that are taken here: an NFS mount with nolock, or local_lock that says so.
  bool local_locks() const;
};

/// Lines that libmount cannot read are left out, all of them when the first is no line of mountinfo.
std::vector<MountInfo> parse_mountinfo(std::string_view text);

/// Of this process's name space; empty where there is no such file.
std::vector<MountInfo> read_mountinfo();

/// A directory that the user has named as a mount, and the mount it lies on.
struct MountDirectory {
  std::string path;  ///< as given
  std::string real;  ///< without links
  MountInfo info;

  std::string volume;  ///< equal for directories that share their space
};

/// The mount that `path` lies on. Throws Error (usage) when there is no such path.
MountInfo mount_info_of(const std::string& path);

/// Throws Error (usage) that names the first directory that is missing, is no directory, is read-only or not writable,
/// or is there twice. Changes nothing.
std::vector<MountDirectory> check_mounts(const std::vector<std::string>& directories);

}  // namespace edagen
