// The kernel's table of mounts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace edagen {

/// A line of /proc/self/mountinfo (proc_pid_mountinfo(5)), its escapes resolved.
struct MountInfo {
  std::string device;  ///< "major:minor": equal for mounts that share a superblock
  std::string mount_point;
  std::string fstype;
  std::string source;        ///< "server:/export" for NFS
  std::string options = {};  ///< of the mount, then of the superblock, comma-separated
  int id = -1;               ///< of the mount, as in /proc/PID/fdinfo
  int parent = -1;           ///< the id of the mount that it is mounted on
  std::string root = {};     ///< the directory of the file system that is mounted; "/" for NFS

  bool is_nfs() const { return fstype == "nfs" || fstype == "nfs4"; }
  /// Other hosts, or other mounts on this one, may not see locks that are taken here: an NFS mount with nolock, or a
  /// local_lock that includes flock; FUSE, virtiofs and 9p.
  bool local_locks() const;
};

/// Lines that libmount cannot read are left out, all of them when the first is no line of mountinfo.
std::vector<MountInfo> parse_mountinfo(std::string_view text);

/// The mounts of this process's name space; empty where there is no such file.
std::vector<MountInfo> read_mountinfo();

/// The mount that the kernel reaches at `real`, a path without links: mount points can be stacked, and a mount can be
/// hidden by another one further up. nullptr when the table has no mount there.
const MountInfo* mount_at(const std::string& real, const std::vector<MountInfo>& mounts);

/// The parts of SERVER:/PATH, the source of an NFS mount. SERVER may be an IPv6 address, PATH may hold colons.
std::string export_server(const std::string& source);
std::string export_path(const std::string& source);

/// The server's file system ids by device ("major:minor"), as in /proc/fs/nfsfs/volumes.
using NfsFsids = std::map<std::string, std::string>;
NfsFsids parse_nfs_volumes(std::string_view text);

/// Equal for mounts of one volume. An NFS volume has the server's file system id, by whatever address, path and version
/// it is mounted. Where that id is not known, as in a container, mounts of one path are taken for one volume.
std::string volume_of(const MountInfo& mount, const NfsFsids& fsids);

/// Whether a volume is known by its export path alone: exports of two servers may have one path.
inline bool is_volume_by_path(const std::string& volume) { return volume.starts_with("NFS export "); }

/// Equal for volumes that may share their space. Without ids, exports of several paths, or bind mounts of several
/// directories, may be of one file system: they count as one, as a dataset that is too small does less harm.
inline std::string space_of(const std::string& volume) {
  return is_volume_by_path(volume) ? "NFS exports without an id" : volume;
}

/// A directory that the user has named as a mount, and the mount it lies on.
struct MountDirectory {
  std::string path;  ///< as given
  std::string real;  ///< without links
  MountInfo info;

  std::string volume;  ///< volume_of()
};

/// The mount that `path` lies on, after an automounter has mounted it. Throws Error (usage) when there is no such path.
MountInfo mount_info_of(const std::string& path);

/// Has an automounter mount them all before the mount table is read. Throws Error (usage) that names the first
/// directory that is missing, is no directory, is read-only or not writable, is there twice, or is the automounter's
/// own. Changes nothing.
std::vector<MountDirectory> check_mounts(const std::vector<std::string>& directories);

}  // namespace edagen
