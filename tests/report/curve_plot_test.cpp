#include "report/curve_plot.hpp"

#include <gtest/gtest.h>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(CurvePlot, TheAxisOfLowRatesIsNotRoundedToWholeOps) {
  Result result = testing::sample_result(testing::sample_curve());
  for (PointFigures& point : result.load_points) point.achieved_ops_per_sec /= 1000;
  const std::string text = curve_plot(result, {});
  EXPECT_NE(text.find(" 0.75 "), std::string::npos) << text;
  EXPECT_NE(text.find(" 1.5 ops/s"), std::string::npos) << text;
}

TEST(CurvePlot, ATargetAboveThePlotIsNotInItsLegend) {
  Result result = testing::sample_result(testing::sample_curve());
  EXPECT_NE(curve_plot(result, {}).find("--- latency target"), std::string::npos);
  for (AnswerFigures& answer : result.at_latency_target) answer.target = Millis(1000);
  EXPECT_EQ(curve_plot(result, {}).find("--- latency target"), std::string::npos) << curve_plot(result, {});
}

TEST(CurvePlot, AnInvalidPointAboveThePlotHasAMarkOfItsOwn) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  EXPECT_NE(curve_plot(result, {}).find(", ^ above the plot"), std::string::npos) << curve_plot(result, {});
  for (PointFigures& point : result.load_points)
    if (point.statistic.value > Millis(100)) point.invalid = {Invalid::ops_outstanding};
  const std::string text = curve_plot(result, {});
  EXPECT_NE(text.find(", X INVALID above the plot"), std::string::npos) << text;
  EXPECT_EQ(text.find('^'), std::string::npos) << text;
}

TEST(CurvePlot, TheRateOfAnInvalidAnswerHasAMarkOfItsOwn) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  EXPECT_NE(curve_plot(result, {}).find(", + rate at it"), std::string::npos) << curve_plot(result, {});
  result.at_latency_target[0].invalid = {Invalid::not_demonstrated};
  const std::string text = curve_plot(result, {});
  EXPECT_NE(text.find(", ? INVALID rate at it"), std::string::npos) << text;
  EXPECT_EQ(text.find(", + rate at it"), std::string::npos) << text;
}

}  // namespace
}  // namespace edagen
