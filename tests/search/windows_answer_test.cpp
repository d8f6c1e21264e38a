#include "search/windows_answer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "search/full_runs.hpp"
#include "fakes/made_point.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

CurvePoint point(double rate, double latency_ms, double error_ms = 0.02) {
  return testing::made_point(Purpose::refinement, rate, latency_ms, error_ms);
}

CurvePoint full(double rate, double latency_ms, double error_ms = 0.02) {
  return testing::made_point(Purpose::judged, rate, latency_ms, error_ms);
}

/// The target of 2 ms at 100.
std::vector<CurvePoint> windows() {
  std::vector<CurvePoint> points;
  for (const double rate : {70.0, 96.0, 98.0, 100.0, 101.0, 103.0}) points.push_back(point(rate, 2 * std::pow(rate / 100, 4)));
  return points;
}

WindowsAnswer::Standing standing_with(std::vector<CurvePoint> more) {
  std::vector<CurvePoint> points = windows();
  points.insert(points.end(), more.begin(), more.end());
  return windows_answer(points, 2ms).standing;
}

TEST(WindowsAnswer, AFullRunIsToJudgeItAtItsRate) {
  const WindowsAnswer answer = windows_answer(windows(), 2ms);
  EXPECT_EQ(answer.standing, WindowsAnswer::unjudged);
  EXPECT_FALSE(answer.jump);
  EXPECT_NEAR(answer.judge_at, 100, 0.5);
}

TEST(WindowsAnswer, AFullRunOnItsLineUpholdsItAtWhateverRateItWas) {
  EXPECT_EQ(standing_with({full(100, 2.05)}), WindowsAnswer::upheld);
  EXPECT_EQ(standing_with({full(96, 1.7)}), WindowsAnswer::upheld);
  EXPECT_EQ(standing_with({full(70, 9)}), WindowsAnswer::unjudged) << "that one is far from it";
}

TEST(WindowsAnswer, TwoFullRunsOffItsLineRefuteItAndOneDoesNot) {
  EXPECT_EQ(standing_with({full(100, 9)}), WindowsAnswer::unjudged);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 2)}), WindowsAnswer::unjudged);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 2), full(100, 2)}), WindowsAnswer::upheld);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 0.9)}), WindowsAnswer::refuted);
  EXPECT_EQ(standing_with({full(100, 9), full(100, 9), full(100, 2), full(100, 2), full(100, 2)}), WindowsAnswer::refuted);
}

TEST(WindowsAnswer, AFullRunWithALargeErrorUpholdsNothing) {
  EXPECT_EQ(standing_with({full(100, 2, 0.5)}), WindowsAnswer::unjudged);
  EXPECT_EQ(standing_with({full(100, 2, 0.5), full(100, 2, 0.5)}), WindowsAnswer::refuted);
}

TEST(WindowsAnswer, WindowsThatContradictEachOtherAreRefutedWithoutAFullRun) {
  EXPECT_EQ(standing_with({point(90, 4)}), WindowsAnswer::refuted) << "98 was clearly faster";
  EXPECT_EQ(standing_with({point(90, 4, 1)}), WindowsAnswer::unjudged) << "its error explains it";
  EXPECT_EQ(standing_with({point(60, 4)}), WindowsAnswer::unjudged) << "far from the rate";
}

TEST(WindowsAnswer, AJumpIsJudgedAtTheHighestRateBelowIt) {
  std::vector<CurvePoint> points;
  for (const double rate : {70.0, 96.0, 98.0, 99.0}) points.push_back(point(rate, 0.5));
  for (const double rate : {101.0, 103.0}) points.push_back(point(rate, 10 * (rate - 100)));
  points.push_back(point(100, 2.1));
  WindowsAnswer answer = windows_answer(points, 2ms);
  EXPECT_EQ(answer.jump, std::optional(std::pair(99.0, 101.0)));
  EXPECT_EQ(answer.judge_at, 99);
  points.push_back(full(answer.judge_at, 0.5));
  EXPECT_EQ(windows_answer(points, 2ms).standing, WindowsAnswer::upheld);
  points.back() = full(answer.judge_at, 1.9);
  EXPECT_EQ(windows_answer(points, 2ms).standing, WindowsAnswer::unjudged);
}

TEST(WindowsAnswer, ATargetBeyondAllRatesIsUpheldByAFullRunAtTheHighest) {
  std::vector<CurvePoint> points = {point(50, 1), point(100, 1.2)};
  EXPECT_EQ(windows_answer(points, 2ms).standing, WindowsAnswer::unjudged);
  EXPECT_EQ(windows_answer(points, 2ms).judge_at, 100);
  points.push_back(full(100, 1.2));
  EXPECT_EQ(windows_answer(points, 2ms).standing, WindowsAnswer::upheld);
  points.back() = full(100, 3);
  EXPECT_EQ(windows_answer(points, 2ms).standing, WindowsAnswer::refuted);
}

}  // namespace
}  // namespace edagen
