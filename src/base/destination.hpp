// Where the path of an output leads: links are judged before they are followed.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// A name in a directory that stays open, so that no link can take the place of what was judged.
struct Destination {
  Descriptor directory;
  std::string name;
  bool is_kernel_link = false;  ///< such as /proc/self/fd/1, which leads to what may have no name

  /// Opens the file; without a descriptor errno says why. Follows no link but one of the kernel.
  Descriptor open(int flags, mode_t mode = 0) const;
  /// False when there is no such file.
  bool status(struct stat& info) const;
  /// A FIFO or a device: what is written there cannot be taken back.
  bool is_stream() const;
  /// The same directory and name.
  bool operator==(const Destination& other) const;
  /// Without links; for messages and comparisons of paths.
  std::string path() const;
};

/// Follows the links of `path` as the kernel would with fs.protected_symlinks = 1, also where that is 0: a link that
/// another user has put into a directory that is sticky and that all may write is refused (EACCES). The last name need
/// not be there. `directory`: when it is not AT_FDCWD, the destination is the last name of `path` in that directory,
/// wherever the rest of `path` leads by now. Throws std::system_error.
Destination destination_of(const std::string& path, int directory = AT_FDCWD);

}  // namespace edagen
