// A disk that is full when a test wants it.
#pragma once

#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace edagen::testing {

/// A tmpfs of some KiB while a test uses it.
class SmallDisk {
 public:
  SmallDisk(std::string at, int kib) : at_(std::move(at)), kib_(kib) {
    std::filesystem::create_directory(at_);
    mounted_ = ::mount("tmpfs", at_.c_str(), "tmpfs", 0, ("mode=0755,size=" + std::to_string(kib) + "k").c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  void fill() const {
    std::ofstream filler(at_ + "/filler");
    for (int i = 0; i < kib_ && filler; ++i) filler << std::string(1024, 'x') << std::flush;
  }
  void make_room() const { std::filesystem::remove(at_ + "/filler"); }

 private:
  std::string at_;
  int kib_;
  bool mounted_ = false;
};

}  // namespace edagen::testing
