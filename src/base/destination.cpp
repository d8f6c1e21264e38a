#include "base/destination.hpp"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

namespace edagen {
namespace {

constexpr int max_links = 40;  // as in the kernel

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

/// The rule of fs.protected_symlinks, proc_sys_fs(5).
bool may_follow(const struct stat& link, const struct stat& above) {
  const bool is_shared = (above.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
  return !is_shared || link.st_uid == ::geteuid() || link.st_uid == above.st_uid;
}

bool is_procfs(int fd) {
  struct statfs info {};
  return ::fstatfs(fd, &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

std::string text_of_link(int link) {
  char text[PATH_MAX];
  const ssize_t length = ::readlinkat(link, "", text, sizeof text);
  if (length < 0) fail(errno);
  return {text, static_cast<std::size_t>(length)};
}

/// Steps to the directory of `path`, which is relative to the directory of `to`.
void enter(Destination& to, const std::filesystem::path& path) {
  const std::string above = path.parent_path().empty() ? "." : path.parent_path().string();
  to.name = path.filename().empty() ? "." : path.filename().string();
  Descriptor next(
      ::openat(to.directory ? to.directory.get() : AT_FDCWD, above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!next) fail(errno);
  to.directory = std::move(next);
}

}  // namespace

Descriptor Destination::open(int flags, mode_t mode) const {
  return Descriptor(
      ::openat(directory.get(), name.c_str(), flags | O_CLOEXEC | (is_kernel_link ? 0 : O_NOFOLLOW), mode));
}

bool Destination::status(struct stat& info) const {
  return ::fstatat(directory.get(), name.c_str(), &info, is_kernel_link ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
}

bool Destination::is_stream() const {
  struct stat info {};
  return status(info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool Destination::operator==(const Destination& other) const {
  struct stat own {
  }, others{};
  return name == other.name && ::fstat(directory.get(), &own) == 0 && ::fstat(other.directory.get(), &others) == 0 &&
         own.st_ino == others.st_ino && own.st_dev == others.st_dev;
}

std::string Destination::path() const {
  std::error_code ignored;
  const auto above = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(directory.get()), ignored);
  return (above / name).string();
}

Destination destination_of(const std::string& path, int directory) {
  Destination to;
  if (directory != AT_FDCWD) {
    to.directory = Descriptor(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
    to.name = std::filesystem::path(path).filename().string();
    return to;
  }
  // The kernel checks first: it may be stricter, as with the mount option nosymfollow.
  if (!Descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC)) && errno != ENOENT) fail(errno);
  enter(to, path);
  for (int links = 0;; ++links) {
    const Descriptor link(::openat(to.directory.get(), to.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat info {
    }, above{};
    if (!link && errno == ENOENT) return to;
    if (!link || ::fstat(link.get(), &info) != 0 || ::fstat(to.directory.get(), &above) != 0) fail(errno);
    if (!S_ISLNK(info.st_mode)) return to;
    if (!may_follow(info, above)) fail(EACCES);
    if (links == max_links) fail(ELOOP);
    to.is_kernel_link = is_procfs(to.directory.get());
    if (to.is_kernel_link) return to;
    enter(to, text_of_link(link.get()));
  }
}

}  // namespace edagen
