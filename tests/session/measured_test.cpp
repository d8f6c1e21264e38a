#include "session/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(Measured, ALoadPointSaysWhatWasMeasured) {
  const PointFigures point = point_figures(sample_point());
  EXPECT_EQ(point.operations, 2001u);
  EXPECT_DOUBLE_EQ(point.achieved_ops_per_sec, 1000.5);
  EXPECT_NEAR(point.mib_per_sec, 2000 * 8192 / 0x1p20 / 2, 1e-4);
  EXPECT_EQ(point.errors, (ErrorCounts{{"ESTALE", 1}}));
  EXPECT_EQ(point.ops.at(OpKind::stat).errors, (ErrorCounts{{"ESTALE", 1}}));
  EXPECT_EQ(point.ops.size(), 2u);
  EXPECT_NEAR(point.latency.response.p50.count(), 2, 0.02);
  EXPECT_NEAR(point.latency.lag.p50.count(), 1, 0.01);
  EXPECT_EQ(point.invalid, std::vector{Invalid::errors});
  EXPECT_EQ(point.intervals.size(), 2u);
}

TEST(Measured, APointAsFastAsProcsGoHasNoRequestedRate) {
  CurvePoint point = sample_point();
  point.stats.requested_ops_per_sec.reset();
  EXPECT_FALSE(point_figures(point).requested_ops_per_sec);
}

TEST(Measured, LoadPointsAreAscendingByRequestedRateAndAnAnswerNamesItsFullRun) {
  Curve curve = sample_curve();
  std::swap(curve.points[0], curve.points[2]);
  curve.points[0].purpose = Purpose::full_run;  // at 1500
  const Result result = sample_result(curve);
  EXPECT_EQ(result.load_points.front().requested_ops_per_sec, 500);
  ASSERT_NE(result.full_run(result.at_latency_target[0]), nullptr);
  EXPECT_EQ(result.full_run(result.at_latency_target[0])->requested_ops_per_sec, 1500);
}

TEST(Measured, ASweepSaysWhatItsRepeatsSayTogether) {
  const Result result = sample_result(sample_sweep());
  ASSERT_TRUE(result.series);
  EXPECT_EQ(result.series->parameter, "io-depth");
  ASSERT_EQ(result.series->points.size(), 2u);
  const SeriesPoint& deep = result.series->points[1];
  EXPECT_EQ(deep.value, 8);
  EXPECT_EQ(deep.repeats, 2u);
  EXPECT_NEAR(deep.ops_per_sec.mean, 1200.5, 0.01);
  EXPECT_NEAR(deep.ops_per_sec.standard_deviation, 800 / std::sqrt(2), 0.01);
  EXPECT_FALSE(sample_result(single_point_curve()).series);
  EXPECT_FALSE(sample_result(sample_curve()).series);
}

}  // namespace
}  // namespace edagen
