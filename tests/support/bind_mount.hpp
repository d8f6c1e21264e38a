// A bind mount while a test uses it.
#pragma once

#include <sys/mount.h>

#include <string>

namespace edagen::testing {

class BindMount {
 public:
  BindMount(const std::string& from, std::string at)
      : at_(std::move(at)), mounted_(::mount(from.c_str(), at_.c_str(), nullptr, MS_BIND, nullptr) == 0) {}
  ~BindMount() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  BindMount(const BindMount&) = delete;
  BindMount& operator=(const BindMount&) = delete;

  bool mounted() const { return mounted_; }  ///< false where this is not allowed

 private:
  std::string at_;
  bool mounted_;
};

}  // namespace edagen::testing
