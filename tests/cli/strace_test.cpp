// The counts in the result against the system calls that strace sees the workers make.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
using Counts = std::map<std::string, double>;

/// System calls of the worker threads in a log of strace -f.
Counts calls_of_workers(const std::string& log) {
  std::map<std::string, Counts> by_thread;
  std::set<std::string> workers;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string thread, call;
    words >> thread >> call;
    if (line.find("PR_SET_NAME, \"edagen-worker\"") != std::string::npos) workers.insert(thread);
    const auto end = call.find('(');
    if (end == std::string::npos) continue;
    std::string name = call.substr(0, end);
    if (name == "openat2" && line.find("O_PATH") != std::string::npos)
      name = "directories";  // opened to be kept, or to change a mode
    ++by_thread[thread][name];
  }
  Counts all;
  for (const std::string& worker : workers)
    for (const auto& [call, count] : by_thread[worker]) all[call] += count;
  return all;
}

class StraceTest : public ::testing::Test {
 protected:
  /// Runs the phase under strace, in a window that is too short to be measured again; false when that is not possible
  /// here.
  bool run(const std::string& phase) {
    const TemporaryDirectory mount;
    std::vector<std::string> words =
        words_of("strace -f -q -o " + (mount / "log") + " " + edagen_path() + " --phase " + phase + " --mount " +
                 mount.path() + " --dataset-scale 0.02 --warmup 0s --duration 2s --rate 250 --json -");
    const Outcome outcome = Program(words, {{"ASAN_OPTIONS", "detect_leaks=0"}}).wait();
    if (outcome.status != 0 && outcome.status != 5) return false;
    const json result = json::parse(outcome.out);
    const json& point = result["load_points"][0];
    ops_ = point["ops"];
    late_ = std::max(0.0, 250 * 2 - point["operations"].get<double>());
    directories_ = result["dataset"]["directories"].get<double>();
    calls_ = calls_of_workers(mount / "log");
    return true;
  }
  double ops(const std::string& kind) const { return ops_.contains(kind) ? ops_[kind]["operations"].get<double>() : 0; }
  /// strace sees every op that is counted, and those besides that end after the measurement's last moment: those that
  /// were due when the run is behind its rate, as it can be under strace on a busy machine, and a batch or two.
  void expect(const std::string& call, double count, double slack = 0) {
    EXPECT_GE(calls_[call], count - slack) << call;
    EXPECT_LE(calls_[call], count + late_ + slack + 10 + 0.03 * count) << call;
  }

  json ops_;
  double late_ = 0;  ///< ops that were due and had not ended
  double directories_ = 0;
  Counts calls_;
};

TEST_F(StraceTest, AgreesWithTheCountsOfTheFunctionalPhase) {
  if (!run("functional")) EDAGEN_SKIP("strace cannot trace here");
  ASSERT_GT(ops("stat"), 10) << "more than a hundred, unless a pause holds up the end of the window";
  expect("newfstatat", ops("stat"));
  calls_["faccessat"] += calls_["faccessat2"];  // glibc uses one or the other
  expect("faccessat", ops("access"));
  expect("pread64", ops("read_rand"));
  expect("pwrite64", ops("write_rand"));
  expect("read", 2 * ops("read_file"));
  expect("write", ops("write_file"));
  expect("renameat", ops("rename"));
  expect("mkdirat", ops("mkdir"));
  expect("unlinkat", ops("unlink") + ops("rmdir"));
  // Linux before 6.6 has no fchmodat2; a strace before 6.7 does not know its name.
  calls_["chmod"] += calls_["fchmodat2"] + calls_["syscall_0x1c4"];
  expect("chmod", ops("chmod"));
  const double random_opens = 5 + (ops("read_rand") + ops("write_rand")) / 64;
  expect("openat2", ops("read_file") + ops("write_file") + ops("create") + random_opens, 5);
  EXPECT_EQ(calls_["openat"], 0);
  EXPECT_GT(calls_["directories"], 5);
  EXPECT_LE(calls_["directories"], directories_ + calls_["chmod"]) << "each is opened once and kept";
}

TEST_F(StraceTest, AgreesWithTheCountsOfThePhysicalPhase) {
  if (!run("physical")) EDAGEN_SKIP("strace cannot trace here");
  ASSERT_GT(ops("read_seq"), 10) << "more than a hundred, unless a pause holds up the end of the window";
  expect("openat2", ops("open"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their run-time libraries open files too
  expect("close", ops("close"));
#endif
  expect("pread64", ops("read_seq"));
  expect("pwrite64", ops("write_seq"));
  // The share of all writes that strace sees, also of those after the window, and two standard deviations of few.
  const double writes = calls_["pwrite64"];
  EXPECT_NEAR(calls_["fsync"] / writes, 0.15, std::max(0.08, 0.8 / std::sqrt(writes)));
}

TEST(StraceOfOutputs, SeesThemOnTheStorageBeforeTheyTakeTheirNames) {
  const TemporaryDirectory folder;
  const std::vector<std::string> words = words_of(
      "strace -f -q -e trace=fsync,renameat,renameat2 -o " + (folder / "log") + " " + edagen_path() +
      " run --phase functional --target sim:regular --warmup 0s --duration 100ms --json " + (folder / "r.json"));
  const Outcome outcome = Program(words, {{"ASAN_OPTIONS", "detect_leaks=0"}}).wait();
  if (outcome.status != 0 && outcome.status != 5) EDAGEN_SKIP("strace cannot trace here");
  const std::string log = text_of(folder / "log");
  const std::size_t renamed = log.find("renameat");
  ASSERT_NE(renamed, std::string::npos) << log;
  EXPECT_LT(log.find("fsync("), renamed) << log;
}

}  // namespace
}  // namespace edagen::testing
