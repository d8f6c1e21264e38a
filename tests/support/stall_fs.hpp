// The stalling file system (tests/stall_fs) while a test uses it.
#pragma once

#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {

class StallFs {
 public:
  StallFs();
  ~StallFs();
  bool mounted() const { return mounted_; }  ///< false where FUSE is not to be had
  std::string path() const { return base_ / "mount"; }
  void order(const std::string& order) const;  ///< see tests/stall_fs/stall_fs.cpp

 private:
  TemporaryDirectory base_;
  std::unique_ptr<Program> server_;
  bool mounted_ = false;
};

}  // namespace edagen::testing
