#include "load/throttling.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string mount_line(const std::filesystem::path& root, const std::filesystem::path& at, const std::string& type,
                       const std::string& options) {
  return fmt::format("32 31 0:29 {} {} rw,relatime shared:5 - {} none rw,{}\n", root.string(), at.string(), type,
                     options);
}

/// The longest time of a group, since all of them were made.
Nanos throttled_time(const std::string& cgroups, const std::string& mounts) {
  Nanos most{0};
  for (const auto& [group, time] : throttled_times(cgroups, mounts)) most = std::max(most, time);
  return most;
}

TEST(Throttling, IsReadFromTheGroupOfEitherVersion) {
  const TemporaryDirectory one, two;
  write(std::filesystem::path(one.path()) / "batch/job/cpu.stat",
        "nr_periods 10\nnr_throttled 4\nthrottled_time 250000000\n");
  EXPECT_EQ(
      throttled_time("2:cpuacct:/\n1:cpuset,cpu:/batch/job\n", mount_line("/", one.path(), "cgroup", "cpu,cpuset")),
      250ms);
  write(std::filesystem::path(two.path()) / "job/cpu.stat",
        "usage_usec 7\nnr_periods 10\nnr_throttled 4\nthrottled_usec 120000\n");
  EXPECT_EQ(throttled_time("0::/job\n", mount_line("/", two.path(), "cgroup2", "nsdelegate")), 120ms);
}

TEST(Throttling, TheLimitOfAGroupAboveCountsToo) {
  const TemporaryDirectory mount;
  write(std::filesystem::path(mount.path()) / "pod/cpu.stat", "throttled_usec 900\n");
  write(std::filesystem::path(mount.path()) / "pod/container/cpu.stat", "throttled_usec 300\n");
  EXPECT_EQ(throttled_time("0::/pod/container\n", mount_line("/", mount.path(), "cgroup2", "x")), 900us);
}

TEST(Throttling, IsThatOfAGroupBetweenTwoReadingsHoweverLongAGroupAboveWasHeldUpBefore) {
  const TemporaryDirectory mount;
  const auto times = [&] {
    return throttled_times("0::/pod/container\n", mount_line("/", mount.path(), "cgroup2", "x"));
  };
  write(std::filesystem::path(mount.path()) / "pod/cpu.stat", "throttled_usec 900000000\n");
  write(std::filesystem::path(mount.path()) / "pod/container/cpu.stat", "throttled_usec 300\n");
  const ThrottledTimes before = times();
  EXPECT_EQ(most_throttled(before, times()), 0ns);
  write(std::filesystem::path(mount.path()) / "pod/container/cpu.stat", "throttled_usec 5000300\n");
  EXPECT_EQ(most_throttled(before, times()), 5s);
  EXPECT_EQ(most_throttled({}, times()), 0ns) << "a group that this process was moved to";
}

TEST(Throttling, InAContainerTheMountPointMayBeTheGroup) {
  const TemporaryDirectory mount;
  write(std::filesystem::path(mount.path()) / "cpu.stat", "throttled_time 5000\n");
  EXPECT_EQ(throttled_time("1:cpu:/docker/a\n", mount_line("/docker/a", mount.path(), "cgroup", "cpu")), 5us);
  EXPECT_EQ(throttled_time("1:cpu:/docker/a\n", mount_line("/elsewhere", mount.path(), "cgroup", "cpu")), 5us);
}

TEST(Throttling, WithoutGroupsThereIsNone) {
  EXPECT_EQ(throttled_time("", ""), 0ns);
  EXPECT_EQ(throttled_time("0::/job\n", "nonsense\n"), 0ns);
}

}  // namespace
}  // namespace edagen::testing
