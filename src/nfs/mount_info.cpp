#include "nfs/mount_info.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "edagen/error.hpp"
#include "base/text_file.hpp"

namespace edagen {
namespace {

/// The kernel writes space, tab, newline and backslash as \ooo.
std::string unescape(std::string_view text) {
  const auto octal = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
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

std::vector<MountInfo> read_mountinfo() {
  try {
    return parse_mountinfo(read_text_file("/proc/self/mountinfo", largest_result));
  } catch (const Error&) {  // no /proc
    return {};
  }
}

}  // namespace

bool MountInfo::local_locks() const {
  const std::string all = "," + options + ",";
  const auto has = [&](const char* option) { return all.find(option) != std::string::npos; };
  return is_nfs() && (has(",nolock,") || has(",local_lock=all,") || has(",local_lock=flock,"));
}

std::vector<MountInfo> parse_mountinfo(std::string_view text) {
  // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
  std::vector<MountInfo> mounts;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string id, parent, root, options, field, super_options;
    MountInfo mount;
    if (!(fields >> id >> parent >> mount.device >> root >> mount.mount_point >> options)) continue;
    while (fields >> field && field != "-") {
    }
    if (!(fields >> mount.fstype >> mount.source)) continue;
    fields >> super_options;
    mount.mount_point = unescape(mount.mount_point);
    mount.source = unescape(mount.source);
    mount.options = unescape(super_options.empty() ? options : options + "," + super_options);
    mounts.push_back(std::move(mount));
  }
  return mounts;
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
    const std::string key = !mount.is_nfs() ? mount.device
                                            : fmt::format("{} {} {} {}", mount.source.substr(mount.source.rfind(':') + 1),
                                                          volume.f_blocks, volume.f_files, volume.f_bavail);
    found.push_back({path, real, mount, key});
  }
  return found;
}

}  // namespace edagen
