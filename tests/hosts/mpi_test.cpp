// Several processes of one run, as the launchers of both MPI libraries start them, on one machine.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/document_schema.hpp"
#include "support/nightly.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/ranks.hpp"
#include "support/skip.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class OnRanks : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    launcher_ = "/usr/bin/mpirun." + GetParam();
    if (!fs::exists(launcher_) || !fs::exists(build_path("edagen-modules/edagen-mpi-") + GetParam() + ".so"))
      EDAGEN_SKIP(GetParam() + " is not installed: scripts/install-deps --test");
  }
  Words words(int ranks, Words more) const {
    Words all = {launcher_};
    if (GetParam() == "openmpi") {
      all.insert(all.end(), {"--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,tcp", "--mca",
                             "btl_tcp_if_include", "lo"});
      if (::geteuid() == 0) all.emplace_back("--allow-run-as-root");
    }
    all.insert(all.end(), {"-n", std::to_string(ranks), edagen_path()});
    return together(all, more);
  }
  Words small(const std::string& mount, Words more = {}) const {
    return together(
        {"--phase", "mixed", "--mount", mount, "--dataset-scale", "0.02", "--warmup", "200ms", "--max-workers", "50"},
        more);
  }
  Outcome run(int ranks, const Words& more) { return Program(words(ranks, more)).wait(); }

  /// The result document in `file`; throws what the program `said` where there is none.
  static json result_in(const std::string& file, const std::string& said = "") {
    json result = json::parse(text_of(file), nullptr, false);
    if (result.is_discarded()) throw std::runtime_error(file + " is no result: " + text_of(file) + said);
    EXPECT_NO_THROW(check_document<Result>(result));
    return result;
  }

  std::string launcher_;
};

TEST_P(OnRanks, ARunIsOneRunWithOneDatasetAndTheFiguresOfAll) {
  const TemporaryDirectory mount, out;
  const Outcome outcome = run(2, small(mount.path(), {"--clients", "5", "--duration", "2s", "--json", out / "r.json"}));
  ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err << outcome.out;
  const json result = result_in(out / "r.json", outcome.err);
  EXPECT_EQ(result["status"], "complete");
  const json& point = result["load_points"][0];
  ASSERT_EQ(point["hosts"].size(), 2u);
  EXPECT_EQ(point["hosts"][0]["clients"], 3);
  EXPECT_EQ(point["hosts"][1]["clients"], 2);
  EXPECT_NEAR(point["first_op_spread_ms"].get<double>(),
              std::abs(point["hosts"][0]["first_op_ms"].get<double>() - point["hosts"][1]["first_op_ms"].get<double>()),
              0.001);
  EXPECT_GT(point["first_op_spread_uncertainty_ms"].get<double>(), 0);
  EXPECT_EQ(point["hosts"][0]["operations"].get<int>() + point["hosts"][1]["operations"].get<int>(),
            point["operations"].get<int>());
  std::uint64_t procs = 0;
  for (const json& group : point["groups"]) procs += group["procs"].get<std::uint64_t>();
  EXPECT_EQ(procs, 25u);
  EXPECT_NEAR(point["requested_ops_per_sec"].get<double>(), 5 * 450, 1);
  EXPECT_TRUE(fs::is_empty(mount.path()));
  EXPECT_EQ(outcome.err.find("limit of open files"), std::string::npos) << outcome.err;
}

TEST_P(OnRanks, ASimulatedVolumeIsOneVolumeBitForBit) {
  const TemporaryDirectory out;
  const auto points = [&](const Outcome& outcome, const std::string& file) {
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err << outcome.out;
    json measured = result_in(file)["load_points"];
    for (json& point : measured) {
      for (const char* const of_machine : {"hosts", "host_findings", "cpu_cores_used", "host_busy"})
        point.erase(of_machine);
    }
    return measured;
  };
  const Words load = {"--phase", "mixed",    "--target", "sim:regular", "--clients", "16",    "--rate",
                      "20k",     "--warmup", "1s",       "--duration",  "2s",        "--json"};
  Words alone = load, many = load;
  alone.push_back(out / "alone.json");
  many.push_back(out / "many.json");
  const json one = points(edagen(alone), out / "alone.json");
  for (const int ranks : {2, 4}) EXPECT_EQ(points(run(ranks, many), out / "many.json"), one) << ranks;
}

TEST_P(OnRanks, ACurveIsSearchedByAllTogether) {
  const TemporaryDirectory out;
  Words words = {"curve", "--phase",  "mixed", "--target",   "sim:regular", "--clients",     "4",   "--job-sets",
                 "40",    "--warmup", "500ms", "--duration", "1s",          "--search-time", "20s", "--json"};
  Words alone = words;
  alone.push_back(out / "alone.json");
  words.push_back(out / "many.json");
  edagen(alone);
  const Outcome outcome = run(2, words);
  const json one = result_in(out / "alone.json"), many = result_in(out / "many.json");
  EXPECT_EQ(many["at_latency_target"], one["at_latency_target"]) << outcome.err;
}

TEST_P(OnRanks, AMountOfTheirOwnForEachRankIsBuiltAndRemoved) {
  const TemporaryDirectory base, out;
  for (const char* const rank : {"m0", "m1"}) fs::create_directory(base / rank);
  const Outcome outcome =
      run(2, small(base / "m{rank}", {"--clients", "2", "--duration", "1s", "--json", out / "r.json"}));
  ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err << outcome.out;
  for (const char* const rank : {"m0", "m1"}) EXPECT_TRUE(fs::is_empty(base / rank)) << rank;
}

TEST_P(OnRanks, AllClientsShareFilesAcrossRanksAndEachMountHasARow) {
  const TemporaryDirectory a, b, out;
  out.write("w.json", R"({"schema": "edagen.workload/1", "extends": "eda_functional", "name": "shared",
                          "shared_files": "all", "unlink_nonempty_percent": 50})");
  const Words words = {"--workload", out / "w.json", "--clients", "4",          "--procs", "2",      "--dataset-scale",
                       "0.1",        "--warmup",     "200ms",     "--duration", "2s",      "--json", out / "r.json"};
  Words on_two = words;
  on_two.insert(on_two.end(), {"--mount", a.path(), "--mount", b.path()});
  const Outcome outcome = run(2, on_two);
  ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err << outcome.out;
  const json result = result_in(out / "r.json", outcome.err);
  EXPECT_EQ(result["dataset"]["files"], 2 * 120 + 8 * 120) << "data files once for each directory";
  const json& point = result["load_points"][0];
  EXPECT_EQ(point["errors"], json::object());
  ASSERT_EQ(point["mounts"].size(), 2u);
  EXPECT_EQ(point["mounts"][1]["path"], b.path());
  EXPECT_EQ(point["mounts"][1]["clients"], 2);
  EXPECT_GT(point["mounts"][1]["response_p99_ms"].get<double>(), 0);
  EXPECT_TRUE(fs::is_empty(a.path()) && fs::is_empty(b.path()));

  Words on_own = words;
  on_own.insert(on_own.end(), {"--mount", a / "m{rank}"});
  for (const char* const rank : {"m0", "m1"}) fs::create_directory(a / rank);
  const Outcome refused = run(2, on_own);
  EXPECT_TRUE(is_refused(refused, "shared: shares files between all clients"));
}

TEST_P(OnRanks, WhatOneOfThemLacksIsSaidByRankAndNothingStarts) {
  const TemporaryDirectory base;
  fs::create_directory(base / "m0");
  const Outcome outcome = run(2, small(base / "m{rank}", {"--clients", "2", "--duration", "1s"}));
  EXPECT_TRUE(is_refused(outcome, "(rank 1): mount " + base.path() + "/m1"));
  EXPECT_TRUE(fs::is_empty(base / "m0"));
}

TEST_P(OnRanks, AnUnknownOptionIsRefusedOnce) {
  const Outcome outcome = run(3, {"--phase", "mixed", "--no-such-option"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  const std::size_t first = outcome.err.find("--no-such-option");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(outcome.err.find("edagen: --no-such-option", first + 1), std::string::npos) << outcome.err;
}

TEST_P(OnRanks, FewerClientsThanRanksAreRefused) {
  const TemporaryDirectory mount;
  const Outcome outcome = run(3, small(mount.path(), {"--clients", "2"}));
  EXPECT_TRUE(is_refused(outcome, "fewer than the 3 processes"));
}

TEST_P(OnRanks, VolumesAreComparedByAllTogether) {
  const TemporaryDirectory base, out;
  for (const char* const volume : {"a", "b"}) fs::create_directory(base / volume);
  const Outcome outcome =
      run(2, words_of("compare --phase mixed --volume a=" + (base / "a") + " --volume b=" + (base / "b") +
                      " --clients 2 --rate 300 --dataset-scale 0.02 --warmup 200ms --duration 1s --repeat 2 "
                      "--max-workers 50 --json " +
                      (out / "c.json")));
  ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err << outcome.out;
  const json comparison = json::parse(std::ifstream(out / "c.json"));
  EXPECT_EQ(comparison["status"], "complete");
  for (const json& variant : comparison["variants"]) EXPECT_EQ(variant["runs"].size(), 2u);
  for (const char* const volume : {"a", "b"}) EXPECT_TRUE(fs::is_empty(base / volume)) << volume;
}

TEST_P(OnRanks, WhatOneHostDoesAloneIsRefusedWithWhatToDoInstead) {
  const Outcome outcome = run(2, {"compare", "--phase", "mixed", "--export", "s:/v", "--clients", "2"});
  EXPECT_TRUE(is_refused(outcome, "--export: is mounted by a run on one"));
}

/// A measurement of a night on two clients.
json on_two_clients(json measurement, const std::string& name) {
  measurement["name"] = name;
  measurement["run"].insert(measurement["run"].end(), {"--clients", "2"});
  return measurement;
}

TEST_P(OnRanks, ANightIsMeasuredByAllTogetherAndKeptByTheOneThatLeads) {
  const TemporaryDirectory here, mount;
  json with_reference = on_two_clients(simulated(), "model");
  with_reference["reference"] = {"--target", "sim:mm8"};
  const std::string file = config(here, {on_two_clients(mounted(mount.path()), "files"), with_reference});
  for (int night = 1; night <= 2; ++night) {
    const Outcome outcome = run(2, {"nightly", "--config", file});
    EXPECT_EQ(outcome.status, 6) << outcome.err << outcome.out;  // too few nights to tell
    std::ifstream lines(here / "history/nights.jsonl");
    std::string line;
    for (int read = 0; read < night; ++read) ASSERT_TRUE(std::getline(lines, line)) << outcome.err;
    std::string more;
    EXPECT_FALSE(std::getline(lines, more)) << "one line for all ranks";
    const json its = json::parse(line);
    EXPECT_EQ(its["status"], "complete") << line;
    for (const json& measurement : its["measurements"])
      for (const json& measured : measurement["runs"]) {
        const json result = result_in(here / ("history/" + measured["file"].get<std::string>()));
        EXPECT_EQ(result["load_points"][0]["hosts"].size(), 2u);
      }
  }
  EXPECT_TRUE(fs::exists(fs::path(mount.path()) / "edagen.data")) << "it stays for the next night";
}

TEST_P(OnRanks, ANightThatOneOfThemCannotMeasureSaysWhyAndIsKept) {
  const TemporaryDirectory here;
  fs::create_directory(here / "m0");
  const std::string file =
      config(here, {on_two_clients(mounted(here / "m{rank}"), "files"), on_two_clients(simulated(), "model")});
  const Outcome outcome = run(2, {"nightly", "--config", file});
  EXPECT_EQ(outcome.status, 1) << "that of rank 0, whichever rank's the launcher takes";
  EXPECT_NE(outcome.err.find("(rank 1): mount " + (here / "m1")), std::string::npos) << outcome.err;
  const json night = json::parse(text_of(here / "history/nights.jsonl"));
  EXPECT_EQ(night["status"], "failed");
  EXPECT_EQ(night["judgement"]["failures"].size(), 2u) << night;
  EXPECT_TRUE(fs::is_empty(here / "m0"));
}

TEST_P(OnRanks, ALauncherOfTheOtherLibraryIsRefusedBeforeAnythingIsTouched) {
  const TemporaryDirectory mount;
  // What the launcher says is not what the library will see.
  const Outcome outcome =
      Program(edagen_words(small(mount.path(), {"--clients", "4"})),
              GetParam() == "openmpi"
                  ? std::map<std::string, std::string>{{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "0"}}
                  : std::map<std::string, std::string>{{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "0"}})
          .wait();
  EXPECT_TRUE(is_refused(outcome, "started as one of 4 processes"));
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST_P(OnRanks, ARankThatIsKilledEndsAllAndWhatWasMeasuredIsWritten) {
  // Open MPI ends the ranks two seconds later, and a disk that others write to can stand for as long.
  const TemporaryDirectory mount("/dev/shm"), out("/dev/shm");
  Program program(words(3, small(mount.path(), {"--clients", "3", "--duration", "5m", "--json", out / "r.json",
                                                "--journal", out / "j.jsonl", "--progress", "never"})));
  ASSERT_TRUE(measures(out / "j.jsonl"));
  const auto ranks = ranks_of(mount.path());
  ASSERT_TRUE(ranks.contains(2));
  ::kill(ranks.at(2), SIGKILL);
  const Outcome outcome = program.wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_TRUE(all_ranks_end(mount.path()));
  if (GetParam() == "mpich") {  // it kills all at once: what was measured is in the journal
    const Outcome report = edagen({"report", out / "j.jsonl"});
    EXPECT_EQ(report.status, 0) << report.err;
    EXPECT_NE(report.out.find("ops/s"), std::string::npos) << report.out;
    return;
  }
  const json result = result_in(out / "r.json", outcome.err);
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("(rank 2)"), std::string::npos) << result["failure"];
  EXPECT_GT(result["load_points"][0]["operations"].get<int>(), 0);
}

TEST_P(OnRanks, ARankThatIsStoppedIsNamedAndAllEnd) {
  const TemporaryDirectory mount, out;
  Program program(words(3, small(mount.path(), {"--clients", "3", "--duration", "5m", "--json", out / "r.json",
                                                "--journal", out / "j.jsonl", "--progress", "never"})));
  ASSERT_TRUE(measures(out / "j.jsonl"));
  const auto ranks = ranks_of(mount.path());
  ASSERT_TRUE(ranks.contains(1));
  ::kill(ranks.at(1), SIGSTOP);
  const Outcome outcome = program.wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_TRUE(all_ranks_end(mount.path()));
  const json result = result_in(out / "r.json", outcome.err);
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("(rank 1)"), std::string::npos) << result["failure"];
}

TEST_P(OnRanks, AMountThatAnswersNoMoreAtOneRankFailsTheRunByThatHost) {
  const StallFs answers_no_more;
  if (!answers_no_more.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const TemporaryDirectory base("/dev/shm"), out;  // a disk that others write to can stand for 2 s, too
  fs::create_directory(base / "m0");
  fs::create_directory_symlink(answers_no_more.path(), base / "m1");
  Program program(
      words(2, small(base / "m{rank}", {"--clients", "2", "--duration", "5m", "--stuck-after", "2s", "--json",
                                        out / "r.json", "--journal", out / "j.jsonl", "--progress", "never"})));
  ASSERT_TRUE(measures(out / "j.jsonl"));
  answers_no_more.order("hang f000001");
  EXPECT_TRUE(program.wait_for_stderr("never returned"));
  answers_no_more.order("none");  // FUSE lets even a killed process go only when the op has been answered
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const json result = result_in(out / "r.json", outcome.err);
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("(rank 1): stuck for "), std::string::npos) << result["failure"];
  EXPECT_GT(result["load_points"][0]["operations"].get<int>(), 0);
  EXPECT_EQ(edagen({"report", out / "j.jsonl"}).status, 0);
  EXPECT_TRUE(all_ranks_end(base.path()));
}

TEST_P(OnRanks, AnInterruptOfTheLauncherEndsAllWithTheResults) {
  // Open MPI ends the ranks two seconds later, and a disk that others write to can stand for as long.
  const TemporaryDirectory mount("/dev/shm"), out("/dev/shm");
  Program program(words(2, small(mount.path(), {"--clients", "2", "--duration", "5m", "--json", out / "r.json",
                                                "--journal", out / "j.jsonl", "--progress", "never"})));
  ASSERT_TRUE(measures(out / "j.jsonl"));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_TRUE(all_ranks_end(mount.path()));
  const json result = result_in(out / "r.json", outcome.err);
  EXPECT_EQ(result["status"], "interrupted");
}

/// edagen with the module of one MPI library alone.
class WithOneModule : public OnRanks {
 protected:
  Outcome started_by_other(const std::string& program) {
    const TemporaryDirectory mount;
    Words all = words(2, small(mount.path(), {"--clients", "2", "--duration", "1s", "--progress", "never"}));
    std::ranges::replace(all, edagen_path(), program);
    const Outcome outcome = Program(all).wait();
    EXPECT_TRUE(fs::is_empty(mount.path()));
    return outcome;
  }
};

TEST_P(WithOneModule, StartedByTheOtherLibraryIsRefusedBeforeAnythingIsTouched) {
  // The launcher is GetParam(), the module is the other one's.
  const std::string module = GetParam() == "openmpi" ? "mpich" : "openmpi";
  const std::string file = "edagen-modules/edagen-mpi-" + module + ".so";
  if (!fs::exists(build_path(file))) EDAGEN_SKIP(module + " is not installed: scripts/install-deps --test");
  const TemporaryDirectory folder;  // modules are looked for beside the program
  fs::copy_file(edagen_path(), folder / "edagen");
  fs::create_directory(folder / "edagen-modules");
  fs::copy_file(build_path(file), folder / file);
  const Outcome outcome = started_by_other(folder / "edagen");
  EXPECT_TRUE(is_refused(outcome, "started as one of 2 processes by mp"));
  // Open MPI's module can be loaded for a launcher by PMI, as srun is; that it sees a world of one is told by its size.
  EXPECT_NE(outcome.err.find(GetParam() == "openmpi" ? "built without openmpi" : "the MPI library sees 1"),
            std::string::npos)
      << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Mpi, WithOneModule, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launched) { return launched.param; });
INSTANTIATE_TEST_SUITE_P(Mpi, OnRanks, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launched) { return launched.param; });

}  // namespace
}  // namespace edagen::testing
