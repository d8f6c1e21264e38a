// The data files that a proc at depth keeps open.
#pragma once

#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "edagen/units.hpp"

namespace edagen {

struct OpenFile {
  std::uint64_t index = 0;  ///< of the data file
  int flags = 0;
  int handle = -1;       ///< a descriptor, or its number with the queue
  unsigned users = 0;    ///< ops in flight on it
  bool written = false;  ///< since it was opened
};

/// Not thread-safe. Small: searched from one end to the other.
class OpenFiles {
 public:
  OpenFile* find(std::uint64_t index, int flags) const {
    return find_if([&](const OpenFile& file) { return file.index == index && file.flags == flags; });
  }
  /// The one that a session has open.
  OpenFile* find_session(std::uint64_t index, bool writing) const {
    const int mode = writing ? O_WRONLY : O_RDONLY;
    return find_if([&](const OpenFile& file) { return file.index == index && (file.flags & O_ACCMODE) == mode; });
  }
  /// One to close before another is opened; nullptr while there are fewer than `kept`.
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

  static constexpr unsigned most = 64;  ///< that are worth keeping

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
