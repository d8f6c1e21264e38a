#include "nfs/mount_info.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libmount/libmount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

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

MountInfo mount_of(const std::string& real, const std::vector<MountInfo>& mounts) {
  const MountInfo* best = nullptr;
  for (const MountInfo& mount : mounts) {
    const std::string& point = mount.mount_point;
    const bool above = point == "/" || real == point || real.starts_with(point + "/");
    if (above && (best == nullptr || point.size() >= best->mount_point.size())) best = &mount;
  }
  return best == nullptr ? MountInfo{"", "/", "unknown", "unknown", ""} : *best;
}

}  // namespace

bool MountInfo::local_locks() const {
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
         with_more(text_or_none(::mnt_fs_get_vfs_options(line)), text_or_none(::mnt_fs_get_fs_options(line)))});
  }
  return mounts;
}

std::vector<MountInfo> read_mountinfo() {
  try {
    return parse_mountinfo(read_text_file("/proc/self/mountinfo", largest_result));
  } catch (const Error&) {  // no /proc
    return {};
  }
}

MountInfo mount_info_of(const std::string& path) {
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr) throw usage_error(path, std::strerror(errno));
  return mount_of(real, read_mountinfo());
}

std::vector<MountDirectory> check_mounts(const std::vector<std::string>& directories) {
  const std::vector<MountInfo> mounts = read_mountinfo();
  std::vector<MountDirectory> found;
  for (const std::string& path : directories) {
    char real[PATH_MAX];
    struct stat info {};
    struct statvfs volume {};
    if (::realpath(path.c_str(), real) == nullptr || ::stat(real, &info) != 0)
      throw usage_error("mount " + path, std::strerror(errno));
    if (!S_ISDIR(info.st_mode)) throw usage_error("mount " + path, "is not a directory");
    if (::statvfs(real, &volume) != 0) throw usage_error("mount " + path, std::strerror(errno));
    if ((volume.f_flag & ST_RDONLY) != 0) throw usage_error("mount " + path, "is mounted read-only");
    if (::faccessat(AT_FDCWD, real, W_OK | X_OK, AT_EACCESS) != 0)
      throw usage_error("mount " + path, std::string("cannot be written: ") + std::strerror(errno));
    for (const MountDirectory& other : found)
      if (other.real == real) throw usage_error("mount " + path, "is the same directory as " + other.path);
    const MountInfo mount = mount_of(real, mounts);
    // One export is often mounted from several addresses of its server: the same path, size and free space.
    const std::string key = !mount.is_nfs()
                                ? mount.device
                                : fmt::format("{} {} {} {}", mount.source.substr(mount.source.rfind(':') + 1),
                                              volume.f_blocks, volume.f_files, volume.f_bavail);
    found.push_back({path, real, mount, key});
  }
  return found;
}

}  // namespace edagen
