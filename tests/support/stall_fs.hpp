// The stalling file system (tests/stall_fs) while a test uses it.
#pragma once

#include <memory>
#include <string>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {

/// A mount of the stalling file system. Each mount has file locks of its own.
class StallMount {
 public:
  /// Passes `source` through at `mount`, and takes orders from the file `control`.
  StallMount(const std::string& source, const std::string& mount, const std::string& control);
  ~StallMount();
  bool mounted() const { return mounted_; }  ///< false where FUSE is not to be had
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Program server_;
  bool mounted_ = false;
};

class StallFs {
 public:
  StallFs();
  ~StallFs();
  bool mounted() const { return mount_->mounted(); }  ///< false where FUSE is not to be had
  const std::string& path() const { return mount_->path(); }
  void order(const std::string& order) const;  ///< see tests/stall_fs/stall_fs.cpp
  /// The same files by another mount.
  std::unique_ptr<StallMount> mounted_again() const { return mounted_at("again"); }

 private:
  std::unique_ptr<StallMount> mounted_at(const char* name) const;

  TemporaryDirectory base_;
  std::unique_ptr<StallMount> mount_;
};

}  // namespace edagen::testing
