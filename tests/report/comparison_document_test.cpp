#include "edagen/report/comparison_document.hpp"

#include <gtest/gtest.h>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(ComparisonDocument, TheTableNamesTheTargetAndTheVerdict) {
  Document comparison = comparison_document({"edagen", "compare"}, "2ms");
  add_variant(comparison, "regular", "/mnt/a", {{39'601, 692, 2, 0}, {39'700, 693, 2, 0}}, true);
  add_variant(comparison, "large", "/mnt/b", {{652'260, 10'030, 2, 1.5}, {652'300, 10'030, 2, 1.5}}, true);
  finish_comparison(comparison, "complete");
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("Scenario  I/O rate at 2ms  MiB/s at 2ms"), std::string::npos) << text;
  EXPECT_NE(text.find("regular            39,650           692"), std::string::npos) << text;
  EXPECT_NE(text.find("faster"), std::string::npos) << text;
  EXPECT_EQ(comparison["variants"][0]["against_first"], nullptr);
  EXPECT_NEAR(comparison["variants"][1]["against_first"]["ratio"].get<double>(), 16.45, 0.05);
}

TEST(ComparisonDocument, FiguresAreThoseAtTheTargetOrOfThePoint) {
  const Document curve = testing::sample_result(testing::sample_curve());
  EXPECT_EQ(figures_of(curve, true).ops_per_sec, 39'601);
  const Document single = testing::sample_result(testing::single_point_curve());
  EXPECT_NEAR(figures_of(single, false).response_ms, 2, 0.01);
  EXPECT_EQ(figures_of(single, false).invalid, std::vector<std::string>{"errors"});
}

TEST(ComparisonDocument, ARunThatIsInvalidIsSaidToBeSoAndWhy) {
  Document comparison = comparison_document({"edagen", "compare"}, "2ms");
  add_variant(comparison, "a", "/mnt/a", {{39'601, 692, 2, 0, {}}}, true);
  EXPECT_TRUE(is_valid(comparison));
  const RunFigures invalid = {39'700, 693, 2, 0, {"unsteady"}};
  EXPECT_NE(figure_text(invalid, true).find("at the target, INVALID: unsteady"), std::string::npos);
  add_variant(comparison, "b", "/mnt/b", {invalid, {39'700, 693, 2, 0, {}}}, true);
  EXPECT_FALSE(is_valid(comparison));
  EXPECT_NE(comparison_text(comparison).find("b: 1 of 2 runs INVALID: unsteady\n"), std::string::npos) << comparison_text(comparison);
}

TEST(ComparisonDocument, ATargetThatNoLoadMeetsOrNoneReachesMakesARunInvalid) {
  Curve curve = testing::sample_curve();
  curve.answers[0].bounded = false;
  EXPECT_EQ(figures_of(testing::sample_result(curve), true).invalid, std::vector<std::string>{"target_not_reached"});
  curve.answers[0].met = false;
  EXPECT_EQ(figures_of(testing::sample_result(curve), true).invalid, std::vector<std::string>{"no_load_meets_target"});
}

}  // namespace
}  // namespace edagen
