// The data files that a proc at depth keeps open.
#pragma once

#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "edagen/units.hpp"

namespace edagen {

struct OpenFile {
  std::uint64_t index = 0;  ///< number of the data file
  int flags = 0;
  int handle = -1;       ///< a descriptor, or its number in the ring
  unsigned users = 0;    ///< ops in flight on the file
  bool written = false;  ///< whether it was written since it was opened
  bool opening = false;  ///< the op that opens it is in flight: other ops wait, and there is no handle yet
};

/// Not thread-safe. The list is small and searched linearly.
class OpenFiles {
 public:
  OpenFile* find(std::uint64_t index, int flags) const {
    return find_if([&](const OpenFile& file) { return file.index == index && file.flags == flags; });
  }
  /// The file that a session has open.
  OpenFile* find_session(std::uint64_t index, bool writing) const {
    const int mode = writing ? O_WRONLY : O_RDONLY;
    return find_if([&](const OpenFile& file) { return file.index == index && (file.flags & O_ACCMODE) == mode; });
  }
  /// A file to close before another is opened; nullptr while fewer than `kept` are open.
  OpenFile* surplus(std::size_t kept) const {
    if (files_.size() < kept) return nullptr;
    return find_if([](const OpenFile& file) { return file.users == 0; });
  }
  OpenFile* add(OpenFile file) { return files_.emplace_back(std::make_unique<OpenFile>(file)).get(); }
  std::unique_ptr<OpenFile> take(const OpenFile* file) {
    const auto at = std::find_if(files_.begin(), files_.end(), [&](const auto& other) { return other.get() == file; });
    std::unique_ptr<OpenFile> taken = std::move(*at);
    files_.erase(at);
    return taken;
  }
  const std::vector<std::unique_ptr<OpenFile>>& all() const { return files_; }

  static constexpr unsigned most = 64;  ///< maximum number that is worth keeping

 private:
  template <class F>
  OpenFile* find_if(F f) const {
    for (const auto& file : files_)
      if (f(*file)) return file.get();
    return nullptr;
  }

  std::vector<std::unique_ptr<OpenFile>> files_;
};

}  // namespace edagen
