#include "live/live_run.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "edagen/session.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

class LiveRunTest : public ::testing::Test {
 protected:
  LiveRunTest() {
    plan_.workload = load_workload("eda_mixed");
    plan_.volume = load_volume("regular");
    plan_.clients = 3;
    plan_.journal = Place{"journal", here_ / "j.jsonl"};
  }
  TemporaryDirectory here_;
  RunPlan plan_;
  LiveRun run_{{}};
};

TEST_F(LiveRunTest, WhatClientsDidAddsUpToWhatKindsOfOpDid) {
  LoadSeries series;
  series.load.rate = OpenLoop{3000};
  series.load.warmup = 1s;
  series.load.duration = 3s;
  plan_.measurement = series;
  const Result result = Session([this](const Event& event) { run_.observe(event); }, {}).run(plan_);
  const LiveState state = run_.state();
  std::uint64_t operations = 0, of_clients = 0;
  for (const KindTotals& kind : state.totals) operations += kind.operations;
  ASSERT_EQ(state.clients_totals.size(), 1u);
  ASSERT_EQ(state.clients_totals[0].clients.size(), 3u);
  for (const ClientTotal& client : state.clients_totals[0].clients) {
    EXPECT_GT(client.counts.operations, 3000u);
    EXPECT_GT(client.counts.bytes, 0);
    EXPECT_GT(client.response_seconds, client.service_seconds);
    of_clients += client.counts.operations;
  }
  EXPECT_EQ(of_clients, operations);
  EXPECT_GT(operations, result.load_points[0].operations + 2000);  // of the warm-up, too
  EXPECT_EQ(state.stage, Stage::is_over);
  EXPECT_EQ(state.mounts, std::vector<std::string>{"sim:regular"});
  EXPECT_EQ(state.requested_ops_per_sec, 3000.0);
  EXPECT_EQ(state.last_minute.size(), 4u);
}

TEST_F(LiveRunTest, ASearchEmitsWhatItWouldAnswerAfterEachLoadPoint) {
  CurvePlan search;
  search.load.duration = 2s;
  search.targets = {2ms};
  search.own_rate = plan_.own_ops_per_sec();
  search.max_rate = 2000;
  plan_.procs_per_client = 100;
  plan_.measurement = search;
  std::size_t points = 0, windows = 0, estimates = 0;
  double last = 0;
  const EventSink count = on([&](const PointBegan&) { ++points; }, [&](const WindowBegan&) { ++windows; },
                             [&](const AnswerEstimated& its) {
                               ++estimates;
                               last = its.answer.ops_per_sec;
                             });
  const Result result = Session(
                            [&](const Event& event) {
                              count(event);
                              run_.observe(event);
                            },
                            {})
                            .run(plan_);
  EXPECT_EQ(points, result.load_points.size());
  EXPECT_EQ(estimates, points);
  EXPECT_GE(windows, points);
  EXPECT_NEAR(last, result.at_latency_target[0].ops_per_sec, 1);
  EXPECT_EQ(run_.state().estimates.at(2ms).ops_per_sec, last);
}

TEST(LiveRun, TheTimeOfSlicesCountsFromTheFirstOfThem) {
  LiveRun run({});
  const Result header;
  run.observe(LoadTimeExpected{1min});  // when all variants are up
  run.observe(LoadBegan{header});
  const auto began = run.state().load_began;
  ASSERT_TRUE(began);
  std::this_thread::sleep_for(2ms);
  run.observe(LoadBegan{header});
  EXPECT_EQ(run.state().load_began, began);
  run.observe(LoadEnded{});
  run.observe(LoadTimeExpected{1min});
  run.observe(LoadBegan{header});
  EXPECT_GT(run.state().load_began, began);
}

TEST(LiveRun, TheTimeOfALoadAfterOneThatFailedCountsFromItsOwnBeginning) {
  LiveRun run({});
  const Result header;
  run.observe(LoadTimeExpected{1min});
  run.observe(LoadBegan{header});  // and then an error
  const auto began = run.state().load_began;
  std::this_thread::sleep_for(2ms);
  run.observe(LoadTimeExpected{1min});
  run.observe(LoadBegan{header});
  EXPECT_GT(run.state().load_began, began);
}

}  // namespace
}  // namespace edagen::testing
