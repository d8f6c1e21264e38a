#include "compare/comparison_contradictions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "edagen/error.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

/// What is said of a comparison of two variants with two runs each; empty: nothing.
std::string said_of(const std::function<void(ComparisonResult& comparison, VariantFigures& second)>& change) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.repeats = 2;
  change(comparison, comparison.variants[1]);
  try {
    check_comparison(comparison, "c");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    return error.what();
  }
}

bool is_said(const std::string& wrong, const std::function<void(VariantFigures& second)>& change) {
  const std::string said = said_of([&](ComparisonResult&, VariantFigures& second) { change(second); });
  return said.starts_with("c/variants/1: contradicts itself: ") && said.find(wrong) != std::string::npos;
}

TEST(ComparisonContradictions, OfWhatIsTrueNothingIsSaid) {
  EXPECT_EQ(said_of([](ComparisonResult&, VariantFigures&) {}), "");
  EXPECT_NO_THROW(check_comparison(sample_comparison(std::nullopt), "c"));
}

TEST(ComparisonContradictions, NoVariantAndTwoOfOneNameAreRefused) {
  EXPECT_NE(said_of([](ComparisonResult& comparison, VariantFigures&) { comparison.variants.clear(); }), "");
  EXPECT_TRUE(is_said("name", [](VariantFigures& second) { second.name = "regular"; }));
}

TEST(ComparisonContradictions, RepeatsThatWereNotPlannedOrAreThereTwiceAreRefused) {
  EXPECT_TRUE(is_said("repeat 3 is above the 2", [](VariantFigures& second) { second.runs[1].repeat = 3; }));
  EXPECT_TRUE(is_said("repeat 1 is there twice", [](VariantFigures& second) { second.runs[1].repeat = 1; }));
}

TEST(ComparisonContradictions, MeansThatRunsDoNotGiveAreRefused) {
  EXPECT_TRUE(is_said("mean_ops_per_sec is 1,", [](VariantFigures& second) { second.mean_ops_per_sec = 1; }));
  EXPECT_TRUE(is_said("mean_ops_per_sec is 0,", [](VariantFigures& second) { second.mean_ops_per_sec = 0; }));
  EXPECT_TRUE(is_said("mean_response_ms is 9,", [](VariantFigures& second) { second.mean_response = Millis(9); }));
  EXPECT_TRUE(is_said(", and its runs give 0", [](VariantFigures& second) { second.runs[0].ops_per_sec = 0; }));
}

TEST(ComparisonContradictions, ADifferenceThatRunsDoNotGiveIsRefused) {
  EXPECT_TRUE(is_said("ratio is 2,", [](VariantFigures& second) { second.against_first->ratio = 2; }));
  EXPECT_TRUE(is_said("outside", [](VariantFigures& second) { second.against_first->confidence_95 = {20, 30}; }));
  EXPECT_TRUE(is_said("outside", [](VariantFigures& second) { second.against_first->confidence_95 = {17, 16}; }));
  EXPECT_TRUE(is_said("is slower", [](VariantFigures& second) { second.against_first->verdict = Verdict::slower; }));
  EXPECT_TRUE(is_said("invalid runs", [](VariantFigures& second) { second.runs[0].invalid = {Invalid::unsteady}; }));
  EXPECT_TRUE(is_said("no run to compare", [](VariantFigures& second) {
    second.runs.clear();
    second.mean_ops_per_sec = second.mean_mib_per_sec = second.mean_rpcs_per_op = 0;
    second.mean_response = Millis(0);
  }));
}

}  // namespace
}  // namespace edagen
