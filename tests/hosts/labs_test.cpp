// Ranks as batch systems and ssh start them: by srun in a Slurm of this machine, and on hosts that are network
// namespaces with names and addresses of their own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const std::string scripts = std::string(SOURCE_DIR) + "/scripts/";

bool has_module(const std::string& library) {
  return fs::exists(std::string(BUILD_DIR) + "/edagen-modules/edagen-mpi-" + library + ".so");
}

Words load(const Words& before, const std::string& mount, const Words& more) {
  Words all = before;
  all.insert(all.end(), {EDAGEN_BINARY, "--phase", "mixed", "--mount", mount, "--dataset-scale", "0.02", "--warmup",
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
  Words lab(int hosts) const {
    Words words = {scripts + "hosts-lab", std::to_string(hosts)};
    if (GetParam() == "mpich") words.emplace_back("--mpich");
    words.emplace_back("--");
    return words;
  }
};

TEST_P(RealHosts, HaveTheirOwnNamesMountsAndClocksInOneRun) {
  const TemporaryDirectory base, out;
  for (const char* const host : {"h1", "h2", "h3"}) fs::create_directory(base / host);
  const Outcome outcome =
      Program(load(lab(3), base / "{host}", {"--clients", "3", "--duration", "2s", "--json", out / "r.json"})).wait();
  ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err << outcome.out;
  const json point = point_in(out / "r.json");
  ASSERT_EQ(point["hosts"].size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(point["hosts"][static_cast<std::size_t>(i)]["name"], "h" + std::to_string(i + 1));
    EXPECT_TRUE(fs::is_empty(base / ("h" + std::to_string(i + 1))));
  }
}

TEST_P(RealHosts, OneWhoseNetworkIsGoneIsNamedAndAllEnd) {
  const TemporaryDirectory mount, out;
  const Outcome outcome =
      Program(load(lab(3), mount.path(),
                   {"--clients", "3", "--duration", "5m", "--json", out / "r.json", "--journal", out / "j.jsonl"}),
              {{"HOSTS_LAB_UNPLUG", "8"}})
          .wait();
  EXPECT_NE(outcome.status, 0);
  const json result = json::parse(std::ifstream(out / "r.json"));
  EXPECT_EQ(result["status"], "failed") << outcome.err;
  EXPECT_NE(result["failure"].get<std::string>().find("h3 (rank 2)"), std::string::npos) << result["failure"];
}

INSTANTIATE_TEST_SUITE_P(Mpi, RealHosts, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launched) { return launched.param; });

}  // namespace
}  // namespace edagen::testing
