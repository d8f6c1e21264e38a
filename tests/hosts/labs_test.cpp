// Ranks as batch systems and ssh start them: by srun in a Slurm of this machine, and on hosts that are network
// namespaces with names and addresses of their own.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/ranks.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const std::string scripts = source_path("scripts/");

bool has_module(const std::string& library) {
  return fs::exists(build_path("edagen-modules/edagen-mpi-") + library + ".so");
}

Words load(const Words& before, const std::string& mount, const Words& more) {
  Words all = before;
  all.insert(all.end(), {edagen_path(), "--phase", "mixed", "--mount", mount, "--dataset-scale", "0.02", "--warmup",
                         "200ms", "--max-workers", "50", "--rate", "400", "--progress", "never"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

json point_in(const std::string& file) { return json::parse(std::ifstream(file))["load_points"][0]; }

class RealSlurm : public ::testing::Test {
 protected:
  void SetUp() override {
    EDAGEN_SLOW_TEST();
    if (::geteuid() != 0 || !fs::exists("/usr/sbin/slurmctld") || !fs::exists("/usr/sbin/munged"))
      EDAGEN_SKIP("needs root, slurm-wlm and munge: scripts/install-deps --test");
    if (!has_module("openmpi") || !has_module("mpich")) EDAGEN_SKIP("needs Open MPI and MPICH");
  }
};

TEST_F(RealSlurm, SrunStartsOneRunOfAllItsTasks) {
  for (const char* const how : {"--mpi=pmix", "--mpi=pmi2"}) {
    const TemporaryDirectory mount, out;
    const Outcome outcome = Program(load({scripts + "slurm-lab", "srun", how, "-n", "3"}, mount.path(),
                                         {"--clients", "3", "--duration", "2s", "--json", out / "r.json"}))
                                .wait();
    ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << how << outcome.err << outcome.out;
    EXPECT_EQ(point_in(out / "r.json")["hosts"].size(), 3u) << how;
    EXPECT_TRUE(fs::is_empty(mount.path())) << how;
  }
}

TEST_F(RealSlurm, TasksThatSrunDoesNotTellOfEachOtherAreRefused) {
  const TemporaryDirectory mount;
  const Outcome outcome =
      Program(load({scripts + "slurm-lab", "srun", "--mpi=none", "-n", "2"}, mount.path(), {"--clients", "2"})).wait();
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("srun --mpi=pmix"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

class RealHosts : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    EDAGEN_SLOW_TEST();
    if (::geteuid() != 0) EDAGEN_SKIP("needs root, for network namespaces");
    if (!has_module(GetParam())) EDAGEN_SKIP("needs " + GetParam());
  }
  Words lab(int hosts, const Words& options = {}) const {
    Words words = {scripts + "hosts-lab", std::to_string(hosts)};
    if (GetParam() == "mpich") words.emplace_back("--mpich");
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    return words;
  }
  /// With MPICH over several hosts mpirun's status is now and then its own: a rank hangs in MPI_Finalize when all is
  /// written (docs/design/hosts.md).
  static bool is_complete(const Outcome& outcome) {
    return outcome.status == 0 || outcome.status == 5 || (GetParam() == "mpich" && outcome.status == 255);
  }
  /// Three hosts in the middle of a load point, and what comes of a signal to the rank on the last of them.
  Outcome with_signal_to_the_last(int signal, const std::string& mount, const std::string& results) {
    Program program(load(lab(3, {"--rtt", "4"}), mount,
                         {"--clients", "3", "--duration", "5m", "--spin", "off", "--json", results + "/r.json",
                          "--journal", results + "/j.jsonl"}));
    EXPECT_TRUE(measures(results + "/j.jsonl"));
    const auto ranks = ranks_of(mount);
    if (ranks.contains(2)) ::kill(ranks.at(2), signal);
    else ADD_FAILURE() << "there is no rank 2";
    const auto since = std::chrono::steady_clock::now();
    Outcome outcome = program.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(30)) << "the run ends on all hosts";
    EXPECT_TRUE(all_ranks_end(mount)) << "no process is left";
    // A stopped process ends by a launcher on its host alone, and MPICH's proxy does not always hear that it is over:
    // what it leaves the lab ends, as a batch system does.
    if (GetParam() == "openmpi") {
      EXPECT_EQ(outcome.err.find("left behind"), std::string::npos) << outcome.err;
    }
    const Outcome cleaned = edagen({"clean", "--mount", mount});
    EXPECT_EQ(cleaned.status, 0) << "the dataset's lock is free: " << cleaned.err;
    EXPECT_TRUE(fs::is_empty(mount));
    return outcome;
  }
};

TEST_P(RealHosts, HaveTheirOwnNamesMountsAndClocksInOneRun) {
  const TemporaryDirectory base, out;
  for (const char* const host : {"h1", "h2", "h3"}) fs::create_directory(base / host);
  const Outcome outcome =
      Program(load(lab(3), base / "{host}", {"--clients", "3", "--duration", "2s", "--json", out / "r.json"})).wait();
  ASSERT_TRUE(is_complete(outcome)) << outcome.err << outcome.out;
  const json point = point_in(out / "r.json");
  ASSERT_EQ(point["hosts"].size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(point["hosts"][static_cast<std::size_t>(i)]["name"], "h" + std::to_string(i + 1));
    EXPECT_TRUE(fs::is_empty(base / ("h" + std::to_string(i + 1))));
  }
}

TEST_P(RealHosts, ASlowNetworkAndAClockThatIsAheadMoveNoOpAndAreToldAsUncertainty) {
  for (const std::size_t hosts : {2u, 4u, 16u}) {
    SCOPED_TRACE(hosts);
    const TemporaryDirectory mount, out;
    const Outcome outcome =
        Program(
            load(lab(static_cast<int>(hosts), {"--rtt", "20", "--clock-ahead", "1000"}), mount.path(),
                 {"--clients", std::to_string(hosts), "--duration", "2s", "--spin", "off", "--json", out / "r.json"}))
            .wait();
    ASSERT_TRUE(is_complete(outcome)) << outcome.err << outcome.out;
    const json point = point_in(out / "r.json");
    ASSERT_EQ(point["hosts"].size(), hosts);
    std::uint64_t operations = 0;
    for (const json& host : point["hosts"]) {
      operations += host["operations"].get<std::uint64_t>();
      EXPECT_GT(host["operations"].get<int>(), 0);
      // Half of a round trip of at least 20 ms. A clock that was taken for the leader's would be off by 1,000 s.
      if (host["rank"] != 0) EXPECT_GE(host["clock_uncertainty_ms"].get<double>(), 10);
      EXPECT_LT(host["clock_uncertainty_ms"].get<double>(), 1'000);
      EXPECT_LT(host["start_late_ms"].get<double>(), 1'000);
    }
    EXPECT_EQ(operations, point["operations"].get<std::uint64_t>());
    EXPECT_TRUE(fs::is_empty(mount.path()));
  }
}

TEST_P(RealHosts, OneWhoseRankIsKilledEndsAllWithinHalfAMinuteAndLeavesNothing) {
  const TemporaryDirectory mount, out;
  const Outcome outcome = with_signal_to_the_last(SIGKILL, mount.path(), out.path());
  EXPECT_NE(outcome.status, 0);  // the launcher's own, which tells of the signal
  if (GetParam() == "mpich") {   // it kills all at once: what was measured is in the journal
    EXPECT_EQ(edagen({"report", out / "j.jsonl"}).status, 0);
    return;
  }
  const json result = json::parse(std::ifstream(out / "r.json"));
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("h3 (rank 2)"), std::string::npos) << result["failure"];
}

TEST_P(RealHosts, OneWhoseRankIsStoppedIsNamedAndAllEndWithinHalfAMinuteAndLeaveNothing) {
  const TemporaryDirectory mount, out;
  const Outcome outcome = with_signal_to_the_last(SIGSTOP, mount.path(), out.path());
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const json result = json::parse(std::ifstream(out / "r.json"));
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("h3 (rank 2)"), std::string::npos) << result["failure"];
}

TEST_P(RealHosts, ASignalToTheLabItselfEndsTheRunWithItsResultsAndAllThatItStarted) {
  const TemporaryDirectory mount, out;
  Program program(load(
      lab(2, {"--rtt", "4"}), mount.path(),
      {"--clients", "2", "--duration", "5m", "--spin", "off", "--json", out / "r.json", "--journal", out / "j.jsonl"}));
  EXPECT_TRUE(measures(out / "j.jsonl"));
  program.signal(SIGTERM);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.err.find("left behind"), std::string::npos) << outcome.err;
  EXPECT_TRUE(all_ranks_end(mount.path()));
  EXPECT_EQ(json::parse(std::ifstream(out / "r.json"))["status"], "interrupted") << outcome.err;
}

TEST_P(RealHosts, OneWhoseNetworkIsGoneIsNamedAndAllEnd) {
  const TemporaryDirectory mount, out;
  Program program(load(lab(3), mount.path(),
                       {"--clients", "3", "--duration", "5m", "--json", out / "r.json", "--journal", out / "j.jsonl"}));
  EXPECT_TRUE(measures(out / "j.jsonl"));
  program.signal(SIGUSR1);
  const Outcome outcome = program.wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_TRUE(all_ranks_end(mount.path()));
  const Outcome cleaned = edagen({"clean", "--mount", mount.path()});
  EXPECT_EQ(cleaned.status, 0) << "the dataset's lock is free: " << cleaned.err;
  const json result = json::parse(std::ifstream(out / "r.json"));
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("h3 (rank 2)"), std::string::npos) << result["failure"];
}

INSTANTIATE_TEST_SUITE_P(Mpi, RealHosts, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launched) { return launched.param; });

}  // namespace
}  // namespace edagen::testing
