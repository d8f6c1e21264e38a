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

TEST(Verdict, ATenthOrThreeStandardErrorsAgreeWithinLimits) {
  EXPECT_EQ(verdict_of(judged(100, 2.19), 2ms), Verdict::agrees);
  EXPECT_EQ(verdict_of(judged(100, 2.21), 2ms), Verdict::over);
  EXPECT_EQ(verdict_of(judged(100, 1.79), 2ms), Verdict::below);
  EXPECT_EQ(verdict_of(judged(100, 2.4, 0.5), 2ms), Verdict::agrees);
  EXPECT_EQ(verdict_of(judged(100, 2.6, 0.5), 2ms), Verdict::over);
  EXPECT_EQ(verdict_of(judged(100, 1.1, 0.5), 2ms), Verdict::agrees);
  EXPECT_EQ(verdict_of(judged(100, 0.9, 0.5), 2ms), Verdict::below);
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

TEST(FullRuns, InterruptedOnesAreNone) {
  CurvePoint cut = judged(90, 5);
  cut.stats.interrupted = true;
  EXPECT_EQ(full_runs({cut, cut}, 2ms).standing, 0);
  EXPECT_EQ(full_run_next_to({cut}, 90), nullptr);
}

TEST(FullRuns, TheLastOfThoseNextToARateIsNamed) {
  std::vector<CurvePoint> points = {judged(80, 1), judged(100, 3), judged(100, 2), judged(120, 9)};
  points[1].rate = 98;
  EXPECT_EQ(full_run_next_to(points, 97), &points[2]);
  EXPECT_EQ(full_run_next_to({}, 97), nullptr);
}

}  // namespace
}  // namespace edagen
