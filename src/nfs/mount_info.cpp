#include "nfs/mount_info.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libmount/libmount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <sstream>

#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

/// The text of a file of /proc; empty where there is no such file.
std::string text_or_nothing(const char* path) {
  try {
    return read_text_file(path, largest_result);
  } catch (const Error&) {
    return "";
  }
}

std::string text_or_none(const char* text) { return text == nullptr ? "" : text; }

/// The options of a mount, and those of its file system that do not stand there, as "rw" does mostly.
std::string with_more(std::string options, const std::string& more) {
  const auto known = parse_mount_options(options), added = parse_mount_options(more);
  if (!known || !added) return options + "," + more;
  for (const MountOption& each : *added) {
    const bool stands_there = std::ranges::any_of(
        *known, [&](const MountOption& option) { return option.name == each.name && option.value == each.value; });
    if (!stands_there) options += "," + each.name + (each.value.empty() ? "" : "=" + each.value);
  }
  return options;
}

std::string hint_for_no_path(const std::string& text) {
  for (const char* const scheme : {"sim:", "nfs://", "posix:"})
    if (text.starts_with(scheme)) return "--target " + text;
  return text.find(":/") == std::string::npos ? ""
                                              : "an export is mounted first, or used as --target nfs://SERVER/PATH";
}

/// The path without links, of what is mounted there by then: an automounter mounts when something below its mount point
/// is looked up, and not when the mount point itself is. Throws Error (usage), which calls it `name`.
std::string mounted_path(const std::string& path, const std::string& name) {
  struct stat info {};
  if (::stat((path + "/.").c_str(), &info) != 0 && errno != ENOTDIR) {
    throw usage_error(name, std::strerror(errno), errno == ENOENT ? hint_for_no_path(path) : "");
  }
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr) throw usage_error(name, std::strerror(errno));
  return real;
}

MountInfo mount_or_unknown(const std::string& real, const std::vector<MountInfo>& mounts) {
  const MountInfo* const found = mount_at(real, mounts);
  return found == nullptr ? MountInfo{"", "/", "unknown", "unknown", ""} : *found;
}

/// The path without links of a directory that is to be written.
std::string writable_directory(const std::string& path) {
  const std::string name = "mount " + path;
  std::string real = mounted_path(path, name);
  struct stat info {};
  if (::stat(real.c_str(), &info) != 0) throw usage_error(name, std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) throw usage_error(name, "is not a directory");
  if (::faccessat(AT_FDCWD, real.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return real;
  if (errno == EROFS) throw usage_error(name, "is mounted read-only");
  throw usage_error(name, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace

bool MountInfo::local_locks() const {
  // As a rule these keep locks in this kernel, for each mount: sshfs, shares of a virtual machine's host.
  if (fstype.starts_with("fuse") || fstype == "virtiofs" || fstype == "9p") return true;
  const std::string locks = option_value(options, "local_lock").value_or("");
  return is_nfs() && (has_option(options, "nolock") || locks == "all" || locks == "flock");
}

std::vector<MountInfo> parse_mountinfo(std::string_view text) {
  std::vector<MountInfo> mounts;
  if (text.empty()) return mounts;
  std::string copy(text);  // fmemopen wants a buffer that may be written
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fmemopen(copy.data(), copy.size(), "r"), std::fclose);
  const std::unique_ptr<libmnt_table, void (*)(libmnt_table*)> table(::mnt_new_table(), ::mnt_unref_table);
  const std::unique_ptr<libmnt_iter, void (*)(libmnt_iter*)> lines(::mnt_new_iter(MNT_ITER_FORWARD), ::mnt_free_iter);
  if (!stream || !table || !lines) throw std::bad_alloc();
  ::mnt_table_parse_stream(table.get(), stream.get(), "mountinfo");
  libmnt_fs* line = nullptr;
  while (::mnt_table_next_fs(table.get(), lines.get(), &line) == 0) {
    if (::mnt_fs_get_root(line) == nullptr) continue;  // libmount has taken the text for an fstab
    const dev_t device = ::mnt_fs_get_devno(line);
    mounts.push_back(
        {fmt::format("{}:{}", major(device), minor(device)), text_or_none(::mnt_fs_get_target(line)),
         text_or_none(::mnt_fs_get_fstype(line)), text_or_none(::mnt_fs_get_source(line)),
         with_more(text_or_none(::mnt_fs_get_vfs_options(line)), text_or_none(::mnt_fs_get_fs_options(line))),
         ::mnt_fs_get_id(line), ::mnt_fs_get_parent_id(line), text_or_none(::mnt_fs_get_root(line))});
  }
  return mounts;
}

std::vector<MountInfo> read_mountinfo() { return parse_mountinfo(text_or_nothing("/proc/self/mountinfo")); }

const MountInfo* mount_at(const std::string& real, const std::vector<MountInfo>& mounts) {
  std::set<int> ids;
  for (const MountInfo& mount : mounts) ids.insert(mount.id);
  const auto is_first = [&](const MountInfo& mount) { return mount.parent == mount.id || !ids.contains(mount.parent); };
  const auto leads_there = [&](const std::string& point) {
    return point == "/" || real == point || real.starts_with(point + "/");
  };
  const MountInfo* at = nullptr;
  for (const MountInfo& mount : mounts)
    if (is_first(mount) && leads_there(mount.mount_point) &&
        (at == nullptr || mount.mount_point.size() >= at->mount_point.size()))
      at = &mount;
  // As the kernel walks a path: what is mounted nearest to a mount's root hides all that is mounted further down.
  for (std::size_t steps = 0; at != nullptr && steps < mounts.size(); ++steps) {
    const MountInfo* next = nullptr;
    for (const MountInfo& mount : mounts)
      if (mount.parent == at->id && !is_first(mount) && leads_there(mount.mount_point) &&
          (next == nullptr || mount.mount_point.size() <= next->mount_point.size()))
        next = &mount;
    if (next == nullptr) break;
    at = next;
  }
  return at;
}

std::string export_server(const std::string& source) { return source.substr(0, source.find(":/")); }

std::string export_path(const std::string& source) {
  const auto colon = source.find(":/");
  return colon == std::string::npos ? source : source.substr(colon + 1);
}

NfsFsids parse_nfs_volumes(std::string_view text) {
  NfsFsids fsids;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string version, server, port, device, fsid;
    if (words >> version >> server >> port >> device >> fsid && device.find(':') != std::string::npos)
      fsids[device] = fsid;
  }
  return fsids;
}

std::string volume_of(const MountInfo& mount, const NfsFsids& fsids) {
  if (!mount.is_nfs()) return mount.device;
  const auto fsid = fsids.find(mount.device);
  return fsid != fsids.end() ? "NFS file system " + fsid->second : "NFS export " + export_path(mount.source);
}

MountInfo mount_info_of(const std::string& path) {
  const std::string real = mounted_path(path, path);
  return mount_or_unknown(real, read_mountinfo());
}

std::vector<MountDirectory> check_mounts(const std::vector<std::string>& directories) {
  std::vector<MountDirectory> found;
  for (const std::string& path : directories) {
    const std::string real = writable_directory(path);
    for (const MountDirectory& other : found)
      if (other.real == real) throw usage_error("mount " + path, "is the same directory as " + other.path);
    found.push_back({path, real, {}, {}});
  }
  const std::vector<MountInfo> mounts = read_mountinfo();
  const NfsFsids fsids = parse_nfs_volumes(text_or_nothing("/proc/fs/nfsfs/volumes"));
  for (MountDirectory& each : found) {
    each.info = mount_or_unknown(each.real, mounts);
    if (each.info.fstype == "autofs")
      throw usage_error("mount " + each.path, "is the automounter's, which has mounted nothing there",
                        "name a directory that it mounts");
    each.volume = volume_of(each.info, fsids);
  }
  return found;
}

}  // namespace edagen
