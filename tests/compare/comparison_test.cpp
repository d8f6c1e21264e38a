#include "compare/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

TEST(Comparison, RepeatsGoForthAndBackSoThatDriftCancels) {
  EXPECT_EQ(interleaved(3, 3), (std::vector<std::size_t>{0, 1, 2, 2, 1, 0, 0, 1, 2}));
}

TEST(Comparison, ARatioHasAnIntervalAndAProbability) {
  const std::vector<double> a = {100, 101, 99, 100}, b = {120, 122, 119, 121};
  const Difference rate = difference_of(a, b);
  EXPECT_NEAR(rate.ratio, 1.205, 0.001);
  EXPECT_GT(rate.low, 1.18);
  EXPECT_LT(rate.high, 1.23);
  EXPECT_LT(rate.p.value(), 1e-4);
  EXPECT_LT(difference_of(a, b, 0.99).low, rate.low);
  EXPECT_DOUBLE_EQ(difference_of(a, a).p.value(), 1);
  EXPECT_DOUBLE_EQ(difference_of({1, 2}, {2, 4}).p.value(), 0) << "without scatter";
}

TEST(Comparison, NoiseAndSingleRunsShowNothing) {
  EXPECT_GT(difference_of({100, 120, 90}, {110, 100, 105}).p.value(), 0.05);
  EXPECT_FALSE(difference_of({100}, {200}).p);
  EXPECT_TRUE(std::isinf(difference_of({100}, {200}).high));
  EXPECT_FALSE(difference_of({}, {}).p);
}

TEST(Comparison, WhatRepeatsDoNotAverageIsInTheIntervalAndInTheProbability) {
  const std::vector<double> a = {100, 100.1, 99.9, 100}, b = {100.9, 100.8, 101, 100.9}, c = {103.1, 102.9, 103, 103};
  EXPECT_LT(difference_of(a, b).p.value(), 0.01);
  const Difference small = difference_of(a, b, 0.95, 0.01), large = difference_of(a, c, 0.95, 0.01);
  EXPECT_EQ(small.p.value(), 1);
  EXPECT_LT(small.low, 1);
  EXPECT_LT(large.p.value(), 0.01);
  EXPECT_GT(large.low, 1);
  EXPECT_NEAR(std::log(large.low), std::log(difference_of(a, c).low) - 0.01, 1e-12);
  EXPECT_NEAR(std::log(large.high), std::log(difference_of(a, c).high) + 0.01, 1e-12);
}

TEST(Comparison, PairingTakesOutWhatBothHaveInCommon) {
  // Both drift by half; each pair differs by 5 %.
  EXPECT_LT(difference_of({100, 125, 150}, {105.2, 131.1, 157.6}).p.value(), 0.05);
}

TEST(Comparison, TheProbabilityIsBelowFivePercentExactlyWhenTheIntervalLeavesOutOne) {
  Random random(1);
  int told = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> a, b;
    for (int r = 0; r < 5; ++r) {
      a.push_back(100 + random.uniform() * 10);
      b.push_back(100 + random.uniform() * 10);
    }
    const Difference difference = difference_of(a, b);
    const bool left_out = difference.low > 1 || difference.high < 1;
    EXPECT_EQ(left_out, difference.p.value() <= 0.05);
    told += left_out ? 1 : 0;
  }
  EXPECT_NEAR(told, 50, 25) << "equal variants are told apart in 5 %";
}

}  // namespace
}  // namespace edagen
