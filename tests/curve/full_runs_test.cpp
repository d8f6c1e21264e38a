#include "edagen/curve/full_runs.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

CurvePoint judged(double rate, double latency_ms, double error_ms = 0.01) {
  CurvePoint point;
  point.purpose = judged_purpose;
  point.stats.length = 10s;
  point.stats.requested_ops_per_sec = rate;
  point.stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  point.rate = rate;
  point.latency_ns = latency_ms * 1e6;
  point.latency_error_ns = error_ms * 1e6;
  return point;
}

TEST(Verdict, ATenthOrThreeStandardErrorsAgreeButNeverMoreThanTheTargetItself) {
  EXPECT_EQ(verdict_of(judged(100, 2.19), 2ms), Verdict::agrees);
  EXPECT_EQ(verdict_of(judged(100, 2.21), 2ms), Verdict::over);
  EXPECT_EQ(verdict_of(judged(100, 1.79), 2ms), Verdict::below);
  EXPECT_EQ(verdict_of(judged(100, 3.4, 0.5), 2ms), Verdict::agrees);
  EXPECT_EQ(verdict_of(judged(100, 24, 10), 2ms), Verdict::over);
}

TEST(FullRuns, TwoThatAreOverDecideUnlessMoreAtSuchRatesAreNot) {
  EXPECT_FALSE(full_runs({judged(100, 5)}, 2ms).decide());
  EXPECT_TRUE(full_runs({judged(100, 5), judged(90, 5)}, 2ms).decide());
  EXPECT_EQ(full_runs({judged(100, 5), judged(90, 5)}, 2ms).over, 90);
  EXPECT_EQ(full_runs({judged(100, 5), judged(100, 2)}, 2ms).standing, 1);
  EXPECT_EQ(full_runs({judged(100, 5), judged(100, 2), judged(100, 2)}, 2ms).standing, 0);
}

TEST(FullRuns, WhatWasMetIsBelowWhatWasNot) {
  const FullRuns runs = full_runs({judged(100, 5), judged(90, 5), judged(90, 2), judged(70, 1), judged(80, 2)}, 2ms);
  EXPECT_EQ(runs.over, 90);
  EXPECT_EQ(runs.met, 80);
}

TEST(FullRuns, ShortWindowsAreNone) {
  CurvePoint window = judged(90, 5);
  window.purpose = "refinement";
  EXPECT_EQ(full_runs({window, window}, 2ms).standing, 0);
}

TEST(FullRuns, TheLastOfThoseNextToARateIsNamed) {
  std::vector<CurvePoint> points = {judged(80, 1), judged(100, 3), judged(100, 2), judged(120, 9)};
  points[1].rate = 98;
  EXPECT_EQ(full_run_next_to(points, 97), &points[2]);
  EXPECT_EQ(full_run_next_to({}, 97), nullptr);
}

TEST(RateAtLatency, WindowsThatFullRunsRefuteDoNotCountAndTheIntervalSaysSo) {
  std::vector<CurvePoint> points = {judged(100, 50), judged(100, 60), judged(80, 1.2), judged(90, 6)};
  for (const double rate : {60.0, 95.0, 98.0, 100.0, 102.0, 104.0}) {
    points.push_back(judged(rate, 2 * rate / 100));
    points.back().purpose = "refinement";
  }
  const AtTarget answer = rate_at_latency(points, 2ms);
  EXPECT_TRUE(answer.bounded);
  EXPECT_GE(answer.ops_per_sec, 80);
  EXPECT_LE(answer.ops_per_sec, 90);
  EXPECT_LE(answer.low, 80);
  EXPECT_GE(answer.high, 90);
}

}  // namespace
}  // namespace edagen
