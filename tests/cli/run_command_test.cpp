// The program as a user starts it, on real directories.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "result/result_file.hpp"
#include "support/document_schema.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/small_runs.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"
#include "workload/workload_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::vector<std::string> small_run(const std::string& mount, std::vector<std::string> more = {}) {
  return together({"--mount", mount, "--dataset-scale", "0.02", "--warmup", "200ms"}, more);
}

json result_of(const std::string& text) {
  json result = json::parse(text);
  EXPECT_NO_THROW(check_document<Result>(result));
  return result;
}

class PhaseTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PhaseTest, GivesAResultWithTheSharesOfTheDefinitionAndTheBytesMoved) {
  const TemporaryDirectory mount;
  const Outcome run = edagen(small_run(
      mount.path(), {"--phase", GetParam(), "--clients", "4", "--duration", "2s", "--rate", "max", "--json", "-"}));
  ASSERT_TRUE(run.status == 0 || run.status == 5) << run.err;  // a closed loop without a network is this host's
  const json result = result_of(run.out);
  const json& point = result["load_points"][0];
  EXPECT_EQ(result["status"], "complete");
  EXPECT_TRUE(point["errors"].empty());
  const double bytes = point["bytes_read"].get<double>() + point["bytes_written"].get<double>();
  EXPECT_NEAR(point["mib_per_sec"].get<double>(), bytes / 0x1p20 / point["seconds"].get<double>(), 0.01);
  double op_bytes = 0;
  for (const auto& [name, op] : point["ops"].items()) op_bytes += op["bytes"].get<double>();
  EXPECT_DOUBLE_EQ(op_bytes, bytes);
  if (GetParam() != "mixed") {  // in a closed loop, the blend is the storage's
    const OpWeights shares = load_workload("eda_" + GetParam()).op_shares();
    const double slack = 3 * 50 / std::sqrt(point["operations"].get<double>()) + 0.5;
    for (const OpKind kind : all_op_kinds()) {
      const json op = point["ops"].value(std::string(to_string(kind)), json{{"share", 0.0}});
      EXPECT_NEAR(100 * op["share"].get<double>(), 100 * shares[static_cast<std::size_t>(kind)], slack);
    }
  }
  EXPECT_FALSE(fs::exists(mount / "edagen.data"));
}

INSTANTIATE_TEST_SUITE_P(Phases, PhaseTest, ::testing::Values("functional", "physical", "mixed"),
                         [](const auto& param) { return param.param; });

TEST(RunCommand, WithoutAMountItWorksInAFreshDirectoryAndSaysThatItIsNotNfs) {
  const TemporaryDirectory temporary;
  const Outcome run =
      edagen({"--phase", "functional", "--dataset-scale", "0.01", "--warmup", "0s", "--duration", "300ms"},
             {{"TMPDIR", temporary.path()}});
  EXPECT_TRUE(ran(run)) << run.err;
  EXPECT_NE(run.err.find("not an NFS volume"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("I/O rate, ops/s"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST(RunCommand, ADryRunPrintsThePlanAndTouchesNothing) {
  const TemporaryDirectory mount;
  const Outcome run = edagen({"--phase", "mixed", "--clients", "10", "--mount", mount.path(), "--dry-run"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("10 clients x 5 procs"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("4,500 ops/s"), std::string::npos) << run.out;
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(RunCommand, ClientsGoRoundTheMountsEachInADirectoryOfItsOwn) {
  const TemporaryDirectory a, b;
  const Outcome run = edagen(small_run(a.path(), {"--mount", b.path(), "--phase", "functional", "--clients", "3",
                                                  "--procs", "2", "--duration", "300ms", "--keep-dataset"}));
  ASSERT_TRUE(ran(run)) << run.err;
  EXPECT_TRUE(fs::exists(a / "edagen.data/c0000/p01"));
  EXPECT_TRUE(fs::exists(b / "edagen.data/c0001/p01"));
  EXPECT_TRUE(fs::exists(a / "edagen.data/c0002/p00"));
  EXPECT_FALSE(fs::exists(a / "edagen.data/c0001"));
}

TEST(RunCommand, AKeptDatasetIsReusedOnRequestAndCleanedByTheCleanCommand) {
  const TemporaryDirectory mount;
  const auto words = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--phase", "functional", "--duration", "300ms", "--json", "-"});
    return small_run(mount.path(), more);
  };
  ASSERT_NE(edagen(words({"--keep-dataset"})).status, 2);
  const Outcome refused = edagen(words({}));
  EXPECT_TRUE(is_refused(refused, "--reuse-dataset, or edagen clean removes it"));
  const Outcome reused = edagen(words({"--reuse-dataset"}));
  EXPECT_TRUE(result_of(reused.out)["dataset"]["reused"].get<bool>());
  EXPECT_EQ(edagen({"clean", "--mount", mount.path()}).status, 0);
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(RunCommand, SignalsThatComeTogetherAreOne) {
  const TemporaryDirectory temporary, folder;
  Program run(
      edagen_words({"--phase", "functional", "--procs", "2", "--rate", "100", "--dataset-scale", "0.0001", "--warmup",
                    "0s", "--duration", "100s", "--progress", "always", "--json", folder / "r.json"}),
      {{"TMPDIR", temporary.path()}});
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  run.signal(SIGINT);
  run.signal(SIGTERM);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(result_of(text_of(folder / "r.json"))["status"], "interrupted");
  EXPECT_TRUE(fs::is_empty(temporary.path())) << "the dataset was removed";
}

TEST(RunCommand, AHangupThatIsIgnoredAsByNohupDoesNotEndTheRun) {
  const TemporaryDirectory mount;
  std::vector<std::string> words = {"sh", "-c", "trap '' HUP; exec \"$@\"", "sh"};
  for (const std::string& word :
       edagen_words(small_run(mount.path(), {"--phase", "functional", "--duration", "2s", "--progress", "always"})))
    words.push_back(word);
  Program run(words);
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  run.signal(SIGHUP);
  const Outcome outcome = run.wait();
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.status << outcome.err;
}

TEST(RunCommand, OneSignalEndsTheRunAndWritesWhatWasMeasured) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryDirectory mount;
    Program run(
        edagen_words(small_run(mount.path(), {"--phase", "functional", "--duration", "100s", "--progress", "always",
                                              "--json", mount / "r.json", "--journal", mount / "j.jsonl"})));
    ASSERT_TRUE(run.wait_for_stderr("measuring:", 2));
    run.signal(signal);
    const Outcome outcome = run.wait();
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    const json result = result_of(text_of(mount / "r.json"));
    EXPECT_EQ(result["status"], "interrupted");
    EXPECT_GT(result["load_points"][0]["operations"].get<int>(), 100);
    EXPECT_NE(text_of(mount / "j.jsonl").find(R"({"type":"end","status":"interrupted")"), std::string::npos);
    EXPECT_FALSE(fs::exists(mount / "edagen.data"));
  }
}

TEST(RunCommand, AKilledRunLeavesAJournalOfEachIntervalMeasured) {
  const TemporaryDirectory mount;
  Program run(edagen_words(small_run(mount.path(), {"--phase", "functional", "--rate", "123", "--duration", "100s",
                                                    "--progress", "always", "--journal", mount / "j.jsonl"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:", 2));
  run.signal(SIGKILL);
  run.wait();
  int measured = 0;
  for (const std::string& line : lines_of(text_of(mount / "j.jsonl")))
    measured += json::parse(line).value("phase", "") == "measure" ? 1 : 0;
  EXPECT_GE(measured, 2);
  const Outcome csv = edagen({"report", mount / "j.jsonl", "--csv", "-"});
  EXPECT_NE(csv.out.find(",incomplete,,,1,123,"), std::string::npos) << "with the rate: " << csv.out << csv.err;
}

TEST(RunCommand, AReadOnlyMountAndAFullOneAreNamed) {
  const TemporaryDirectory mount;
  const std::string command = edagen_path() +
                              " --phase functional --dataset-scale 0.02 --warmup 0s "
                              "--rate max --duration 3s --json " +
                              (mount / "r.json") + " --mount " + (mount / "m");
  fs::create_directory(mount / "m");
  const auto in_namespace = [&](const std::string& options, const std::string& then) {
    return Program({"unshare", "-rm", "sh", "-c",
                    "mount -t tmpfs -o " + options + " none " + (mount / "m") + " || exit 99; " + then})
        .wait();
  };
  const Outcome read_only = in_namespace("ro", command);
  if (read_only.status == 99 || read_only.status == 127 || read_only.err.find("unshare") != std::string::npos)
    EDAGEN_SKIP("no user namespaces here");
  EXPECT_TRUE(is_refused(read_only, "is mounted read-only"));

  const Outcome small = in_namespace("size=1m", command);
  EXPECT_TRUE(is_refused(small, "too few"));

  const Outcome few_inodes = in_namespace("size=64m,nr_inodes=50", command);
  EXPECT_TRUE(is_refused(few_inodes, "inodes"));

  // Fills up while the load runs: each error is counted, the result is written, the run has failed.
  const std::string growing = mount.write(
      "grow.json", R"({"schema":"edagen.workload/1","name":"grow","phase":"custom","ops_per_sec_per_proc":100,
                       "op_mix":{"write_append":1},"dataset":{"empty_files":20},"transfer":{"write":"64KiB"}})");
  const Outcome full = in_namespace("size=4m", edagen_path() + " --workload " + growing + " --warmup 0s --json " +
                                                   (mount / "r.json") + " --mount " + (mount / "m"));
  EXPECT_EQ(full.status, 1) << full.err;
  const json result = result_of(text_of(mount / "r.json"));
  EXPECT_GT(result["load_points"][0]["errors"]["ENOSPC"].get<int>(), 0);
  EXPECT_EQ(result["status"], "failed");
  EXPECT_NE(full.err.find("ENOSPC (No space left on device)"), std::string::npos) << full.err;
}

TEST(RunCommand, TheVersionIsThatOfTheProjectAndTheCommit) {
  EXPECT_EQ(edagen({"--version"}).out, fmt::format("edagen {}\n", program_version_and_commit));
}

TEST(RunCommand, AnOutputThatCannotBeWrittenIsNamedAndTheOthersStillCome) {
  const TemporaryDirectory folder;
  const Outcome run = edagen({"--phase", "functional", "--target", "sim:regular", "--warmup", "0s", "--duration", "1s",
                              "--json", "/dev/full", "--csv", folder / "r.csv", "-q"},
                             {{"XDG_STATE_HOME", folder.path()}});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("--json /dev/full: No space left on device"), std::string::npos) << run.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "r.csv"));
  EXPECT_NE(run.out.find("eda_functional, 1 client"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("the journal is " + (folder / "edagen/")), std::string::npos) << run.err;
}

TEST(RunCommand, AJournalThatAKilledRunHasLeftIsNamedByTheNextAndByThoseAfterThatOnlyWithVerboseOutput) {
  const TemporaryDirectory state;
  fs::create_directory(state / "edagen");
  const std::string left = state.write("edagen/20260101T000000-1.jsonl", "{}\n");
  const std::string named = "1 journal of earlier runs is left: edagen report " + left + " reads the last, rm ";
  const auto run = [&](const std::vector<std::string>& more) {
    return edagen(
        together({"--phase", "functional", "--target", "sim:regular", "--warmup", "0s", "--duration", "1s"}, more),
        {{"XDG_STATE_HOME", state.path()}});
  };
  const Outcome first = run({}), second = run({}), verbose = run({"-v"});
  EXPECT_NE(first.err.find(named), std::string::npos) << first.err;
  EXPECT_EQ(second.err.find(named), std::string::npos) << second.err;
  EXPECT_NE(verbose.err.find(named), std::string::npos) << verbose.err;
  EXPECT_TRUE(fs::exists(left));
}

TEST(RunCommand, ADatasetThatSomebodyRemovedDuringTheRunIsNotSaidToBeLeft) {
  const TemporaryDirectory mount;
  Program run(edagen_words({"--phase", "functional", "--mount", mount.path(), "--dataset-scale", "0.002", "--rate",
                            "20", "--warmup", "0s", "--duration", "10m"}));
  ASSERT_TRUE(run.wait_for_stderr("built in"));
  std::error_code busy;
  while (std::filesystem::exists(mount / "edagen.data")) std::filesystem::remove_all(mount / "edagen.data", busy);
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_NE(outcome.err.find("edagen.data was removed by somebody else during the run"), std::string::npos)
      << outcome.err;
  for (const char* const wrong : {"is left", "another dataset", "not removed"})
    EXPECT_EQ(outcome.err.find(wrong), std::string::npos) << outcome.err;
}

TEST(RunCommand, ADatasetThatFittedItsVolumeIsUsedAgainThoughLessIsFreeNow) {
  const TemporaryDirectory here;
  const SmallDisk disk(here / "disk", 100'000);
  if (!disk.mounted()) EDAGEN_SKIP("no tmpfs can be mounted");
  const auto run = [&](const char* dataset) {
    return edagen({"--phase", "functional", "--mount", here / "disk", "--rate", "200", "--warmup", "100ms",
                   "--duration", "300ms", "--json", here / "r.json", dataset});
  };
  const Outcome first = run("--keep-dataset"), second = run("--reuse-dataset");
  EXPECT_TRUE(ran(first)) << first.err;
  EXPECT_TRUE(ran(second)) << second.err;
  EXPECT_TRUE(read_result(here / "r.json").dataset.reused);
}

}  // namespace
}  // namespace edagen::testing
