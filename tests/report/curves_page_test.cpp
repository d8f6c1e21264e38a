#include "report/curves_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/curve_ratio.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(CurvesPage, TheRateOfAnInvalidAnswerIsHollowAndNamedSo) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  const auto answer_set = [&] {
    Document blocks = Document::array();
    add_curves(blocks, {NamedCurve{"", variant_points(result), result.at_latency_target}});
    return Document(blocks[0]["sets"].back());
  };
  const Document valid = answer_set();
  EXPECT_EQ(valid["label"].get<std::string>(), "rate at 2 ms");
  EXPECT_FALSE(valid["points"][0][2].get<bool>());
  result.at_latency_target[0].invalid = {Invalid::not_demonstrated};
  const Document invalid = answer_set();
  EXPECT_EQ(invalid["label"].get<std::string>(), "rate at 2 ms, INVALID");
  EXPECT_TRUE(invalid["points"][0][2].get<bool>());
}

TEST(CurvesPage, OnlyWhatIsDrawnIsExplained) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  for (PointFigures& point : result.load_points) point.invalid.clear();
  const auto notes = [&] {
    Document blocks = Document::array();
    add_curves(blocks, {NamedCurve{"", variant_points(result), result.at_latency_target}});
    return blocks.back().dump();
  };
  EXPECT_NE(notes().find("diamond: rate at a target"), std::string::npos) << notes();
  EXPECT_EQ(notes().find("hollow:"), std::string::npos) << notes();
  result.load_points.front().invalid = {Invalid::unsteady};
  EXPECT_NE(notes().find("hollow: invalid or overload"), std::string::npos) << notes();
  result.at_latency_target.clear();
  EXPECT_EQ(notes().find("diamond:"), std::string::npos) << notes();
}

TEST(CurvesPage, ALowerBoundHasNoDiamondAsTheLatencyAtItsRateIsNotTheTarget) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  result.at_latency_target[0].limit = RateLimit::highest_rate;
  Document blocks = Document::array();
  add_curves(blocks, {NamedCurve{"", variant_points(result), result.at_latency_target}});
  for (const Document& set : blocks[0]["sets"]) EXPECT_NE(set["style"].get<std::string>(), "answer") << set.dump();
  EXPECT_EQ(blocks[0]["targets"].size(), 1u);
  EXPECT_EQ(blocks.back().dump().find("diamond"), std::string::npos) << blocks.back().dump();
}

TEST(CurvesPage, LoadPointsAboveTheChartAreAtItsUpperEdge) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  for (PointFigures& point : result.load_points) point.invalid.clear(), point.statistic.value = Millis(1);
  const auto chart = [&] {
    Document blocks = Document::array();
    add_curves(blocks, {NamedCurve{"", variant_points(result), result.at_latency_target}});
    return blocks;
  };
  EXPECT_TRUE(chart()[0]["above"].empty());
  EXPECT_FALSE(chart()[0].contains("ceiling"));
  const auto first = std::ranges::find(result.load_points, Purpose::shape, &PointFigures::purpose);
  ASSERT_NE(first, result.load_points.end());
  first->statistic.value = Millis(1500), first->invalid = {Invalid::achieved_rate_low};
  const Document above = chart();
  EXPECT_EQ(above[0]["ceiling"].get<double>(), 5) << "two and a half targets";
  ASSERT_EQ(above[0]["above"].size(), 1u);
  EXPECT_EQ(above[0]["above"][0][0].get<double>(), first->achieved_ops_per_sec);
  EXPECT_TRUE(above[0]["above"][0][2].get<bool>()) << "hollow";
  EXPECT_NE(above.back().dump().find("triangle: above the chart (5.00 ms), 1 load point\""), std::string::npos)
      << above.back().dump();
}

}  // namespace
}  // namespace edagen
