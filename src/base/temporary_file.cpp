#include "base/temporary_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <random>

namespace edagen {

Descriptor temporary_file(int directory, int flags) {
  Descriptor file(::openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600));
  // This try does not distinguish a refusal of O_TMPFILE from a refusal of `flags`; the second try does.
  if (file || errno == EACCES || errno == ENOSPC || errno == EROFS || errno == EMFILE) return file;
  std::random_device random;
  char name[40];
  std::snprintf(name, sizeof name, ".edagen-%08x%08x", random(), random());
  // A file system may make the file before it refuses O_DIRECT: its name must be removed then, too.
  file = Descriptor(::openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return file;
  Descriptor again(flags == 0 ? -1 : ::openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags));
  const int error = errno;
  ::unlinkat(directory, name, 0);
  errno = error;
  return flags == 0 ? std::move(file) : std::move(again);
}

}  // namespace edagen
