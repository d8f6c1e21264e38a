// Nights that end badly: by signals, hangs and full disks.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "nights/history_file.hpp"
#include "support/nightly.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/small_runs.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What the hook has written into a file by now; waits for it.
pid_t pid_in(const std::string& file) {
  for (int i = 0; i < 3000; ++i) {
    pid_t pid = 0;
    if (std::ifstream(file) >> pid && pid > 0) return pid;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return 0;
}

bool is_gone(pid_t pid) {
  for (int i = 0; i < 500; ++i) {
    std::string state;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    if (!(stat >> state >> state >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(NightlyCommand, ASignalEndsTheHookAndWhatItHasStarted) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()},
                                  {{"max_runs", 1},
                                   {"hook",
                                    "trap '' TERM; sleep 300 & echo $! > pid.part; "
                                    "mv pid.part pid; wait; sleep 300"}});
  Program asked(edagen_words({"nightly", "--config", file}));
  const pid_t started_by_hook = pid_in(here / "pid");
  ASSERT_GT(started_by_hook, 0);
  asked.signal(SIGTERM);
  const Outcome outcome = asked.wait();
  EXPECT_EQ(outcome.status, 6) << "the night had ended: its verdict stands";
  EXPECT_NE(outcome.err.find("hook: ended"), std::string::npos) << outcome.err;
  EXPECT_TRUE(is_gone(started_by_hook));
}

TEST(NightlyCommand, ASecondSignalLeavesNoHookBehind) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file =
      config(here, {mounted(here / "volume", "1h")},
             {{"hook", "trap '' TERM; sleep 300 & echo $! > pid.part; mv pid.part pid; wait; sleep 300"}});
  Program asked(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(asked.wait_for_stderr("dir, run 1"));
  asked.signal(SIGTERM);
  const pid_t started_by_hook = pid_in(here / "pid");
  ASSERT_GT(started_by_hook, 0) << "a night that was stopped is told, too";
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // else it is of the first
  asked.signal(SIGTERM);
  EXPECT_EQ(asked.wait().status, 130);
  EXPECT_TRUE(is_gone(started_by_hook));
}

TEST(NightlyCommand, OfTwoAtOnceOneIsRefusedAndTouchesNothing) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file = config(here, {mounted(here / "volume", "1h")}, {{"max_runs", 1}});
  Program first(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(first.wait_for_stderr("run 1"));
  const Outcome second = night(file);
  EXPECT_TRUE(is_refused(second, "another night is going on here"));
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait().status, 130);
  EXPECT_EQ(read_history(here / "history").nights.size(), 1u);
}

TEST(NightlyCommand, ANightThatIsKilledAtAnyPointLeavesAHistoryThatGoesOn) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file = config(here, {mounted(here / "volume", "300ms"), simulated()}, {{"max_runs", 1}});
  for (int point = 0; point < 10; ++point) {
    Program killed(edagen_words({"nightly", "--config", file}));
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + 90 * point));
    killed.signal(SIGKILL);
    killed.wait();
    const Outcome next = night(file);
    EXPECT_TRUE(next.status == 0 || next.status == 6 || next.status == 3) << point << ": " << next.status << next.err;
    const History history = read_history(here / "history");
    EXPECT_EQ(history.nights.back().status, Status::complete) << point;
    EXPECT_EQ(history.left_out, 0u);
  }
  std::size_t complete = 0;
  for (const Night& each : read_history(here / "history").nights) complete += each.status == Status::complete ? 1 : 0;
  EXPECT_GE(complete, 10u);
}

TEST(NightlyCommand, ANightThatIsAskedToEndKeepsWhatItHas) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file = config(here, {simulated(), mounted(here / "volume", "1h")});
  Program asked(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(asked.wait_for_stderr("dir, run 1"));
  asked.signal(SIGTERM);
  EXPECT_EQ(asked.wait().status, 130);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 1u);
  EXPECT_EQ(history.nights[0].status, Status::interrupted);
  EXPECT_EQ(history.nights[0].measurements[0].runs.size(), 1u);
}

TEST(NightlyCommand, ANightEndsAtItsTimeLimit) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const Outcome outcome = night(config(here, {mounted(here / "volume", "1h")}, {{"time_limit", "2s"}}));
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("the night ended at its time limit"), std::string::npos);
  EXPECT_EQ(read_history(here / "history").nights[0].status, Status::failed);
}

TEST(NightlyCommand, AVolumeThatHangsEndsTheNightAtItsTimeLimitWithALineAVerdictAndTheHook) {
  for (const bool has_needs : {true, false}) {
    SCOPED_TRACE(has_needs);
    const TemporaryDirectory here;
    const StallFs volume;
    if (!volume.mounted()) EDAGEN_SKIP("FUSE is not to be had");
    json hanging = mounted(volume.path());
    if (has_needs) hanging["require"] = {{"fs", "fuse"}};
    const std::string file =
        config(here, {simulated(), hanging},
               {{"time_limit", "3s"}, {"max_runs", 1}, {"junit", "n.xml"}, {"hook", "echo told $EDAGEN_VERDICT >&2"}});
    volume.order("hang");  // the root: its leaf has no name
    Program night(edagen_words({"nightly", "--config", file}));
    EXPECT_TRUE(night.wait_for_stderr("told failed"));
    volume.order("none");  // FUSE lets even a process that ends go only when the op has been answered
    const Outcome outcome = night.wait();
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("does not return: ending without it"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("\nfailed: dir: "), std::string::npos) << outcome.out;
    EXPECT_TRUE(fs::exists(here / "n.xml"));
    const History history = read_history(here / "history");
    ASSERT_EQ(history.nights.size(), 1u);
    EXPECT_EQ(history.nights[0].status, Status::failed);
    EXPECT_EQ(history.nights[0].judgement->verdict, NightVerdict::failed);
    EXPECT_FALSE(history.nights[0].measurements[0].runs.empty());
  }
}

TEST(NightlyCommand, AFullDiskIsToldBeforeAnythingIsMeasured) {
  const TemporaryDirectory here;
  const SmallDisk disk(here / "history", 80 * 1024);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  const std::string file = config(here, {simulated()});
  EXPECT_EQ(night(file).status, 6);
  disk.fill();
  const Outcome full = night(file);
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("of room"), std::string::npos) << full.err;
  EXPECT_EQ(read_history(here / "history").nights.size(), 1u);
  disk.make_room();
  EXPECT_EQ(night(file).status, 6);
  EXPECT_EQ(read_history(here / "history").nights.size(), 2u);
}

/// Adds blanks to the last line until the file ends with a page: a full disk then has no room for another line.
void fill_last_page(const std::string& file) {
  constexpr std::size_t page = 4096;
  std::string text = text_of(file);
  ASSERT_TRUE(text.ends_with('\n'));
  text.insert(text.size() - 1, page - text.size() % page, ' ');
  std::ofstream(file) << text;
}

TEST(NightlyCommand, ADiskThatIsFullInTheMiddleOfANightSpoilsNoOther) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const SmallDisk disk(here / "history", 80 * 1024);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  json measurement = mounted(here / "volume", "1s");
  for (const std::string& word : held_until(here.write("go", ""))) measurement["run"].push_back(word);
  const std::string file = config(here, {simulated(), measurement}, {{"max_runs", 1}});
  EXPECT_EQ(night(file).status, 6);
  fill_last_page(here / "history/nights.jsonl");
  fs::remove(here / "go");
  Program full(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(full.wait_for_stderr("dir, run 1"));
  disk.fill();
  here.write("go", "");
  const Outcome outcome = full.wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("the night is not in the history"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("m: mean ms at 300 ops/s  "), std::string::npos) << outcome.out;
  EXPECT_EQ(read_history(here / "history").nights.size(), 1u);
  disk.make_room();
  EXPECT_EQ(night(file).status, 6);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 3u) << "the full one is noted";
  EXPECT_EQ(history.nights[1].status, Status::incomplete);
  EXPECT_EQ(history.nights[2].status, Status::complete);
  EXPECT_EQ(history.left_out, 0u);
}

}  // namespace
}  // namespace edagen::testing
