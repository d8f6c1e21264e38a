// Runs under low limits of open files.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_runs.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;

/// 10,000 procs that hold a file and work in a directory each.
std::string many_procs(const TemporaryDirectory& place) {
  return place.write("many.json",
                     R"({"schema": "edagen.workload/1", "name": "many", "phase": "custom", "procs_per_job_set": 1,
    "ops_per_sec_per_proc": 1, "op_mix": {"read_rand": 40, "stat": 40, "write_file": 20},
    "transfer": {"read": 4096, "write": 4096},
    "dataset": {"data_files": 4, "empty_files": 0, "directories": 1, "file_size": 4096}})");
}

TEST(OpenFiles, TenThousandProcsRunUnderLowLimitsAndSayWhatThatCosts) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can be another user");
  const OtherUser other;
  OpenDirectory mount;
  const std::string workload = many_procs(mount);
  fs::permissions(workload, fs::perms(0644));
  const std::vector<std::string> words =
      words_of("--workload " + workload + " --clients 10000 --mount " + mount.path() +
               " --warmup 500ms --duration 1s --rate 2000 --dataset-scale 1 --keep-dataset --reuse-dataset --json -");
  for (const std::string limit : {"20000", "4096"}) {
    SCOPED_TRACE(limit);
    const Outcome outcome = other.run(words, {"prlimit", "--nofile=" + limit + ":" + limit});
    ASSERT_TRUE(ran(outcome)) << outcome.err;
    const nlohmann::json point = nlohmann::json::parse(outcome.out)["load_points"][0];
    EXPECT_TRUE(point["errors"].empty()) << point["errors"];
    EXPECT_GT(point["ops"]["read_rand"]["operations"].get<int>(), 100);
    EXPECT_EQ(outcome.err.find("each read, write and lock opens its file") != std::string::npos, limit == "4096")
        << outcome.err;
  }
}

TEST(OpenFiles, TooFewForOpsAtDepthAreRefusedBeforeTheDatasetIsMade) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can be another user");
  const OtherUser other;
  OpenDirectory mount;
  const std::string workload =
      mount.write("deep.json",
                  R"({"schema": "edagen.workload/1", "name": "deep", "phase": "custom", "procs_per_job_set": 1,
    "ops_per_sec_per_proc": 1, "op_mix": {"read_rand": 100}, "transfer": {"read": 4096},
    "dataset": {"data_files": 64, "empty_files": 0, "directories": 1, "file_size": 4096}})");
  fs::permissions(workload, fs::perms(0644));
  const Outcome outcome = other.run({"--workload", workload, "--clients", "20", "--io-depth", "32", "--mount",
                                     mount.path(), "--warmup", "0s", "--duration", "1s", "--dataset-scale", "1"},
                                    {"prlimit", "--nofile=400:400"});
  EXPECT_TRUE(is_refused(outcome, "the ops of 20 procs need 856 descriptors, "));
  EXPECT_FALSE(fs::exists(mount / "edagen.data"));
}

TEST(OpenFiles, ALimitThatKeepsARunFromBeginningIsNamed) {
  for (const std::string command : {"run", "curve"}) {
    bool is_named = false;
    // How many files the loader and the inherited descriptors need differs from host to host.
    for (int limit = 4; limit < 40; ++limit) {
      const Outcome outcome =
          shell(fmt::format("ulimit -n {}; exec {} {} --phase functional --target sim:regular "
                            "--duration 100ms -q",
                            limit, edagen_path(), command));
      if (outcome.status == 0) break;
      if (outcome.status != 1) continue;
      EXPECT_NE(outcome.err.find("Too many open files"), std::string::npos) << outcome.err;
      is_named |= outcome.err.find("(ulimit -n limits open files)") != std::string::npos;
    }
    EXPECT_TRUE(is_named) << command;
  }
}

}  // namespace
}  // namespace edagen::testing
