#include "session/file_location.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>

#include "base/beneath.hpp"
#include "base/descriptor.hpp"
#include "base/destination.hpp"
#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_marker.hpp"
#include "nfs/mount_info.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

/// Without links, also without those of a last name that leads to nothing.
fs::path real_path(const std::string& path) {
  std::error_code ignored;
  try {
    return fs::weakly_canonical(destination_of(path).path(), ignored);
  } catch (const std::system_error&) {  // a directory of it is missing
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  }
}

fs::path existing_part(fs::path path) {
  std::error_code ignored;
  while (path.has_relative_path() && !fs::is_directory(path, ignored)) path = path.parent_path();
  return path;
}

/// The file system and the path in it: equal for all bind mounts, and for NFS mounts of one export and of directories
/// in it. The server's addresses may differ.
std::string in_file_system(const fs::path& real, const fs::path& existing) {
  const Descriptor directory(::open(existing.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const auto mounts = read_mountinfo();
  const auto mount = std::ranges::find(mounts, directory ? mount_id(directory.get()) : -1, &MountInfo::id);
  if (mount == mounts.end()) return real.string();
  const fs::path root = mount->is_nfs()
                            ? mount->source.substr(std::min(mount->source.find(":/"), mount->source.size() - 1) + 1)
                            : mount->root;
  const std::string path = (root / real.lexically_relative(mount->mount_point)).lexically_normal().string();
  return (mount->is_nfs() ? "nfs" : mount->device) + ":" + path;
}

struct stat stat_of_path(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) info.st_nlink = 0;
  return info;
}

/// Calls `visit` with `directory` and all above it, until it returns true.
bool any_above(const std::string& directory, const std::function<bool(int)>& visit) {
  Descriptor at(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat here {
  }, above{};
  while (at && ::fstat(at.get(), &here) == 0) {
    if (visit(at.get())) return true;
    Descriptor next(::openat(at.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!next || ::fstat(next.get(), &above) != 0) break;
    if (above.st_ino == here.st_ino && above.st_dev == here.st_dev) break;  // the root
    at = std::move(next);
  }
  return false;
}

}  // namespace

FileLocation::FileLocation(const std::string& path) {
  const fs::path real = real_path(path), existing = existing_part(real);
  existing_ = existing.string();
  in_file_system_ = in_file_system(real, existing);
}

bool FileLocation::is_in_dataset_of(const std::string& mount) const {
  const fs::path real = real_path(mount + "/" + dataset_directory);
  if ((in_file_system_ + "/").starts_with(in_file_system(real, existing_part(real)) + "/")) return true;
  const struct stat data = stat_of_path(real.string());
  return data.st_nlink != 0 && any_above(existing_, [&](int directory) {
           struct stat info {};
           return ::fstat(directory, &info) == 0 && info.st_ino == data.st_ino && info.st_dev == data.st_dev;
         });
}

bool FileLocation::is_in_a_dataset() const {
  const auto has_marker = [](int directory) {
    struct stat info {};
    return ::fstatat(directory, marker_name, &info, AT_SYMLINK_NOFOLLOW) == 0;
  };
  if (any_above(existing_, has_marker)) return true;
  // A bind mount of a directory in a dataset: the directory with the marker is not above it.
  const fs::path inside = in_file_system_.substr(in_file_system_.find(':') + 1);
  const bool is_named = std::ranges::find(inside, fs::path(dataset_directory)) != inside.end();
  const fs::path outside = existing_;
  return is_named && std::ranges::find(outside, fs::path(dataset_directory)) == outside.end();
}

}  // namespace edagen
