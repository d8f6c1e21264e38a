// A file that grows by whole lines while a run goes on.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// As long as this is there, other processes see by a lock (flock) that the file is in use. Not thread-safe.
class LineFile {
 public:
  /// `what` it is, for messages. `path` - is stdout. `flags`: of open(2), besides those that every such file has.
  /// `directory`: as of destination_of(). Throws Error (usage) when the file cannot be made, or when another run
  /// writes it, whose lines stay.
  LineFile(std::string what, std::string path, int flags, int directory = AT_FDCWD);

  /// Writes a line, whose end is added, at once. A failure is reported once on stderr; the file keeps whole lines
  /// alone, and gets later ones when there is room again. Where nobody reads stdout, std::cout is bad then.
  void add(const std::string& line);
  const std::string& path() const { return path_; }
  /// "3 lines are missing: No space left on device"; empty: it is whole.
  std::string lost() const;
  /// As lost(); or that it is a file that its path does not lead to any more.
  std::string lack() const;
  /// As lack(), or that the storage has not taken all lines: waits until it has, which may take long.
  std::string lack_in_storage() const;
  /// Unless another file has taken its name.
  void remove();

 private:
  Descriptor opened(int flags) const;
  bool is_at_its_path(int flags) const;
  std::string name() const;

  std::string what_, path_;
  int directory_;
  Descriptor file_;
  bool is_file_ = false;  ///< and no terminal or pipe
  off_t size_ = 0;        ///< of the whole lines
  bool torn_ = false;     ///< a part of a line is there and cannot be taken back
  std::size_t lost_ = 0;
  int why_lost_ = 0;  ///< the first errno
};

}  // namespace edagen
