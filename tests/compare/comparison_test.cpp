#include "compare/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/random.hpp"

namespace edagen {
namespace {

TEST(Comparison, RepeatsGoForthAndBackSoThatDriftCancels) {
  EXPECT_EQ(interleaved(3, 3), (std::vector<std::size_t>{0, 1, 2, 2, 1, 0, 0, 1, 2}));
}

TEST(Comparison, AClearDifferenceIsCalledByItsName) {
  const std::vector<double> a = {100, 101, 99, 100}, b = {120, 122, 119, 121};
  const Difference rate = difference_of(a, b, true);
  EXPECT_NEAR(rate.ratio, 1.205, 0.001);
  EXPECT_EQ(rate.verdict, Verdict::faster);
  EXPECT_EQ(difference_of(a, b, false).verdict, Verdict::slower);  // of latencies
  EXPECT_EQ(difference_of(b, a, true).verdict, Verdict::slower);
}

TEST(Comparison, NoiseAndSingleRunsShowNothing) {
  EXPECT_EQ(difference_of({100, 120, 90}, {110, 100, 105}, true).verdict, Verdict::no_difference);
  EXPECT_EQ(difference_of({100}, {200}, true).verdict, Verdict::no_difference);
  EXPECT_TRUE(std::isinf(difference_of({100}, {200}, true).high));
  EXPECT_EQ(difference_of({}, {}, true).verdict, Verdict::no_difference);
}

TEST(Comparison, PairingTakesOutWhatBothHaveInCommon) {
  // Both drift by half; each pair differs by 5 %.
  EXPECT_EQ(difference_of({100, 125, 150}, {105.2, 131.1, 157.6}, true).verdict, Verdict::faster);
}

TEST(Comparison, EqualVariantsAreSeldomToldApart) {
  Random random(1);
  int told = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> a, b;
    for (int r = 0; r < 5; ++r) {
      a.push_back(100 + random.uniform() * 10);
      b.push_back(100 + random.uniform() * 10);
    }
    told += difference_of(a, b, true).verdict != Verdict::no_difference ? 1 : 0;
  }
  EXPECT_NEAR(told, 50, 25);  // 5 %
}

}  // namespace
}  // namespace edagen
