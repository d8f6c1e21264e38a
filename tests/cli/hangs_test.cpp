// What hangs outside of the measured load: in a run, in a comparison or in staleness.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/descriptor.hpp"
#include "support/nightly.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_runs.hpp"
#include "support/stall_fs.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

/// Waits until `program` says `hangs`, interrupts it, and sees that it ends.
void expect_one_signal_ends(Program& program, const std::string& hangs, const StallFs& fs) {
  EXPECT_TRUE(program.wait_for_stderr(hangs));
  program.signal(SIGINT);
  EXPECT_TRUE(program.wait_for_stderr("ending without it"));
  fs.order("none");  // FUSE lets even a killed process go only when the op has been answered
  EXPECT_EQ(program.wait().status, 130);
}

TEST(Hangs, AKeptResultThatCannotBeReadOrWrittenIsNamedAndOneSignalEndsTheComparison) {
  for (const auto& [name, what] : {std::pair<std::string, std::string>{"1-a-1.json", "reading"}, {"", "writing"}}) {
    SCOPED_TRACE(what);
    const StallFs fs;
    if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
    const TemporaryDirectory a, b, here;
    // It begins when the order is there, in which the number of its process is.
    Program compare(
        together({"sh", "-c", "until [ -e \"$0\" ]; do sleep 0.05; done; exec \"$@\"", here / "start"},
                 edagen_words(words_of("compare --volume a=" + a.path() + " --volume b=" + b.path() +
                                       " --phase functional --procs 2 --dataset-scale 0.0001 --rate 100 --warmup 0s "
                                       "--duration 1s --repeat 1 --stuck-after 500ms --results " +
                                       fs.path()))));
    fs.order("hang " + (name.empty() ? "1-a-1.json." + std::to_string(compare.pid()) + ".part" : name));
    here.write("start", "");
    expect_one_signal_ends(compare, what + (name.empty() ? " result " : " ") + fs.path() + "/1-a-1.json", fs);
  }
}

TEST(Hangs, AHistoryOfNightsThatCannotBeReadIsNamedAndOneSignalEndsTheNight) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const TemporaryDirectory here;
  fs.order("hang nights.jsonl");
  nlohmann::json measurement = simulated();
  for (const char* const word : {"--stuck-after", "500ms"}) measurement["run"].push_back(word);
  Program night(edagen_words({"nightly", "--config", config(here, {measurement}, {{"history", fs.path() + "/h"}})}));
  expect_one_signal_ends(night, "opening the history " + fs.path(), fs);
}

TEST(Hangs, AHistoryOfNightsThatCannotBeWrittenIsNamedAndOneSignalEndsTheNight) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const TemporaryDirectory here;
  fs.order("hang edagen.night write");
  nlohmann::json measurement = simulated();
  for (const char* const word : {"--stuck-after", "500ms"}) measurement["run"].push_back(word);
  Program night(edagen_words({"nightly", "--config", config(here, {measurement}, {{"history", fs.path() + "/h"}})}));
  expect_one_signal_ends(night, "writing to " + fs.path() + "/h", fs);
}

TEST(Hangs, AHookInACallThatNotEvenAKillEndsIsLeftBehindAndTheNightEnds) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const TemporaryDirectory here;
  fs.order("hang file");
  Program night(edagen_words(
      {"nightly", "--config",
       config(here, {simulated()},
              {{"max_runs", 1}, {"hook", "trap '' TERM; echo at the file >&2; exec cat " + fs.path() + "/file"}})}));
  EXPECT_TRUE(night.wait_for_stderr("at the file"));  // which cat opens in the 2 s between SIGTERM and SIGKILL
  night.signal(SIGTERM);
  EXPECT_TRUE(night.wait_for_stderr("is in a call that not even SIGKILL ends: it is left behind"));
  fs.order("none");  // until then the hook has this program's stderr open
  EXPECT_EQ(night.wait().status, 6) << "the night had ended: its verdict stands";
}

TEST(Hangs, AFileThatStalenessWritesIsNamedAndOneSignalEndsIt) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs.order("hang f2");
  Program staleness(
      edagen_words({"staleness", "--writer", fs.path(), "--reader", fs.path(), "--stuck-after", "500ms"}));
  expect_one_signal_ends(staleness, "/f2", fs);
}

TEST(Hangs, AMountThatDoesNotEndIsEndedByASignalAndLeavesNothing) {
  if (::geteuid() != 0) EDAGEN_SKIP("mounting needs root");
  const TemporaryDirectory folder;
  // What this program alone finds in the place of mount(8): it notes the directory.
  const std::string fake = folder.write("mount", "#!/bin/sh\necho $7 > " + (folder / "asked") + "\nexec sleep 1000\n");
  std::filesystem::permissions(fake, std::filesystem::perms(0755));
  Program compare(
      {"unshare", "-m", "sh", "-c",
       "mount --bind " + fake + " /bin/mount && exec " + edagen_path() +
           " compare --export 127.0.0.1:/nope --phase functional --rate 10 --dataset-scale 0.01 --tunings " +
           source_path("tests/cli/nconnect.json")});
  std::string directory;
  for (int i = 0; i < 1000 && !directory.ends_with("\n"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    directory = text_of(folder / "asked");
  }
  compare.signal(SIGTERM);
  const Outcome outcome = compare.wait();
  if (outcome.err.find("unshare") != std::string::npos) EDAGEN_SKIP(outcome.err);
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  ASSERT_TRUE(directory.starts_with("/run/edagen-compare-")) << directory << outcome.err;
  directory.pop_back();
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST(Hangs, AJournalWhoseReaderHasStoppedReadingHoldsUpTheRunAndTwoSignalsEndItWithItsDatasetLeft) {
  const TemporaryDirectory mount, other;
  const std::string path = other / "journal";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(::fcntl(reader, F_SETPIPE_SZ, 4096), 4096);
  Program run(
      edagen_words({"--phase", "functional", "--procs", "2", "--rate", "100", "--dataset-scale", "0.0001", "--warmup",
                    "0s", "--duration", "2s", "--progress", "always", "--mount", mount.path(), "--journal", path}));
  EXPECT_TRUE(run.wait_for_stderr("measuring:"));
  // A line of each second would follow.
  for (int waiting = -1, before = -2, same = 0; same < 30; before = waiting) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_EQ(::ioctl(reader, FIONREAD, &waiting), 0);
    same = waiting == before ? same + 1 : 0;
  }
  run.signal(SIGINT);
  EXPECT_TRUE(run.wait_for_stderr("a second signal ends it at once")) << "it has not ended";
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // else it is of the first
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_NE(outcome.err.find("edagen clean --mount " + mount.path()), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(mount / "edagen.data"));
  ::close(reader);
}

/// A pipe that is full and that nobody reads.
class FullPipe {
 public:
  FullPipe() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    reader_ = Descriptor(ends[0]);
    writer_ = Descriptor(ends[1]);
    ::fcntl(writer(), F_SETPIPE_SZ, 4096);
    ::fcntl(writer(), F_SETFL, O_NONBLOCK);
    while (::write(writer(), "x", 1) == 1) continue;
    ::fcntl(writer(), F_SETFL, 0);
  }
  int writer() const { return writer_.get(); }

 private:
  Descriptor reader_, writer_;
};

/// edagen with one of its standard streams, and the others going nowhere.
pid_t edagen_with(int stream, int file, const std::vector<std::string>& words) {
  std::vector<std::string> all = edagen_words(words);
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int null = ::open("/dev/null", O_RDWR);
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(each == stream ? file : null, each);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

/// Waits until a signal does not simply kill the process: its first thread leaves them to another one.
void wait_for_signal_watch(pid_t process) {
  constexpr unsigned long long blocked = 1ULL << (SIGINT - 1);
  for (int tries = 0; tries < 6000; ++tries) {
    const std::string status = text_of("/proc/" + std::to_string(process) + "/status"), name = "SigBlk:";
    const std::size_t at = status.find(name);
    if (at == std::string::npos) return;  // it has ended, or this kernel does not show it
    if ((std::stoull(status.substr(at + name.size()), nullptr, 16) & blocked) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// Sends signals until the process ends; its exit status. After the last one it is waited for in any case: what it
/// writes at its end may stand for 2 s.
int ended_by_signals(pid_t process, int most) {
  int status = -1;
  for (int signals = 0; signals < most; ++signals) {
    ::kill(process, SIGINT);
    for (int tries = 0; tries < (signals + 1 < most ? 300 : 6000); ++tries) {
      if (::waitpid(process, &status, WNOHANG) == process) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  return -1;
}

TEST(Hangs, TwoSignalsEndWhatStandsInAWriteToAStderrThatNobodyReads) {
  const TemporaryDirectory a, b, home;
  const std::vector<std::string> load = {"--phase",  "functional", "--dataset-scale", "0.0001", "--rate", "100",
                                         "--warmup", "0s",         "--duration",      "60s"};
  const std::string night = home.write(
      "n.json",
      nlohmann::json{{"schema", "edagen.nightly/1"}, {"history", "h"}, {"measurements", {mounted(a.path(), "60s")}}}
          .dump());
  for (const auto& words : {together({"run", "--mount", a.path()}, load),
                            together({"compare", "--volume", "a=" + a.path(), "--volume", "b=" + b.path()}, load),
                            std::vector<std::string>{"nightly", "--config", night}}) {
    const FullPipe pipe;
    const pid_t process = edagen_with(STDERR_FILENO, pipe.writer(), words);
    wait_for_signal_watch(process);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    EXPECT_EQ(ended_by_signals(process, 2), 130) << words.front();
    edagen({"clean", "--mount", a.path(), "--mount", b.path()});
  }
}

TEST(Hangs, OutputsThatNobodyReadsAreNamedAndOneSignalEndsTheRun) {
  for (const char* const option : {"--interval-csv", "--hdr-log", "--metrics-file", "--json", "--csv", "--html"}) {
    const TemporaryDirectory mount;
    ASSERT_EQ(::mkfifo((mount / "fifo").c_str(), 0600), 0);
    Program run(
        edagen_words({"run", "--phase", "functional", "--dataset-scale", "0.0001", "--rate", "100", "--warmup", "0s",
                      "--duration", "1s", "--stuck-after", "500ms", "--mount", mount.path(), option, mount / "fifo"}));
    EXPECT_TRUE(run.wait_for_stderr(std::string("ing ") + option + " " + mount.path())) << option;
    run.signal(SIGINT);
    EXPECT_EQ(run.wait().status, 130) << option;
  }
}

TEST(Hangs, ATableThatNobodyReadsIsNamedAndOneSignalEndsTheRun) {
  const TemporaryDirectory mount;
  const FullPipe pipe;
  const pid_t process =
      edagen_with(STDOUT_FILENO, pipe.writer(),
                  {"run", "--phase", "functional", "--dataset-scale", "0.0001", "--rate", "100", "--warmup", "0s",
                   "--duration", "300ms", "--stuck-after", "500ms", "--mount", mount.path()});
  wait_for_signal_watch(process);
  std::this_thread::sleep_for(std::chrono::seconds(5));
  EXPECT_EQ(ended_by_signals(process, 1), 130);
}

TEST(Hangs, AnOutputThatNobodyReadsIsNamedAndOneSignalEndsTheRun) {
  for (const auto& [option, what] :
       {std::pair<std::string, std::string>{"--journal", "opening"}, {"--json", "writing"}}) {
    SCOPED_TRACE(option);
    const TemporaryDirectory mount, other;
    ::mkfifo((other / "fifo").c_str(), 0600);
    Program run(edagen_words(
        run_words(mount.path(), {"--duration", "300ms", "--stuck-after", "500ms", option, other / "fifo"})));
    EXPECT_TRUE(run.wait_for_stderr(what + " " + option));
    run.signal(SIGTERM);
    const Outcome outcome = run.wait();
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_NE(outcome.err.find(what + " " + option + " " + other / "fifo"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::filesystem::exists(mount / "edagen.data"), option == "--json") << outcome.err;
    EXPECT_EQ(outcome.err.find("edagen clean --mount") != std::string::npos, option == "--json") << outcome.err;
  }
}

class HangsIn : public ::testing::TestWithParam<const char*> {};

TEST_P(HangsIn, TheFileIsNamedAndOneSignalEndsTheRun) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const bool removal = std::string(GetParam()) == "removal";
  fs.order(removal ? "hang p00 rmdir" : "hang f000001");  // only the removal does the former
  Program run(edagen_words(
      run_words(fs.path(), {"--rate", "20", "--duration", "1s", "--stuck-after", "1s", "--max-workers", "4"})));
  const std::string call = removal ? "removing " : "making ";
  EXPECT_TRUE(run.wait_for_stderr(call + fs.path() + "/edagen.data/c0000/p0"));
  run.signal(SIGINT);
  EXPECT_TRUE(run.wait_for_stderr("ending without it"));
  fs.order("none");  // FUSE lets even a killed process go only when the op has been answered
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("edagen clean --mount " + fs.path()), std::string::npos) << outcome.err;
  EXPECT_EQ(edagen({"clean", "--mount", fs.path()}).status, 0);
}

INSTANTIATE_TEST_SUITE_P(Phases, HangsIn, ::testing::Values("build", "removal"),
                         [](const auto& param) { return std::string(param.param); });

TEST(Hangs, AMarkerThatCannotBeReadAfterAnInterruptedBuildIsNamedAndTheSignalEndsTheRun) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_words(fs.path(), {"--clients", "5", "--dataset-scale", "1", "--stuck-after", "1s"})));
  EXPECT_TRUE(run.wait_for_stderr("dataset: "));
  fs.order("hang edagen.dataset.json");
  run.signal(SIGINT);
  EXPECT_TRUE(run.wait_for_stderr("looking at " + fs.path() + " does not return: ending without it"));
  fs.order("none");  // FUSE lets even a killed process go only when the op has been answered
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("edagen clean --mount " + fs.path()), std::string::npos) << outcome.err;
}

TEST(Hangs, ALockThatCannotBeReadBeforeTheRemovalIsNamedAndOneSignalEndsTheRun) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_words(fs.path(), {"--rate", "20", "--duration", "2s", "--stuck-after", "500ms"})));
  EXPECT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang edagen.lock");
  expect_one_signal_ends(run, "looking at " + fs.path(), fs);
}

TEST(Hangs, ALockThatCannotBeReadAtTheEndOfAnInterruptedRunIsNamedAndTheSignalEndsTheRun) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(
      run_words(fs.path(), {"--rate", "20", "--duration", "60s", "--stuck-after", "500ms", "--keep-dataset"})));
  EXPECT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang edagen.lock");
  run.signal(SIGINT);
  EXPECT_TRUE(run.wait_for_stderr("unlocking " + fs.path() + " does not return: ending without it"));
  fs.order("none");  // FUSE lets even a killed process go only when the op has been answered
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("edagen clean --mount " + fs.path()), std::string::npos) << outcome.err;
}

TEST(Hangs, ADirectoryThatCannotBeLookedAtIsNamed) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs.order("hang edagen.data");
  Program run(edagen_words(run_words(fs.path(), {"--duration", "300ms", "--stuck-after", "500ms"})));
  EXPECT_TRUE(run.wait_for_stderr("looking at " + fs.path()));
  run.signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  fs.order("none");
  EXPECT_EQ(run.wait().status, 130);
}

}  // namespace
}  // namespace edagen::testing
