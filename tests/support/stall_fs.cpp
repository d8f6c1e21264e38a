#include "support/stall_fs.hpp"

#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "support/paths.hpp"

namespace edagen::testing {

StallFs::StallFs() {
  for (const char* const name : {"source", "mount"}) std::filesystem::create_directory(base_ / name);
  order("none");
  server_ = std::make_unique<Program>(
      std::vector<std::string>{build_path("tests/stall_fs"), base_ / "source", path(), base_ / "control"});
  struct stat below {
  }, above{};
  ::stat(base_.path().c_str(), &below);
  const auto has_ended = [&] {  // where FUSE is not to be had
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(server_->pid()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == server_->pid();
  };
  for (int i = 0; i < 12'000 && !mounted_; ++i) {
    mounted_ = ::stat(path().c_str(), &above) == 0 && above.st_dev != below.st_dev;
    if (!mounted_ && has_ended()) break;
    if (!mounted_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

StallFs::~StallFs() {
  order("none");
  if (mounted_) Program({"fusermount3", "-u", "-z", path()}).wait();
}

void StallFs::order(const std::string& order) const {
  base_.write("control.new", order + "\n");
  std::filesystem::rename(base_ / "control.new", base_ / "control");
}

}  // namespace edagen::testing
