#include "nights/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nights/history.hpp"
#include "nights/history_file.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

const NightFigure* named(const std::vector<NightFigure>& figures, const std::string& name) {
  const auto found = std::ranges::find(figures, name, &NightFigure::name);
  return found == figures.end() ? nullptr : &*found;
}

TEST(NightFigures, OfACurveAreTheRateAtTheTargetTheHighestRateAndLatenciesAtItsLoads) {
  const auto figures = figures_of(testing::sample_result(testing::sample_curve()));
  const NightFigure* const rate = named(figures, "ops/s at 2.00 ms mean response");
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->value, 39'601);
  EXPECT_EQ(rate->kind, FigureKind::rate);
  EXPECT_EQ(rate->error, 0) << "the load points beside it are no confidence interval";
  EXPECT_TRUE(named(figures, "MiB/s at 2.00 ms mean response"));
  EXPECT_TRUE(named(figures, "highest ops/s"));
  for (const char* const name : {"mean ms at 500 ops/s", "p99 ms at 1,500 ops/s", "read_rand ms at 1,000 ops/s"})
    EXPECT_TRUE(named(figures, name)) << name;
  EXPECT_FALSE(named(figures, "stat ms at 1,000 ops/s")) << "too few";
  EXPECT_EQ(named(figures, "p99 ms at 500 ops/s")->kind, FigureKind::tail);
}

TEST(NightFigures, LoadsOfASearchAreOtherOnesEachNightAndGiveNone) {
  Result result = testing::sample_result(testing::sample_curve());
  for (PointFigures& point : result.load_points) point.purpose = Purpose::block;
  EXPECT_EQ(figures_of(result).size(), 2u);
  EXPECT_NEAR(figures_of(result)[0].error, 1000.0 / 39'500 / 3.92, 1e-4);
}

TEST(NightFigures, WhatTheGeneratorHasLimitedIsLeftOutAndAnOverloadIsNot) {
  Result result = testing::sample_result(testing::single_point_curve());
  result.load_points[0].invalid = {Invalid::achieved_rate_low};
  EXPECT_TRUE(named(figures_of(result), "mean ms at 1,000 ops/s"));
  result.load_points[0].invalid = {Invalid::generator_limited};
  EXPECT_TRUE(figures_of(result).empty());
}

TEST(NightFigures, AResultIsInvalidForWhatItsAnswersRestOnElseForItsLoadPoints) {
  Result run = testing::sample_result(testing::single_point_curve());
  run.load_points[0].invalid = {Invalid::mix_off, Invalid::achieved_rate_low};
  EXPECT_EQ(invalid_reasons(run), (std::vector{Invalid::achieved_rate_low, Invalid::mix_off}));
  EXPECT_EQ(night_of(run, "m", "m-1.json").measurements[0].runs[0].invalid, invalid_reasons(run));
  Result curve = testing::sample_result(testing::sample_curve());
  for (AnswerFigures& answer : curve.at_latency_target) answer.invalid.clear();
  curve.load_points[0].invalid = {Invalid::achieved_rate_low};
  EXPECT_TRUE(invalid_reasons(curve).empty()) << "its search has gone beyond what the volume carries";
}

TEST(NightFigures, AreInvalidWithTheirOwnLoadPointAndNotWithAnotherOne) {
  Result result = testing::sample_result(testing::sample_curve());
  result.at_latency_target.clear();
  for (PointFigures& point : result.load_points) point.invalid.clear();
  result.load_points[0].invalid = {Invalid::unsteady};
  const Night night = night_of(result, "m", "m-1.json");
  ASSERT_FALSE(night.measurements[0].runs[0].invalid.empty());
  EXPECT_TRUE(is_invalid(night.measurements[0], "mean ms at 500 ops/s"));
  EXPECT_FALSE(is_invalid(night.measurements[0], "mean ms at 1,000 ops/s"));
  EXPECT_FALSE(is_invalid(night.measurements[0], "highest ops/s"));
  EXPECT_FALSE(is_invalid(night.measurements[0], "none such"));
  EXPECT_TRUE(has_invalid_figures(night));
}

TEST(NightFigures, AreInvalidWithTheirLoadPointAlsoWhereTheAnswerIsValid) {
  Result result = testing::sample_result(testing::sample_curve());
  for (AnswerFigures& answer : result.at_latency_target) answer.invalid.clear();
  for (PointFigures& point : result.load_points) point.invalid.clear();
  result.load_points[2].invalid = {Invalid::achieved_rate_low, Invalid::ops_outstanding};
  const Night night = night_of(result, "m", "m-1.json");
  const NightMeasurement& measurement = night.measurements[0];
  ASSERT_TRUE(measurement.runs[0].invalid.empty());
  EXPECT_TRUE(is_invalid(measurement, "mean ms at 1,500 ops/s"));
  EXPECT_EQ(why_invalid(measurement, "mean ms at 1,500 ops/s"), result.load_points[2].invalid);
  EXPECT_FALSE(is_invalid(measurement, "mean ms at 1,000 ops/s"));
  EXPECT_TRUE(why_invalid(measurement, "mean ms at 1,000 ops/s").empty());
  EXPECT_FALSE(has_invalid_figures(night)) << "its answer is what the night is for";
}

TEST(NightFigures, LatenciesThatCountOpsThatHadNotEndedAreLowerBoundsAndOpKindsLackThem) {
  Result result = testing::sample_result(testing::single_point_curve());
  PointFigures& point = result.load_points[0];
  ASSERT_TRUE(named(figures_of(result), "read_rand ms at 1,000 ops/s"));
  point.ops_outstanding = 1;
  auto figures = figures_of(result);
  ASSERT_TRUE(named(figures, "mean ms at 1,000 ops/s"));
  EXPECT_TRUE(named(figures, "mean ms at 1,000 ops/s")->lower_bound);
  EXPECT_FALSE(named(figures, "p99 ms at 1,000 ops/s")->lower_bound) << "fewer than the slowest 1 %";
  EXPECT_FALSE(named(figures, "read_rand ms at 1,000 ops/s"));
  point.ops_outstanding = point.operations / 50;
  figures = figures_of(result);
  EXPECT_TRUE(named(figures, "p99 ms at 1,000 ops/s")->lower_bound);
  const NightMeasurement measurement = night_of(result, "m", "m-1.json").measurements[0];
  EXPECT_FALSE(sample_of(measurement, "mean ms at 1,000 ops/s"));
  EXPECT_TRUE(sample_of(measurement, "mean ms at 1,000 ops/s", 0, true));
}

TEST(NightFigures, AnOverloadIsAValidHighestRate) {
  Result result = testing::sample_result(testing::sample_curve());
  result.at_latency_target.clear();
  for (PointFigures& point : result.load_points) point.invalid = {Invalid::achieved_rate_low};
  const NightMeasurement measurement = night_of(result, "m", "m-1.json").measurements[0];
  EXPECT_FALSE(is_invalid(measurement, "highest ops/s"));
  EXPECT_TRUE(is_invalid(measurement, "mean ms at 1,000 ops/s"));
}

TEST(NightFigures, RepeatsOfOneLoadAreInvalidTogetherAlone) {
  Result result = testing::sample_result(testing::single_point_curve());
  result.load_points[0].invalid = {Invalid::unsteady};
  result.load_points.push_back(result.load_points[0]);
  EXPECT_TRUE(is_invalid(night_of(result, "m", "").measurements[0], "mean ms at 1,000 ops/s"));
  result.load_points[1].invalid.clear();
  EXPECT_FALSE(is_invalid(night_of(result, "m", "").measurements[0], "mean ms at 1,000 ops/s"));
}

TEST(NightFigures, ATargetThatIsNotMetHasNoValue) {
  Result result = testing::sample_result(testing::sample_curve());
  result.at_latency_target[0].met = false;
  const auto figures = figures_of(result);
  const NightFigure* const rate = named(figures, "ops/s at 2.00 ms mean response");
  ASSERT_TRUE(rate);
  EXPECT_FALSE(rate->value);
}

TEST(NightFigures, ATargetThatNoLoadMetBecauseOfThisHostIsNoFigure) {
  Result result = testing::sample_result(testing::sample_curve());
  result.at_latency_target[0].met = false;
  result.at_latency_target[0].invalid = {Invalid::no_load_meets_target, Invalid::generator_limited};
  EXPECT_FALSE(named(figures_of(result), "ops/s at 2.00 ms mean response")) << "it would be a regression";
}

TEST(NightFigures, ALowerBoundIsNoRateAtTheTarget) {
  Result result = testing::sample_result(testing::sample_curve());
  result.at_latency_target[0].limit = RateLimit::highest_rate;
  EXPECT_FALSE(named(figures_of(result), "ops/s at 2.00 ms mean response"));
  EXPECT_EQ(night_of(result, "m", "m-1.json").measurements[0].runs[0].bounds, std::vector{BoundCause::points});
}

TEST(NightFigures, FewOpsGiveNoPercentileAndNoOpKind) {
  Result result = testing::sample_result(testing::single_point_curve());
  PointFigures& point = result.load_points[0];
  point.operations = 1'000;
  point.ops.at(OpKind::read_rand).operations = 100;
  EXPECT_TRUE(named(figures_of(result), "p99 ms at 1,000 ops/s"));
  EXPECT_TRUE(named(figures_of(result), "read_rand ms at 1,000 ops/s"));
  point.operations = 999;
  point.ops.at(OpKind::read_rand).operations = 99;
  EXPECT_FALSE(named(figures_of(result), "p99 ms at 1,000 ops/s"));
  EXPECT_FALSE(named(figures_of(result), "read_rand ms at 1,000 ops/s"));
}

TEST(NightFigures, RepeatsOfOneLoadAreOneFigure) {
  Result result = testing::sample_result(testing::single_point_curve());
  result.load_points.push_back(result.load_points[0]);
  result.load_points[1].latency.response.mean *= 3;
  const auto figures = figures_of(result);
  EXPECT_NEAR(*named(figures, "mean ms at 1,000 ops/s")->value, 2 * result.load_points[0].latency.response.mean.count(),
              1e-9);
  EXPECT_FALSE(named(figures, "highest ops/s")) << "the rate was asked for";
}

}  // namespace
}  // namespace edagen
