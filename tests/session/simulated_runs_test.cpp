#include "session/simulated_runs.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"
#include "fakes/session_fixture.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

using testing::simulated;

/// Runs 0 to `count` - 1 of one variant, with seeds of their own.
std::vector<SimulatedRuns::Run> runs_of_one_variant(std::size_t count) {
  std::vector<SimulatedRuns::Run> runs;
  for (std::size_t repeat = 0; repeat < count; ++repeat) {
    runs.push_back({0, repeat, simulated()});
    runs.back().plan.seed = repeat + 1;
  }
  return runs;
}

/// The figures of a run, without what differs from one time to the next.
Document figures(const Result& result) { return to_json(result)["load_points"]; }

std::vector<Document> figures_of_runs(std::size_t count, std::size_t at_once) {
  SimulatedRuns runs(runs_of_one_variant(count), at_once, ignore_events, {}, std::chrono::seconds(30));
  std::vector<Document> all;
  for (std::size_t repeat = 0; repeat < count; ++repeat) all.push_back(figures(*runs.take(0, repeat)));
  return all;
}

TEST(SimulatedRuns, GiveTheSameHoweverManyGoOnAtOnce) {
  const std::vector<Document> one_by_one = figures_of_runs(4, 1);
  EXPECT_EQ(figures_of_runs(4, 4), one_by_one);
  EXPECT_EQ(figures_of_runs(4, 3), one_by_one);
  EXPECT_NE(one_by_one[0], one_by_one[1]) << "each has a seed of its own";
}

TEST(SimulatedRuns, HaveNoResultOfARunThatIsNotTheirs) {
  SimulatedRuns runs(runs_of_one_variant(1), 2, ignore_events, {}, std::chrono::seconds(30));
  EXPECT_FALSE(runs.take(0, 1));
  EXPECT_FALSE(runs.take(1, 0));
  EXPECT_TRUE(runs.take(0, 0));
}

TEST(SimulatedRuns, EmitEachLoadPointInTheOrderInWhichRunsAreTaken) {
  std::vector<std::uint64_t> seeds;
  std::vector<double> rates, expected;
  int loads_ended = 0;
  const EventSink sink =
      on([&](const LoadBegan& began) { seeds.push_back(began.header.workload.seed); },
         [&](const PointMeasured& measured) { rates.push_back(measured.point.achieved_ops_per_sec); },
         [&](const LoadEnded&) { ++loads_ended; });
  SimulatedRuns runs(runs_of_one_variant(4), 4, sink, {}, std::chrono::seconds(30));
  for (const std::size_t repeat : {3, 0, 2, 1}) {
    const Result result = *runs.take(0, repeat);
    for (const PointFigures& point : result.load_points) expected.push_back(point.achieved_ops_per_sec);
  }
  EXPECT_EQ(seeds, (std::vector<std::uint64_t>{4, 1, 3, 2}));
  EXPECT_EQ(rates, expected);
  EXPECT_EQ(loads_ended, 4);
}

TEST(SimulatedRuns, EndAtAStopAndNobodyHasToTakeThem) {
  std::stop_source stop;
  SimulatedRuns runs(runs_of_one_variant(50), 2, ignore_events, stop.get_token(), std::chrono::seconds(30));
  stop.request_stop();
  EXPECT_EQ(runs.take(0, 49)->status, Status::interrupted);
}

TEST(SimulatedRuns, ThatHaveNotBegunAtAStopAreNotCarriedOut) {
  std::stop_source stop;
  std::vector<SimulatedRuns::Run> of_fifty = runs_of_one_variant(50);
  of_fifty.back().plan.clients = 0;  // would throw
  SimulatedRuns runs(std::move(of_fifty), 2, ignore_events, stop.get_token(), std::chrono::seconds(30));
  stop.request_stop();
  EXPECT_EQ(runs.take(0, 49)->status, Status::interrupted);
}

TEST(SimulatedRuns, ThrowWhatARunHasThrownWhereItIsTaken) {
  std::vector<SimulatedRuns::Run> of_two = runs_of_one_variant(2);
  of_two[0].plan.clients = 0;
  SimulatedRuns runs(std::move(of_two), 2, ignore_events, {}, std::chrono::seconds(30));
  EXPECT_THROW(runs.take(0, 0), Error);
  EXPECT_EQ(runs.take(0, 1)->status, Status::complete);
}

}  // namespace
}  // namespace edagen
