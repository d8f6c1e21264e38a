#include "support/stall_fs.hpp"

#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "support/paths.hpp"

namespace edagen::testing {

StallMount::StallMount(const std::string& source, const std::string& mount, const std::string& control)
    : path_(mount), server_({build_path("tests/stall_fs"), source, mount, control}) {
  struct stat before {
  }, now{};
  ::stat(source.c_str(), &before);
  const auto has_ended = [&] {  // where FUSE is not to be had
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(server_.pid()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == server_.pid();
  };
  for (int i = 0; i < 12'000 && !mounted_; ++i) {
    mounted_ = ::stat(path_.c_str(), &now) == 0 && now.st_dev != before.st_dev;
    if (!mounted_ && has_ended()) break;
    if (!mounted_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

StallMount::~StallMount() {
  if (mounted_) Program({"fusermount3", "-u", "-z", path_}).wait();
}

StallFs::StallFs() {
  std::filesystem::create_directory(base_ / "source");
  order("none");
  mount_ = mounted_at("mount");
}

StallFs::~StallFs() { order("none"); }

std::unique_ptr<StallMount> StallFs::mounted_at(const char* name) const {
  std::filesystem::create_directory(base_ / name);
  return std::make_unique<StallMount>(base_ / "source", base_ / name, base_ / "control");
}

void StallFs::order(const std::string& order) const {
  base_.write("control.new", order + "\n");
  std::filesystem::rename(base_ / "control.new", base_ / "control");
}

}  // namespace edagen::testing
