#include "search/probes_answer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fakes/made_point.hpp"
#include "search/full_runs.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

CurvePoint point(double rate, double latency_ms, double error_ms = 0.02) {
  return testing::made_point(Purpose::refinement, rate, latency_ms, error_ms);
}

CurvePoint full(double rate, double latency_ms, double error_ms = 0.02) {
  return testing::made_point(Purpose::full_run, rate, latency_ms, error_ms);
}

/// The target of 2 ms at 100.
std::vector<CurvePoint> probes() {
  std::vector<CurvePoint> points;
  for (const double rate : {70.0, 96.0, 98.0, 100.0, 101.0, 103.0})
    points.push_back(point(rate, 2 * std::pow(rate / 100, 4)));
  return points;
}

ProbesAnswer::Standing standing_with(std::vector<CurvePoint> more) {
  std::vector<CurvePoint> points = probes();
  points.insert(points.end(), more.begin(), more.end());
  return probes_answer(points, 2ms).standing;
}

TEST(ProbesAnswer, AFullRunIsToJudgeItAtItsRate) {
  const ProbesAnswer answer = probes_answer(probes(), 2ms);
  EXPECT_EQ(answer.standing, ProbesAnswer::undecided);
  EXPECT_FALSE(answer.jump);
  EXPECT_NEAR(answer.check_at, 100, 0.5);
}

TEST(ProbesAnswer, AFullRunOnItsLineUpholdsItAtWhateverRateItWas) {
  EXPECT_EQ(standing_with({full(100, 2.05)}), ProbesAnswer::upheld);
  EXPECT_EQ(standing_with({full(96, 1.7)}), ProbesAnswer::upheld);
  EXPECT_EQ(standing_with({full(70, 9)}), ProbesAnswer::undecided) << "that one is far from it";
}

TEST(ProbesAnswer, TwoFullRunsOffItsLineRefuteItAndOneDoesNot) {
  EXPECT_EQ(standing_with({full(100, 9)}), ProbesAnswer::undecided);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 2)}), ProbesAnswer::undecided);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 2), full(100, 2)}), ProbesAnswer::upheld);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 0.9)}), ProbesAnswer::refuted);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 9), full(100, 2), full(100, 2), full(100, 2)}),
            ProbesAnswer::refuted);
}

TEST(ProbesAnswer, AFullRunWithALargeErrorUpholdsNothing) {
  EXPECT_EQ(standing_with({full(100, 2, 0.5)}), ProbesAnswer::undecided);
  EXPECT_EQ(standing_with({full(100, 2, 0.5), full(100, 2, 0.5)}), ProbesAnswer::refuted);
}

TEST(ProbesAnswer, ProbesThatContradictEachOtherAreRefutedWithoutAFullRun) {
  EXPECT_EQ(standing_with({point(90, 4)}), ProbesAnswer::refuted) << "98 was clearly faster";
  EXPECT_EQ(standing_with({point(90, 4, 1)}), ProbesAnswer::undecided) << "its error explains it";
  EXPECT_EQ(standing_with({point(60, 4)}), ProbesAnswer::undecided) << "far from the rate";
}

TEST(ProbesAnswer, AJumpIsJudgedAtTheHighestRateBelowIt) {
  std::vector<CurvePoint> points;
  for (const double rate : {70.0, 96.0, 98.0, 99.0}) points.push_back(point(rate, 0.5));
  for (const double rate : {101.0, 103.0}) points.push_back(point(rate, 10 * (rate - 100)));
  points.push_back(point(100, 2.1));
  ProbesAnswer answer = probes_answer(points, 2ms);
  EXPECT_EQ(answer.jump, std::optional(std::pair(99.0, 101.0)));
  EXPECT_EQ(answer.check_at, 99);
  points.push_back(full(answer.check_at, 0.5));
  EXPECT_EQ(probes_answer(points, 2ms).standing, ProbesAnswer::upheld);
  points.back() = full(answer.check_at, 1.9);
  EXPECT_EQ(probes_answer(points, 2ms).standing, ProbesAnswer::undecided);
}

TEST(ProbesAnswer, ATargetBeyondAllRatesIsUpheldByAFullRunAtTheHighest) {
  std::vector<CurvePoint> points = {point(50, 1), point(100, 1.2)};
  EXPECT_EQ(probes_answer(points, 2ms).standing, ProbesAnswer::undecided);
  EXPECT_EQ(probes_answer(points, 2ms).check_at, 100);
  points.push_back(full(100, 1.2));
  EXPECT_EQ(probes_answer(points, 2ms).standing, ProbesAnswer::upheld);
  points.back() = full(100, 3);
  EXPECT_EQ(probes_answer(points, 2ms).standing, ProbesAnswer::refuted);
}

}  // namespace
}  // namespace edagen
