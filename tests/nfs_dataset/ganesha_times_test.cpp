// The times of RPCs on nfs:// against a real NFS server: beside those of a capture, and by laws that hold on a busy
// machine as well.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/ganesha_lab.hpp"
#include "support/program.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

/// $W is a workload of which each op is one FSSTAT.
const std::string statfs_workload = R"(
  D=$(mktemp -d); W=$D/statfs.json; trap 'rm -r $D' EXIT
  echo '{"schema": "edagen.workload/1", "name": "statfs", "phase": "custom", "procs_per_job_set": 5, "ops_per_sec_per_proc":
    1, "op_mix": {"statfs": 1}, "dataset": {"empty_files": 1, "directories": 1}}' >$W
  run() { $E --workload $W --dataset-scale 1 --warmup 0s --progress never --json - "$@"; }
)";

/// The load point of the one result on stdout.
json point_of(const std::string& out) {
  const json result = json::parse(out, nullptr, false);
  return result.is_discarded() || result["load_points"].empty() ? json() : result["load_points"][0];
}

class GaneshaTimesInACapture : public ::testing::TestWithParam<int> {};

struct CapturedTimes {
  double calls = 0, mean_ms = 0;
};

/// Of tshark's table of service response times: index, procedure, calls, and min, max, average and sum in seconds.
CapturedTimes captured_times(const std::string& table, const std::string& procedure) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string index, name;
    double calls = 0, least = 0, most = 0, mean = 0;
    if (words >> index >> name >> calls >> least >> most >> mean && name == procedure) return {calls, mean * 1e3};
  }
  return {};
}

TEST_P(GaneshaTimesInACapture, AreTheRoundTrips) {
  EDAGEN_NEEDS_GANESHA();
  if (!is_installed("tshark")) EDAGEN_SKIP("tshark is not installed");
  const Outcome outcome = in_ganesha_lab({}, statfs_workload + R"(
    tshark -i lo -q -s 0 -B 64 -w $D/capture -f 'tcp port 2049' 2>$D/log & shark=$!
    for i in $(seq 100); do grep -q 'Capturing on' $D/log && break; sleep 0.1; done; sleep 1
    run --clients 20 --duration 3s --rate )" + std::to_string(GetParam()) +
                                                 R"( --target $T
    sleep 1; kill -INT $shark; wait $shark
    echo; echo TABLE; tshark -r $D/capture -d tcp.port==2049,rpc -q -z rpc,srt,100003,3)");
  const std::size_t split = outcome.out.find("TABLE\n");
  ASSERT_NE(split, std::string::npos) << outcome.err;
  const json point = point_of(outcome.out.substr(0, split));
  ASSERT_FALSE(point.is_null()) << outcome.err;
  const json& fsstat = point["nfs"]["mounts"][0]["rpcs"]["FSSTAT"];
  const CapturedTimes captured = captured_times(outcome.out.substr(split), "FSSTAT");
  ASSERT_GT(captured.calls, 1000) << outcome.out.substr(split);
  RecordProperty("round_trip_us", std::to_string(fsstat["round_trip_ms"].get<double>() * 1e3));
  RecordProperty("captured_us", std::to_string(captured.mean_ms * 1e3));
  // A processor that is taken away between a time and the packet is in one figure and not in the other.
  const double tolerance_ms = 0.010 + 0.1 * captured.mean_ms;
  EXPECT_NEAR(fsstat["round_trip_ms"].get<double>(), captured.mean_ms, tolerance_ms) << outcome.out.substr(split);
}

INSTANTIATE_TEST_SUITE_P(Rates, GaneshaTimesInACapture, ::testing::Values(1'000, 10'000));

TEST(GaneshaTimes, TheQueueOfTwoSlotsIsThatOfLittlesLaw) {
  EDAGEN_NEEDS_GANESHA();
  constexpr double procs = 20, slots = 2;
  const Outcome outcome = in_ganesha_lab({}, statfs_workload + R"(
    run --clients 1 --job-sets 4 --rate max --duration 3s --target "$T?slots=2")");
  const json point = point_of(outcome.out);
  ASSERT_FALSE(point.is_null()) << outcome.err;
  const json& fsstat = point["nfs"]["mounts"][0]["rpcs"]["FSSTAT"];
  const double per_ms = fsstat["requests"].get<double>() / point["seconds"].get<double>() / 1e3;
  const double queued = per_ms * fsstat["queue_ms"].get<double>();
  const double in_slots = per_ms * fsstat["execute_ms"].get<double>() - queued;
  EXPECT_NEAR(queued, procs - slots, 0.05 * (procs - slots)) << point["nfs"];
  EXPECT_NEAR(in_slots, slots, 0.05 * slots) << point["nfs"];
}

TEST(GaneshaTimes, AServerThatStopsFor200MillisecondsShowsInTheResponse) {
  EDAGEN_NEEDS_GANESHA();
  constexpr double rate = 500, seconds = 6, stopped_seconds = 0.2;
  const Outcome outcome = in_ganesha_lab({}, statfs_workload + R"(
    run --clients 40 --rate 500 --duration 6s --target $T 2>$D/err & run=$!
    for i in $(seq 300); do grep -q 'dataset: ' $D/err && break; sleep 0.1; done
    sleep 3; kill -STOP $GANESHA_PID; sleep 0.2; kill -CONT $GANESHA_PID; wait $run)");
  const json point = point_of(outcome.out);
  ASSERT_FALSE(point.is_null()) << outcome.err;
  const json& response = point["latency_ms"]["response"];
  EXPECT_GE(response["max"].get<double>(), 0.95 * stopped_seconds * 1e3);
  // Ops come at the same rate while the server is stopped, and wait for half of the time on average.
  const double waited_seconds = rate * stopped_seconds * stopped_seconds / 2;
  EXPECT_GE(response["mean"].get<double>(), 0.9 * waited_seconds / (rate * seconds) * 1e3);
  // One op in a hundred was due when the server had at least this time to go.
  EXPECT_GE(response["p99"].get<double>(), 0.9 * (stopped_seconds - 0.01 * seconds) * 1e3);
}

}  // namespace
}  // namespace edagen::testing
