#include "report/curve_ratio.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

VariantPoint point(double rate, double ms, Purpose purpose = Purpose::shape, std::vector<Invalid> invalid = {}) {
  return {purpose, rate, {Millis(ms), Millis(ms / 100)}, std::move(invalid)};
}

TEST(CurveRatio, IsTakenAtTheRatesOfBothWithinBoth) {
  const std::vector<RateLatency> baseline = line_of({point(300, 3), point(100, 1), point(200, 2)}),
                                 other = line_of({point(150, 3), point(250, 5), point(400, 8)});
  const std::vector<LatencyRatio> ratios = latency_ratios(baseline, other);
  ASSERT_EQ(ratios.size(), 4u) << "150, 200, 250 and 300: 100 and 400 are of one curve alone";
  EXPECT_DOUBLE_EQ(ratios[0].rate, 150);
  for (const LatencyRatio& ratio : ratios) {
    EXPECT_NEAR(ratio.ratio, 2, 1e-9);
    EXPECT_GT(ratio.standard_error, 0);
    EXPECT_LT(ratio.standard_error, 0.03) << "of two latencies with 1 % each";
  }
}

TEST(CurveRatio, LeavesOutOverloadsBlocksAndWhatTheGeneratorWasLateFor) {
  EXPECT_TRUE(line_of({point(100, 1, Purpose::block), point(200, 2, Purpose::demonstration),
                       point(300, 3, Purpose::shape, {Invalid::achieved_rate_low}),
                       point(400, 4, Purpose::shape, {Invalid::generator_limited}), point(0, 0)})
                  .empty());
  EXPECT_EQ(line_of({point(100, 1, Purpose::load_point, {Invalid::unsteady})}).size(), 1u);
}

TEST(CurveRatio, ToAnInvalidLoadPointIsInvalid) {
  const VariantPoint unsteady = point(200, 2, Purpose::load_point, {Invalid::unsteady});
  const auto baseline = line_of({point(100, 1), unsteady, point(300, 3)});
  const auto ratios = latency_ratios(baseline, line_of({point(100, 2), point(250, 5), point(300, 6)}));
  ASSERT_EQ(ratios.size(), 4u);
  EXPECT_TRUE(ratios[0].valid);
  EXPECT_FALSE(ratios[1].valid) << "at the invalid point";
  EXPECT_FALSE(ratios[2].valid) << "between it and the next one";
  EXPECT_TRUE(ratios[3].valid);
}

TEST(CurveRatio, OfCurvesThatShareNoRateIsNone) {
  EXPECT_TRUE(latency_ratios(line_of({point(1, 1), point(2, 2)}), line_of({point(3, 1), point(4, 2)})).empty());
  EXPECT_TRUE(latency_ratios({}, line_of({point(3, 1), point(4, 2)})).empty());
}

TEST(CurveRatio, HasNoErrorWhereOnePointHasNone) {
  VariantPoint without = point(100, 2);
  without.statistic.standard_error.reset();
  const auto ratios = latency_ratios(line_of({point(100, 1)}), line_of({without}));
  ASSERT_EQ(ratios.size(), 1u);
  EXPECT_EQ(ratios[0].standard_error, 0);
}

}  // namespace
}  // namespace edagen
