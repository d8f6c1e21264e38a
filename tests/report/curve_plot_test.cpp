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

}  // namespace
}  // namespace edagen
