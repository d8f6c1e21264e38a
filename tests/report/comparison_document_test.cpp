#include "edagen/report/comparison_document.hpp"

#include <gtest/gtest.h>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(ComparisonDocument, TheTableNamesTheTargetAndTheVerdict) {
  Document comparison = comparison_document({"edagen", "compare"}, "2ms");
  add_variant(comparison, "regular", "/mnt/a", {{39'601, 692, 2, 0, true}, {39'700, 693, 2, 0, true}}, true);
  add_variant(comparison, "large", "/mnt/b", {{652'260, 10'030, 2, 1.5, true}, {652'300, 10'030, 2, 1.5, true}}, true);
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
  EXPECT_FALSE(figures_of(single, false).valid);
}

}  // namespace
}  // namespace edagen
