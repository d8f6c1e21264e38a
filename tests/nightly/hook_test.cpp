#include "nightly/hook.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

/// The process whose number is in a file, once it is there.
pid_t process_in(const std::string& file) {
  for (int tries = 0; tries < 1000; ++tries) {
    pid_t pid = 0;
    if (std::ifstream(file) >> pid) return pid;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

bool runs(pid_t pid) { return pid > 0 && ::kill(pid, 0) == 0; }

/// Whether a process is gone soon: init takes note of it when it wants to.
bool ends(pid_t pid) {
  for (int tries = 0; tries < 1000 && runs(pid); ++tries) {
    std::string state;
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("State:\tZ")) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !runs(pid);
}

void expect_ended_with_the_hook(const std::string& starts) {
  const testing::TemporaryDirectory here;
  const std::string file = here / "pid";
  std::stop_source stop;
  std::jthread stopper([&] {
    process_in(file);
    stop.request_stop();
  });
  EXPECT_FALSE(run_hook({.command = starts + "\nsleep 1000", .directory = here.path()}, {}, stop.get_token()));
  EXPECT_TRUE(ends(process_in(file))) << starts;
}

TEST(Hook, WhatItStartsInASessionOfItsOwnEndsWithIt) {
  expect_ended_with_the_hook("setsid sh -c 'echo $$ >pid; exec sleep 1000' &");
}

TEST(Hook, WhatItStartsAsADaemonEndsWithIt) {
  expect_ended_with_the_hook("(setsid sh -c 'sh -c \"echo \\$\\$ >pid; exec sleep 1000\" & exit 0' &)");
}

TEST(Hook, WhatIgnoresTheFirstSignalEndsWithIt) {
  expect_ended_with_the_hook("setsid sh -c 'trap \"\" TERM; echo $$ >pid; while :; do sleep 1; done' &");
}

TEST(Hook, WhatItStartsGoesOnWhenItEndsByItself) {
  const testing::TemporaryDirectory here;
  const std::string starts = "setsid sh -c 'echo $$ >pid; exec sleep 1000' & while ! [ -s pid ]; do sleep 0.01; done";
  EXPECT_TRUE(run_hook({.command = starts, .directory = here.path()}, {}, {}));
  const pid_t daemon = process_in(here / "pid");
  EXPECT_TRUE(runs(daemon));
  ::kill(daemon, SIGKILL);
}

}  // namespace
}  // namespace edagen
