#include "live/metrics_text.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <sstream>

#include "support/sample_result.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

Result header_on(std::vector<std::string> mounts) {
  Result header = sample_header();
  header.target.mounts.clear();
  for (std::string& path : mounts)
    header.target.mounts.push_back(
        {.path = std::move(path), .source = "", .fstype = "", .options = "", .nfs_version = {}, .connections = {}});
  return header;
}

/// An op of each of `clients` clients: a read of 8 KiB in 1.5 ms.
IntervalStats interval_of(std::size_t clients) {
  IntervalStats stats(1);
  stats.clients.resize(clients);
  for (ClientStats& client : stats.clients) {
    const OpResult result{0, 8192, 0};
    stats.ops.record(OpKind::read_rand, {1500us, 900us, 600us}, result);
    client.counts.count(result);
    client.time(OpKind::read_rand, 1500us, 1ms);
  }
  return stats;
}

Interval second() { return {.start = 0s, .length = 1s, .operations = 1}; }

/// The value of a sample, as written; "none" without it.
std::string sample(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + " ")) return line.substr(name.size() + 1);
  return "none";
}

std::string open_metrics(const LiveRun& run) { return metrics_text(run.state(), MetricsFormat::open_metrics); }

TEST(MetricsText, CountsOpsErrorsAndBytesByKindClientAndMountOverWarmUpAndWindow) {
  LiveRun run({});
  run.observe(LoadBegan{header_on({"/mnt/a", "/mnt/b"})});
  IntervalStats stats = interval_of(3);
  const OpResult failed{ESTALE, 0, 0};
  stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, failed);
  stats.clients[1].counts.count(failed);
  run.observe(IntervalEnded{false, second(), stats});
  run.observe(IntervalEnded{true, second(), interval_of(3)});
  const std::string text = open_metrics(run);
  EXPECT_EQ(sample(text, R"(edagen_ops_total{op="read_rand"})"), "6");
  EXPECT_EQ(sample(text, R"(edagen_read_bytes_total{op="read_rand"})"), "49152");
  EXPECT_EQ(sample(text, R"(edagen_op_errors_total{op="stat"})"), "1");
  EXPECT_EQ(sample(text, R"(edagen_client_ops_total{client="1",mount="/mnt/b"})"), "3");
  EXPECT_EQ(sample(text, R"(edagen_client_errors_total{client="1",mount="/mnt/b"})"), "1");
  EXPECT_EQ(sample(text, R"(edagen_client_bytes_total{client="2",mount="/mnt/a"})"), "16384");
  EXPECT_EQ(sample(text, R"(edagen_client_response_seconds_sum{client="2",mount="/mnt/a"})"), "0.003");
  EXPECT_EQ(sample(text, R"(edagen_client_service_seconds_count{client="2",mount="/mnt/a"})"), "2");
  EXPECT_EQ(sample(text, R"(edagen_ops_total{op="chmod"})"), "none");
}

TEST(MetricsText, LatencyBucketsAreCumulativeAndHaveTheLatencyTargetAmongTheirBounds) {
  LiveRun run({1700us});
  run.observe(LoadBegan{header_on({"/mnt/a"})});
  run.observe(IntervalEnded{true, second(), interval_of(4)});
  const std::string text = open_metrics(run), of = R"(edagen_response_seconds_bucket{op="read_rand",le=")";
  EXPECT_EQ(sample(text, of + "0.001\"}"), "0");
  EXPECT_EQ(sample(text, of + "0.0017\"}"), "4");
  EXPECT_EQ(sample(text, of + "0.002\"}"), "4");
  EXPECT_EQ(sample(text, of + "1.0\"}"), "4");
  EXPECT_EQ(sample(text, of + "+Inf\"}"), "4");
  EXPECT_EQ(sample(text, R"(edagen_service_seconds_bucket{op="read_rand",le="0.001"})"), "4");
  EXPECT_EQ(sample(text, R"(edagen_response_seconds_count{op="read_rand"})"), "4");
  EXPECT_NEAR(std::stod(sample(text, R"(edagen_response_seconds_sum{op="read_rand"})")), 0.006, 1e-9);
}

TEST(MetricsText, HasTheLoadPointAndWhatTheSearchKnowsByNow) {
  LiveRun run({});
  run.observe(LoadBegan{header_on({"/mnt/a"})});
  run.observe(PointBegan{1200.0, "block"});
  AtTarget answer;
  answer.target = 2ms;
  answer.ops_per_sec = 40'000, answer.low = 39'000, answer.high = 41'000;
  answer.invalid = {Invalid::not_demonstrated};
  run.observe(AnswerEstimated{answer});
  const std::string text = open_metrics(run);
  EXPECT_EQ(sample(text, R"(edagen_load_point{purpose="block"})"), "1");
  EXPECT_EQ(sample(text, "edagen_requested_ops_per_second"), "1200");
  EXPECT_EQ(sample(text, R"(edagen_estimate_ops_per_second{target_seconds="0.002"})"), "40000");
  EXPECT_EQ(sample(text, R"(edagen_estimate_high_ops_per_second{target_seconds="0.002"})"), "41000");
  EXPECT_EQ(sample(text, R"(edagen_estimate_valid{target_seconds="0.002"})"), "0");
  EXPECT_EQ(sample(text, "edagen_running"), "1");
  run.observe(RunFinished{Result()});
  EXPECT_EQ(sample(open_metrics(run), "edagen_running"), "0");
}

TEST(MetricsText, WhatIsComparedKeepsCountersOfItsOwn) {
  LiveRun run({});
  for (const char* const mount : {"/mnt/a", "/mnt/b", "/mnt/a"}) {
    run.observe(LoadBegan{header_on({mount})});
    run.observe(IntervalEnded{true, second(), interval_of(1)});
  }
  const std::string text = open_metrics(run);
  EXPECT_EQ(sample(text, R"(edagen_client_ops_total{client="0",mount="/mnt/a"})"), "2");
  EXPECT_EQ(sample(text, R"(edagen_client_ops_total{client="0",mount="/mnt/b"})"), "1");
  EXPECT_EQ(sample(text, R"(edagen_ops_total{op="read_rand"})"), "3");
}

TEST(MetricsText, OfMoreThanAThousandClientsThoseOfAMountAreCountedTogether) {
  LiveRun run({});
  run.observe(LoadBegan{header_on({"/mnt/a", "/mnt/b"})});
  run.observe(IntervalEnded{true, second(), interval_of(1001)});
  const std::string text = open_metrics(run);
  EXPECT_EQ(sample(text, R"(edagen_client_ops_total{mount="/mnt/a"})"), "501");
  EXPECT_EQ(sample(text, R"(edagen_client_ops_total{mount="/mnt/b"})"), "500");
  EXPECT_EQ(text.find("client=\""), std::string::npos);
}

TEST(MetricsText, PathsOfAnyBytesAreLabelsOnOneLineInUtf8) {
  LiveRun run({});
  run.observe(LoadBegan{header_on({"/mnt/\"a\"\\\n\x1b[2J\xff"})});
  run.observe(IntervalEnded{true, second(), interval_of(1)});
  const std::string text = open_metrics(run);
  const std::size_t at = text.find("mount=");
  ASSERT_NE(at, std::string::npos);
  const std::string label = text.substr(at, text.find('\n', at) - at);
  EXPECT_TRUE(label.starts_with(R"(mount="/mnt/\"a\")")) << label;
  EXPECT_TRUE(label.ends_with("\"} 1")) << label;
  EXPECT_EQ(label.find('\x1b'), std::string::npos);
  EXPECT_EQ(label.find('\xff'), std::string::npos);
}

TEST(MetricsText, TheOlderFormatNamesCountersAsTheirSamplesAndHasNoEnd) {
  LiveRun run({});
  run.observe(LoadBegan{header_on({"/mnt/a"})});
  run.observe(IntervalEnded{true, second(), interval_of(1)});
  const std::string open = open_metrics(run), older = metrics_text(run.state(), MetricsFormat::prometheus);
  EXPECT_NE(open.find("# TYPE edagen_ops counter\n"), std::string::npos);
  EXPECT_NE(open.find("# UNIT edagen_read_bytes bytes\n"), std::string::npos);
  EXPECT_TRUE(open.ends_with("# EOF\n"));
  EXPECT_NE(older.find("# TYPE edagen_ops_total counter\n"), std::string::npos);
  EXPECT_EQ(older.find("# UNIT"), std::string::npos);
  EXPECT_EQ(older.find("# EOF"), std::string::npos);
}

TEST(MetricsText, TheShareOfADatasetIsThatOfTheOneThatIsBuilt) {
  LiveRun run({});
  const auto builds = [&](double done) {
    const BuildProgress progress{.directories_done = 1, .directories = 1, .bytes_done = done, .bytes = 100};
    run.observe(DatasetProgressed{progress});
    return sample(open_metrics(run), "edagen_dataset_built_ratio");
  };
  EXPECT_EQ(sample(open_metrics(run), "edagen_dataset_built_ratio"), "0");
  EXPECT_EQ(builds(25), "0.25");
  run.observe(LoadBegan{header_on({"/mnt/a"})});
  EXPECT_EQ(sample(open_metrics(run), "edagen_dataset_built_ratio"), "1");
  EXPECT_EQ(builds(50), "0.5") << "of the next run of a comparison";
}

}  // namespace
}  // namespace edagen::testing
