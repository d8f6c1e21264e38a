// The place to which the path of an output leads: links are checked before they are followed.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// A name in a directory that stays open, so that no link can replace what was checked.
struct Destination {
  Descriptor directory;
  std::string name;
  bool is_kernel_link = false;  ///< such as /proc/self/fd/1, whose target may have no name

  /// Opens the file, following only links of the kernel. An empty Descriptor leaves the reason in errno.
  Descriptor open(int flags, mode_t mode = 0) const;
  /// Returns false when there is no such file.
  bool status(struct stat& info) const;
  /// Whether it is a FIFO or a device: what is written there cannot be taken back.
  bool is_stream() const;
  /// Whether directory and name are the same.
  bool operator==(const Destination& other) const;
  /// The path without links, for messages and comparisons.
  std::string path() const;
};

/// Follows the links of `path` as the kernel would with fs.protected_symlinks = 1, even when that is 0: a link of
/// another user in a sticky directory that all may write is refused (EACCES). The last name need not exist. When
/// `directory` is not AT_FDCWD, the destination is the last name of `path` in that directory, wherever the rest of
/// `path` leads by now. Throws std::system_error.
Destination destination_of(const std::string& path, int directory = AT_FDCWD);

}  // namespace edagen
