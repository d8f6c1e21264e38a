// Faults of the file system under the program: it stops, fails, or never answers.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/stall_fs.hpp"
#include "support/text_file.hpp"
#include "target/posix_target.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

std::vector<std::string> run_on(const StallFs& fs, std::vector<std::string> more) {
  return together({"--phase", "functional", "--procs", "4", "--mount", fs.path(), "--dataset-scale", "0.01", "--warmup",
                   "0s", "--progress", "always"},
                  more);
}

TEST(Stall, ShowsInTheResponseOfAllOpsDueDuringIt) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs.order("stall 200 500");  // 200 ms of each half second: 40 % of the ops are due during a stall
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "4s", "--json", "-"})));
  const Outcome outcome = run.wait();
  fs.order("none");
  const json result = json::parse(outcome.out);
  const json& point = result["load_points"][0];
  const json& latency = point["latency_ms"]["response"];
  // About 40 % of all ops waited, for up to 200 ms; at most 4 procs hit each stall, so that service hides it.
  EXPECT_GT(latency["p90"].get<double>(), 20) << outcome.out;
  EXPECT_GT(latency["p99"].get<double>(), 150);
  EXPECT_GT(point["latency_ms"]["lag"]["p90"].get<double>(), 10);
  for (const char* const kind : {"stat", "access", "write_rand", "read_rand"})
    EXPECT_GT(point["ops"][kind]["latency_ms"]["response"]["p99"].get<double>(), 100) << kind;
}

TEST(Stall, OneAtTheEndOfTheWindowShowsAsOneInTheMiddle) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "4s", "--json", "-"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("stall 5000 5000");  // three seconds before the end, or fewer where a busy machine reads it late
  std::this_thread::sleep_for(std::chrono::milliseconds(3500));  // half a second beyond the window
  fs.order("none");
  const json point = json::parse(run.wait().out)["load_points"][0];
  EXPECT_GT(point["latency_ms"]["response"]["mean"].get<double>(), 20) << point;
  EXPECT_GT(point["latency_ms"]["response"]["p99"].get<double>(), 400) << point;
}

TEST(Stall, APauseOfEdagenItselfIsNotTakenForTheStorages) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "100", "--duration", "4s", "--json", "-"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  run.signal(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  run.signal(SIGCONT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(json::parse(outcome.out)["load_points"][0]["invalid_reasons"].dump().find("generator_paused"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.err.find("with a pause of edagen in them: "), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("response = service"), std::string::npos) << outcome.err;
}

TEST(Stall, ShortPausesOfEdagenAddUp) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "4s", "--json", "-"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  for (int i = 0; i < 6; ++i) {
    run.signal(SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    run.signal(SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(540));
  }
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  const std::string reasons = json::parse(outcome.out)["load_points"][0]["invalid_reasons"].dump();
  EXPECT_NE(reasons.find("generator_"), std::string::npos) << outcome.out;
}

TEST(Stall, AFailingFileSystemEndsTheRunWithItsErrorsCounted) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "30s", "--json", "-"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("fail 5 write");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["status"], "failed");
  EXPECT_GT(result["load_points"][0]["errors"]["EIO"].get<int>(), 5);
  EXPECT_NE(outcome.err.find("EIO (Input/output error)"), std::string::npos) << outcome.err;
}

TEST(Stall, ADatasetWhoseMarkerCannotBeReadAnyMoreIsSaidToBeLeft) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "30s"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("fail 5 open");
  const Outcome outcome = run.wait();
  fs.order("none");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("the dataset is left"), std::string::npos) << outcome.err;
}

TEST(Stall, ARunWhoseOpsNeverReturnStillWritesItsResultsAndEnds) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "5s", "--stuck-after", "1s", "--json", "-"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang f000001");
  EXPECT_TRUE(run.wait_for_stderr("ending without "));
  fs.order("none");  // FUSE lets even a killed process go only when the op has been answered
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("stuck for "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("f000001 (mount " + fs.path() + ")"), std::string::npos) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_GT(result["load_points"][0]["stuck_ops"].get<int>(), 0);
  EXPECT_GT(result["load_points"][0]["operations"].get<int>(), 100);
}

TEST(Stall, AComparisonWhoseOpsNeverReturnWritesWhatItHasAndEnds) {
  const StallFs fs;
  const TemporaryDirectory other;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(words_of("compare --volume stalls=" + fs.path() + " --volume other=" + other.path() +
                                    " --phase functional --procs 4 --dataset-scale 0.01 --warmup 0s --progress always "
                                    "--rate 400 --duration 5s --stuck-after 1s --json -")));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang f000001");
  EXPECT_TRUE(run.wait_for_stderr("never returned"));
  fs.order("none");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  const json comparison = json::parse(outcome.out);
  EXPECT_EQ(comparison["status"], "failed");
  const json& runs = comparison["variants"][0]["runs"];
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_NE(runs[0]["invalid_reasons"].dump().find("stuck_ops"), std::string::npos) << runs;
  EXPECT_TRUE(std::filesystem::is_directory(fs.path() + "/edagen.data")) << "not touched again";
}

class StallAtDepth : public ::testing::TestWithParam<std::string> {};

TEST_P(StallAtDepth, OpsThatNeverReturnAreNamedAndTheRunStillEnds) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  if (GetParam() == "io_uring" && !io_uring_refusal().empty()) EDAGEN_SKIP("io_uring: " + io_uring_refusal());
  Program run(
      edagen_words(words_of("--workload fio/8k-randrw --mount " + fs.path() +
                            " --procs 2 --file-size 1MiB --buffered --io-depth 4 --io-engine " + GetParam() +
                            " --warmup 0s --progress always --rate 200 --duration 4s --stuck-after 1s --json -")));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang f000000");
  EXPECT_TRUE(run.wait_for_stderr("ending without "));
  fs.order("none");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("f000000 (mount " + fs.path() + ")"), std::string::npos) << outcome.err;
  const json point = json::parse(outcome.out)["load_points"][0];
  EXPECT_EQ(point["stuck_ops"], 8) << "two procs at depth 4";
  EXPECT_GT(point["operations"].get<int>(), 50);
}

INSTANTIATE_TEST_SUITE_P(Engines, StallAtDepth, ::testing::Values("io_uring", "threads"),
                         [](const auto& param) { return param.param; });

TEST(Stall, ASignalWhileTheDatasetIsBuiltKeepsWhatThereIsAndSaysSo) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs.order("delay 100000");  // 100 ms for each call
  Program run(edagen_words(run_on(fs, {"--duration", "1s"})));
  ASSERT_TRUE(run.wait_for_stderr("%  dataset: "));
  run.signal(SIGINT);
  ASSERT_TRUE(run.wait_for_stderr("ending the run"));
  fs.order("none");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("the unfinished dataset is kept ("), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("edagen clean --mount " + fs.path() + " removes it"), std::string::npos) << outcome.err;
  EXPECT_EQ(edagen({"clean", "--mount", fs.path()}).status, 0);
}

TEST(Stall, ASignalWhileTheDatasetIsRemovedIsInTheStatusAndTheRemovalGoesOn) {
  const StallFs fs;
  const TemporaryDirectory folder;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs.order("hang p00 rmdir");  // of the dataset: only its removal does that
  Program run(edagen_words(run_on(fs, {"--rate", "20", "--duration", "1s", "--json", folder / "r.json"})));
  // An empty one is there for a moment at the start, when it is tried whether it can be written.
  for (int left = 6000; left > 0 && text_of(folder / "r.json").empty(); --left)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  run.signal(SIGINT);
  EXPECT_TRUE(run.wait_for_stderr("ending the run"));
  fs.order("none");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(json::parse(text_of(folder / "r.json"))["status"], "complete");
  EXPECT_FALSE(std::filesystem::exists(fs.path() + "/edagen.data"));
}

TEST(Stall, ASecondSignalEndsAtOnce) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words(run_on(fs, {"--rate", "400", "--duration", "100s", "--stuck-after", "100s"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang f000001");
  run.signal(SIGINT);
  ASSERT_TRUE(run.wait_for_stderr("a second signal ends it at once"));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // else it is of the first
  run.signal(SIGINT);
  fs.order("none");
  EXPECT_EQ(run.wait().status, 130);
}

TEST(Stall, ASecondSignalNamesTheDatasetInTheTemporaryDirectory) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  Program run(edagen_words({"--phase", "functional", "--procs", "2", "--dataset-scale", "0.0001", "--rate", "400",
                            "--warmup", "0s", "--duration", "100s", "--stuck-after", "100s", "--progress", "always"}),
              {{"TMPDIR", fs.path()}});
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  fs.order("hang f000001");
  std::this_thread::sleep_for(std::chrono::seconds(1));  // each proc comes to its file
  run.signal(SIGINT);
  ASSERT_TRUE(run.wait_for_stderr("a second signal ends it at once"));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  run.signal(SIGINT);
  EXPECT_TRUE(run.wait_for_stderr("edagen clean --mount " + fs.path() + "/edagen-"));
  fs.order("none");
  EXPECT_EQ(run.wait().status, 130);
}

}  // namespace
}  // namespace edagen::testing
