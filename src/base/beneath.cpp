#include "base/beneath.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace edagen {
namespace {

int openat2(int directory, const char* path, const open_how& how) {
  return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
}

bool kernel_has_openat2() {
  static const bool has = [] {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    return Descriptor(openat2(AT_FDCWD, "/", how)) || (errno != ENOSYS && errno != EPERM);
  }();
  return has;
}

Descriptor refused(int error) {
  errno = error;
  return Descriptor();
}

}  // namespace

long mount_id(int fd) {
  char path[48], text[512];
  std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
  const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  const ssize_t length = file ? ::read(file.get(), text, sizeof text - 1) : -1;
  if (length <= 0) return -1;
  text[length] = 0;
  const char* const line = std::strstr(text, "mnt_id:");
  return line == nullptr ? -1 : std::strtol(line + 7, nullptr, 10);
}

open_how beneath(int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;  // openat2 refuses a mode without O_CREAT
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return how;
}

Descriptor open_beneath(int directory, const char* path, int flags, mode_t mode) {
  if (!kernel_has_openat2()) return open_beneath_by_steps(directory, path, flags, mode);
  open_how how = beneath(flags, mode);
  // A single name other than ".." cannot lead out of the directory, and the kernel's check takes a lock of all mounts.
  if (std::strchr(path, '/') == nullptr && std::strcmp(path, "..") != 0) how.resolve &= ~std::uint64_t{RESOLVE_BENEATH};
  return Descriptor(openat2(directory, path, how));
}

Descriptor open_beneath_by_steps(int directory, const char* path, int flags, mode_t mode) {
  const long mount = mount_id(directory);
  if (mount < 0) return refused(ENOSYS);
  Descriptor above;
  int at = directory;
  std::string rest = path;
  for (std::size_t slash; (slash = rest.find('/')) != std::string::npos; rest.erase(0, slash + 1)) {
    const std::string component = rest.substr(0, slash);
    if (component.empty() || component == "..") return refused(EXDEV);
    Descriptor next(::openat(at, component.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next) {
      // On a link the kernel reports ENOTDIR (O_DIRECTORY) before ELOOP (O_NOFOLLOW).
      char ignored;
      const int error = errno;
      return refused(error == ENOTDIR && ::readlinkat(at, component.c_str(), &ignored, 1) >= 0 ? ELOOP : error);
    }
    if (mount_id(next.get()) != mount) return refused(EXDEV);
    above = std::move(next);
    at = above.get();
  }
  if (rest.empty() || rest == "..") return refused(EXDEV);
  // Nothing is truncated before its mount is checked: it could be a foreign file.
  Descriptor last(::openat(at, rest.c_str(), (flags & ~O_TRUNC) | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!last) return last;
  if (mount_id(last.get()) != mount) return refused(EXDEV);
  if ((flags & O_TRUNC) != 0 && ::ftruncate(last.get(), 0) != 0) return refused(errno);
  return last;
}

const char* why_not_beneath(int error) {
  if (error == ELOOP) return "is a symbolic link, or behind one";
  if (error == ENOTDIR) return "is not a directory, but a file or a symbolic link";
  if (error == EXDEV) return "has something else mounted on it";
  return std::strerror(error);
}

}  // namespace edagen
