// bench/nfs/station: the NFS server whose queue is a known truth for the benchmarks of searches.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <queue>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

struct Visit {
  std::int64_t arrival_ns = 0;
  std::uint32_t wait_ns = 0, service_ns = 0, late_ns = 0, procedure = 0;
};
constexpr std::uint32_t fsstat = 18;

std::vector<Visit> visits_in(const std::string& path) {
  std::ifstream log(path, std::ios::binary);
  std::vector<Visit> visits;
  for (Visit visit; log.read(reinterpret_cast<char*>(&visit), sizeof visit);) visits.push_back(visit);
  return visits;
}

/// Mean time in a first-come-first-served queue with these arrivals and service times.
double simulated_mean_ms(std::vector<Visit> visits, std::size_t servers) {
  std::ranges::sort(visits, {}, &Visit::arrival_ns);
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free_from;
  for (std::size_t i = 0; i < servers; ++i) free_from.push(0);
  double total = 0;
  for (const Visit& visit : visits) {
    const std::int64_t departure = std::max(visit.arrival_ns, free_from.top()) + visit.service_ns;
    free_from.pop();
    free_from.push(departure);
    total += static_cast<double>(departure - visit.arrival_ns);
  }
  return total / static_cast<double>(visits.size()) / 1e6;
}

template <class Value>
double mean_of(const std::vector<Visit>& visits, Value value) {
  double total = 0;
  for (const Visit& visit : visits) total += static_cast<double>(value(visit));
  return total / static_cast<double>(visits.size());
}

class Station : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Station, ServesTheRpcsOfALoadInTurnAndNothingElse) {
  const std::string program = build_path("bench/station");
  if (::access(program.c_str(), X_OK) != 0) EDAGEN_SKIP("bench/station is not built");
  const std::size_t servers = GetParam();
  const TemporaryDirectory folder;
  std::ofstream(folder / "statfs.json") << R"({"schema": "edagen.workload/1", "name": "statfs", "phase": "custom",
    "procs_per_job_set": 5, "ops_per_sec_per_proc": 1, "op_mix": {"statfs": 1},
    "dataset": {"data_files": 20, "empty_files": 20, "directories": 4, "file_size": 5000}})";
  // A window of two seconds is too short to be measured again, so that the server sees no op but the ops in it.
  const Outcome outcome = shell(
      "cd " + folder.path() + "; " + program + " --servers " + std::to_string(servers) +
      " --mean 5ms --log visits >url & station=$!; for i in $(seq 100); do [ -s url ] && break; sleep 0.05; done; " +
      edagen_path() + " --workload statfs.json --dataset-scale 1 --clients 5 --arrivals poisson --rate " +
      std::to_string(servers * 130) + " --warmup 0s --duration 2s --target $(cat url) --progress never --json - ; " +
      edagen_path() + " clean --target $(cat url); kill -TERM $station; wait $station; echo station $? >&2");
  const json result = json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("station 0"), std::string::npos) << outcome.err;
  const json& point = result["load_points"][0];
  EXPECT_TRUE(point["errors"].empty()) << point["errors"];
  const json& rpcs = point["nfs"]["mounts"][0]["rpcs"]["FSSTAT"];

  const std::vector<Visit> visits = visits_in(folder / "visits");
  ASSERT_GT(visits.size(), 200u);
  EXPECT_TRUE(std::ranges::all_of(visits, [](const Visit& visit) { return visit.procedure == fsstat; }));
  EXPECT_NEAR(rpcs["requests"].get<double>(), static_cast<double>(visits.size()), 30);
  const double wait_ms = mean_of(visits, [](const Visit& visit) { return visit.wait_ns; }) / 1e6;
  const double service_ms = mean_of(visits, [](const Visit& visit) { return visit.service_ns; }) / 1e6;
  EXPECT_NEAR(service_ms, 5, 1.5);  // 5 standard errors of 250 draws
  EXPECT_GT(wait_ms, 0.05);
  // On a busy machine, RPCs that arrive together may be served in another order than that of their arrivals.
  EXPECT_NEAR(wait_ms + service_ms, simulated_mean_ms(visits, servers), 0.05 * service_ms);
  // A reply does not leave before its time is over. The last RPCs, of at most 25 procs, end after the window.
  EXPECT_GT(rpcs["round_trip_ms"].get<double>(), 0.8 * (wait_ms + service_ms));
}

INSTANTIATE_TEST_SUITE_P(Servers, Station, ::testing::Values(1, 3));

TEST(StationWords, AreRefusedInOneLine) {
  const std::string program = build_path("bench/station");
  if (::access(program.c_str(), X_OK) != 0) EDAGEN_SKIP("bench/station is not built");
  for (const auto& words : {std::vector<std::string>{"--mean", "fast"}, {"--servers", "0"}}) {
    std::vector<std::string> all = {program};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = Program(all).wait();
    EXPECT_NE(outcome.status, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(words[0]), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace edagen::testing
