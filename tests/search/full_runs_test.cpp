#include "search/full_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fakes/made_point.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

CurvePoint full_run(double rate, double latency_ms, double error_ms = 0.01) {
  return testing::made_point(Purpose::full_run, rate, latency_ms, error_ms);
}

/// Of a curve on which the latency rises with the fourth power of the rate, 2 ms at 100; `factor` times as slow.
CurvePoint on_fourth_power(double rate, double factor = 1) {
  return full_run(rate, 2 * std::pow(rate / 100, 4) * factor);
}

TEST(FullRuns, PartWhereTheFewestAreOnTheWrongSide) {
  const FullRuns runs = full_runs(
      {full_run(100, 5), full_run(90, 5), full_run(75, 5), full_run(70, 1), full_run(78, 1), full_run(80, 1)}, 2ms);
  EXPECT_EQ(runs.over, 3u);
  EXPECT_EQ(runs.met, 3u);
  EXPECT_EQ(runs.contradictions, 1u);
  EXPECT_EQ(runs.highest_met, 80);
  EXPECT_EQ(runs.lowest_over, 90);
}

TEST(FullRuns, TheRateIsTheAchievedOne) {
  std::vector<CurvePoint> points;
  for (const double rate : {96.0, 98.0, 102.0, 104.0}) {
    points.push_back(on_fourth_power(rate));
    points.back().rate = 0.96 * rate;  // within what still counts as reached
  }
  const FullRuns runs = full_runs(points, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_NEAR(runs.estimate->rate, 96, 1);
}

TEST(FullRuns, AllOnOneSideGoOnOutwardsByWhatTheirLatencyTells) {
  const FullRuns little = full_runs({on_fourth_power(85), on_fourth_power(101)}, 2ms);
  EXPECT_EQ(little.lowest_over, 101);
  const FullRuns over = full_runs({on_fourth_power(101)}, 2ms);
  EXPECT_EQ(over.highest_met, 0);
  EXPECT_NEAR(over.next, 100, 1) << "a little over";
  EXPECT_LT(full_runs({full_run(100, 500)}, 2ms).next, 95) << "far over";
  EXPECT_LT(full_runs({full_run(100, 500), full_run(93, 500), full_run(80, 500)}, 2ms).next, 65) << "in growing steps";
  EXPECT_GT(full_runs({full_run(100, 1)}, 2ms).next, 105);
}

/// For the most part as fast as ever.
CurvePoint pausing(double rate, double latency_ms) {
  CurvePoint point = full_run(rate, latency_ms);
  point.typical_latency = 500us;
  return point;
}

TEST(FullRuns, OneThatIsOverForAPauseAsksForALittleLess) {
  EXPECT_NEAR(full_runs({pausing(100, 500)}, 2ms).next, 95, 0.5);
  EXPECT_NEAR(full_runs({pausing(100, 500), pausing(95, 500), pausing(90, 500)}, 2ms).next, 85.6, 0.5)
      << "however many";
}

TEST(FullRuns, OneThatIsSlowerThanAnotherAtAHigherRateIsAskedAgain) {
  EXPECT_EQ(full_runs({full_run(100, 5), full_run(90, 500)}, 2ms).next, 90);
  EXPECT_LT(full_runs({full_run(100, 5), full_run(90, 500), full_run(90, 500)}, 2ms).next, 80) << "once";
}

TEST(FullRuns, APauseIsNoJump) {
  EXPECT_TRUE(full_runs({full_run(100, 300), full_run(97, 0.5)}, 2ms).jumps);
  EXPECT_FALSE(full_runs({pausing(100, 300), full_run(97, 0.5)}, 2ms).jumps);
}

TEST(FullRuns, MoreThanAThirdAreNoException) {
  // Two at the same rate are equally far over, and are moved equally far: they agree by construction.
  const FullRuns runs = full_runs({full_run(100, 50), full_run(100, 60), full_run(85, 1.9), full_run(95, 1.9)}, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_EQ(runs.estimate->runs, 4u);
  EXPECT_LT(runs.estimate->low, 85);
  EXPECT_GT(runs.estimate->high, 92);
}

TEST(FullRuns, FarApartTheyAreFollowedByOneBetweenThem) {
  const FullRuns runs = full_runs({full_run(100, 9), full_run(50, 1)}, 2ms);
  EXPECT_FALSE(runs.estimate);
  EXPECT_NEAR(runs.next, std::sqrt(5000), 0.1);
}

TEST(FullRuns, NearEachOtherTheyAreMovedAlongTheCurveToTheTarget) {
  std::vector<CurvePoint> points = {on_fourth_power(70), on_fourth_power(95), on_fourth_power(104),
                                    on_fourth_power(102)};
  const FullRuns runs = full_runs(points, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_EQ(runs.estimate->runs, 3u) << "70 is not near";
  EXPECT_NEAR(runs.estimate->rate, 100, 0.5);
  EXPECT_EQ(runs.next, 0) << "enough is known";
}

TEST(FullRuns, ADisturbedProbeDoesNotMakeTheCurveFlat) {
  CurvePoint burst = on_fourth_power(90, 30);
  burst.purpose = Purpose::refinement;
  const FullRuns runs =
      full_runs({burst, on_fourth_power(70), on_fourth_power(95), on_fourth_power(104), on_fourth_power(102)}, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_NEAR(runs.estimate->rate, 100, 0.5);
}

TEST(FullRuns, DifferFromEachOtherByAsMuchAsTheirIntervalSays) {
  const std::vector<CurvePoint> points = {on_fourth_power(70),      on_fourth_power(100, 1.4), on_fourth_power(98, 0.7),
                                          on_fourth_power(99, 1.3), on_fourth_power(100, 0.8), on_fourth_power(99, 1)};
  const FullRuns runs = full_runs(points, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_NEAR(runs.estimate->rate, 100, 2);
  // Standard deviation of a fourth of the logarithms, 0.07, over the root of five, times Student's 2.78.
  EXPECT_NEAR(runs.estimate->high - runs.estimate->low, 2 * 100 * 0.07 / std::sqrt(5) * 2.78, 3);
  EXPECT_NEAR(runs.next, runs.estimate->rate, 1e-9) << "another is to narrow it";
}

TEST(FullRuns, ThoseThatAgreeByChanceDifferByTheirOwnErrors) {
  const auto vague = [](double rate) { return full_run(rate, 2 * std::pow(rate / 100, 4), 0.6); };
  const FullRuns runs = full_runs({on_fourth_power(70), vague(99), vague(100), vague(101)}, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_GT(runs.estimate->high - runs.estimate->low, 2 * 100 * 1.96 * 0.3 / 4 / std::sqrt(3) * 0.9);
  EXPECT_GT(runs.next, 0);
}

TEST(FullRuns, TwoThatDifferMuchGiveNoRateBelowZero) {
  const FullRuns runs = full_runs({full_run(100, 400, 90), full_run(99, 0.1)}, 2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_EQ(runs.estimate->low, 0);
}

TEST(FullRuns, OneFarOffTheOthersIsLeftOut) {
  const FullRuns runs = full_runs({on_fourth_power(70), on_fourth_power(100, 500), on_fourth_power(99),
                                   on_fourth_power(100), on_fourth_power(101), on_fourth_power(100)},
                                  2ms);
  ASSERT_TRUE(runs.estimate);
  EXPECT_EQ(runs.estimate->runs, 4u);
  EXPECT_NEAR(runs.estimate->rate, 100, 0.5);
}

TEST(FullRuns, AtAJumpTheRateIsBetweenTheEndsOnceBothHold) {
  std::vector<CurvePoint> points = {full_run(100, 300), full_run(93, 0.5)};
  FullRuns runs = full_runs(points, 2ms);
  EXPECT_TRUE(runs.jumps);
  EXPECT_NEAR(runs.next, std::sqrt(9300), 0.1) << "they are to come closer";
  points.push_back(full_run(97, 0.5));
  EXPECT_EQ(full_runs(points, 2ms).next, 97) << "does it hold?";
  points.push_back(full_run(97, 0.5));
  EXPECT_EQ(full_runs(points, 2ms).next, 100);
  points.push_back(full_run(100, 200));
  runs = full_runs(points, 2ms);
  EXPECT_EQ(runs.next, 0);
  ASSERT_TRUE(runs.estimate);
  EXPECT_EQ(runs.estimate->low, 97);
  EXPECT_EQ(runs.estimate->high, 100);
}

TEST(FullRuns, AJumpIsNotSoughtBetweenRatesThatCannotBeAskedFor) {
  EXPECT_EQ(full_runs({full_run(100, 300), full_run(90, 0.5)}, 2ms, 15).next, 90) << "an end, to see whether it holds";
}

TEST(FullRuns, ProbesAreNone) {
  CurvePoint probe = full_run(90, 5);
  probe.purpose = Purpose::refinement;
  EXPECT_EQ(full_runs({probe, probe}, 2ms).over, 0u);
}

TEST(FullRuns, InterruptedOnesAreNone) {
  CurvePoint cut = full_run(90, 5);
  cut.stats.interrupted = true;
  EXPECT_EQ(full_runs({cut, cut}, 2ms).over, 0u);
  EXPECT_EQ(full_run_next_to({cut}, 90), nullptr);
}

TEST(FullRuns, OneThatIsSlowForTheGeneratorsSakeSaysNothing) {
  CurvePoint late = full_run(90, 5);
  late.invalid = {Invalid::generator_limited};
  EXPECT_EQ(full_runs({late}, 2ms).over, 0u);
  late.latency = 1ms;
  EXPECT_EQ(full_runs({late}, 2ms).met, 1u) << "without it, it were faster still";
}

TEST(FullRuns, TheLastOfThoseNextToARateIsNamed) {
  std::vector<CurvePoint> points = {full_run(80, 1), full_run(100, 3), full_run(100, 2), full_run(120, 9)};
  points[1].rate = 98;
  EXPECT_EQ(full_run_next_to(points, 97), &points[2]);
  EXPECT_EQ(full_run_next_to({}, 97), nullptr);
}

}  // namespace
}  // namespace edagen
