#include "nfs/host_changes.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory, testing::text_of;

/// A host with two sysctls.
class Host : public ::testing::Test {
 protected:
  Host() {
    fs::create_directories(here_ / "sys/vm");
    fs::create_directories(here_ / "sys/net/ipv4");
    fs::create_directory(here_ / "run");
    here_.write("sys/vm/dirty_ratio", "20\n");
    here_.write("sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
  }
  HostPlaces places() const { return {here_ / "sys", here_ / "run"}; }
  std::string ratio() const { return text_of(here_ / "sys/vm/dirty_ratio"); }
  std::string record() const { return text_of(here_ / "run/edagen-compare.sysctls"); }
  /// As a comparison does that is killed.
  void change_and_be_killed() const {
    const pid_t child = ::fork();
    if (child == 0) {
      HostChanges host(places());
      host.set("vm.dirty_ratio", "33");
      host.set("net.ipv4.tcp_rmem", "1 2 3");
      host.set("vm.dirty_ratio", "44");
      ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }

  TemporaryDirectory here_;
};

TEST_F(Host, ValuesBeforeAComparisonThatWasKilledAreRestoredByTheNext) {
  change_and_be_killed();
  EXPECT_EQ(ratio(), "44");
  EXPECT_EQ(HostChanges::left_behind(places()).size(), 2u);
  EXPECT_EQ(ratio(), "44") << "that only looks";
  const HostChanges next(places());
  EXPECT_EQ(ratio(), "20");
  EXPECT_EQ(next.value("net.ipv4.tcp_rmem"), "4096 131072 6291456");
  EXPECT_EQ(record(), "");
}

TEST_F(Host, ValuesAreRecordedBeforeTheyAreSetAndForgottenWhenAllIsAsItWas) {
  {
    HostChanges host(places());
    EXPECT_TRUE(host.set("vm.dirty_ratio", "33"));
    EXPECT_EQ(record(), "vm.dirty_ratio 20\n");
    EXPECT_TRUE(host.set_back("vm.dirty_ratio", "20"));
  }
  EXPECT_TRUE(fs::is_empty(here_ / "run"));
}

TEST_F(Host, ValuesAreSetBackBeforeTheProcessEndsAtOnce) {
  HostChanges::set_back_before_exit();
  HostChanges host(places());
  host.set("vm.dirty_ratio", "33");
  HostChanges::set_back_before_exit();
  EXPECT_EQ(ratio(), "20");
}

TEST_F(Host, AValueThatWasNotSetBackStaysRecorded) {
  {
    HostChanges host(places());
    host.set("vm.dirty_ratio", "33");
  }
  EXPECT_EQ(record(), "vm.dirty_ratio 20\n");
  EXPECT_EQ(HostChanges::left_behind(places()),
            std::vector<std::string>{"vm.dirty_ratio is 33 and was 20 before a comparison that was killed"});
}

TEST_F(Host, AValueThatCannotBeSetBackIsAnErrorBeforeAnythingIsMeasured) {
  change_and_be_killed();
  fs::remove(here_ / "sys/vm/dirty_ratio");
  fs::create_symlink("/proc/version", here_ / "sys/vm/dirty_ratio");  // it can be read, and not written
  EXPECT_THROW(HostChanges{places()}, Error);
}

TEST_F(Host, ARecordThatWasCutOffRestoresItsWholeLines) {
  here_.write("run/edagen-compare.sysctls", "vm.dirty_ratio 25\nnet.ipv4.tcp_rmem 40");
  ::chmod((here_ / "run/edagen-compare.sysctls").c_str(), 0600);
  const HostChanges next(places());
  EXPECT_EQ(ratio(), "25");
  EXPECT_EQ(next.value("net.ipv4.tcp_rmem"), "4096 131072 6291456");
}

TEST_F(Host, AValueThatCannotBeRecordedIsNotSetAndLeavesNoPartOfALine) {
  HostChanges host(places());
  {
    const testing::FileSizeLimit limit(8);
    EXPECT_THROW(host.set("vm.dirty_ratio", "33"), Error);
  }
  EXPECT_EQ(ratio(), "20\n");
  EXPECT_TRUE(host.set("vm.dirty_ratio", "33"));
  EXPECT_EQ(record(), "vm.dirty_ratio 20\n");
  EXPECT_TRUE(host.set_back("vm.dirty_ratio", "20"));
}

TEST_F(Host, DirectoriesThatNothingIsMountedOnAreRemovedByTheNextUnlessSomethingIsInThem) {
  const std::string empty = HostChanges(places()).make_mount_point(), full = HostChanges(places()).make_mount_point();
  fs::create_directory(full + "/file");
  const HostChanges next(places());
  EXPECT_FALSE(fs::exists(empty));
  EXPECT_TRUE(fs::exists(full + "/file"));
}

/// A process group that looks like a mount on this directory, for so long.
pid_t mount_on(const std::string& directory, const std::string& seconds) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    ::execl("/bin/sh", "/bin/mount", "-c", ("sleep " + seconds + "; :").c_str(), directory.c_str(), nullptr);
    ::_exit(1);
  }
  while (!text_of("/proc/" + std::to_string(child) + "/cmdline").starts_with("/bin/mount")) ::usleep(1000);
  return child;
}

TEST_F(Host, AMountThatAKilledComparisonHasBegunIsWaitedFor) {
  const std::string directory = HostChanges(places()).make_mount_point();
  const pid_t mount = mount_on(directory, "0.3");
  const HostChanges next(places());
  EXPECT_FALSE(fs::exists(directory));
  int status = -1;
  EXPECT_EQ(::waitpid(mount, &status, WNOHANG), mount) << "it has ended";
}

TEST_F(Host, AMountThatDoesNotEndIsNamedAndNothingIsChanged) {
  change_and_be_killed();
  const pid_t mount = mount_on(here_ / "run/edagen-compare-a", "100");
  HostPlaces impatient = places();
  impatient.mount_ends_within = std::chrono::milliseconds(50);
  const std::string error = testing::error_of([&] { const HostChanges next(impatient); });
  EXPECT_NE(error.find("has left process " + std::to_string(mount)), std::string::npos) << error;
  EXPECT_EQ(ratio(), "44");
  ::kill(-mount, SIGKILL);
  ::waitpid(mount, nullptr, 0);
}

TEST_F(Host, ALimitInBytesThatARatioWouldClearIsNamed) {
  const HostChanges host(places());
  EXPECT_EQ(host.lost_with("vm.dirty_ratio"), "") << "this kernel has no limit in bytes";
  here_.write("sys/vm/dirty_bytes", "0\n");
  EXPECT_EQ(host.lost_with("vm.dirty_ratio"), "");
  here_.write("sys/vm/dirty_bytes", "268435456\n");
  EXPECT_EQ(host.lost_with("vm.dirty_ratio"), "vm.dirty_bytes");
  EXPECT_EQ(host.lost_with("vm.dirty_background_ratio"), "") << "each ratio has bytes of its own";
  EXPECT_EQ(host.lost_with("net.ipv4.tcp_rmem"), "");
}

TEST_F(Host, OneComparisonOfTuningsAtATime) {
  const HostChanges first(places());
  EXPECT_THROW(HostChanges{places()}, Error);
}

TEST_F(Host, AComparisonThatCannotEndLetsTheNextOneBeginAndKeepItsRecord) {
  std::optional<HostChanges> first(std::in_place, places());
  EXPECT_TRUE(first->set("vm.dirty_ratio", "33"));
  EXPECT_TRUE(first->set_back("vm.dirty_ratio", "20"));
  first->release();
  HostChanges next(places());
  EXPECT_TRUE(next.set("vm.dirty_ratio", "44"));
  first.reset();
  EXPECT_EQ(record(), "vm.dirty_ratio 20\n");
  EXPECT_TRUE(next.set_back("vm.dirty_ratio", "20"));
}

TEST_F(Host, ARecordThatOthersMayWriteOrThatIsALinkIsRefused) {
  const std::string record = here_.write("run/edagen-compare.sysctls", "vm.dirty_ratio 1\n");
  ::chmod(record.c_str(), 0666);
  EXPECT_THROW(HostChanges{places()}, Error);
  fs::remove(record);
  fs::create_symlink(here_.write("victim", "precious"), record);
  EXPECT_THROW(HostChanges{places()}, Error);
  EXPECT_EQ(text_of(here_ / "victim"), "precious");
  EXPECT_EQ(ratio(), "20\n");
}

}  // namespace
}  // namespace edagen
