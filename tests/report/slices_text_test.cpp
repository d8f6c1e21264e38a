#include "report/slices_text.hpp"

#include <gtest/gtest.h>

#include "fakes/slices.hpp"
#include "report/comparison_page.hpp"
#include "report/comparison_text.hpp"

namespace edagen {
namespace {

using testing::sliced_comparison;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SlicesText, TheTextHasHowTheVariantsAlternatedAndWhyItEnded) {
  const std::string text = comparison_text(sliced_comparison(1.05));
  EXPECT_TRUE(has(text,
                  "slices alternated (all variants can be up at once): 20 blocks of two slices of each, of 2 s, each "
                  "after 500 ms of settling; ended at the precision of --until 2%"))
      << text;
  EXPECT_TRUE(has(text, "shared: a and b are on one file system")) << text;
  EXPECT_TRUE(has(text, "b against a: mean response +")) << text;
  EXPECT_FALSE(has(text, "repeat")) << text;
  const std::string of_one_block = comparison_text(sliced_comparison(1.05, 1));
  EXPECT_FALSE(has(of_one_block, "repeat 1")) << of_one_block;
}

TEST(SlicesText, SlicesOfSeveralLengthsHaveTheShortestAndTheLongest) {
  ComparisonResult comparison = sliced_comparison(1.05);
  for (VariantFigures& variant : comparison.variants) variant.runs.front().slice->seconds = 0.5;
  const std::string text = comparison_text(comparison);
  EXPECT_TRUE(has(text, "20 blocks of two slices of each, of 500 ms to 2 s, each after 500 ms")) << text;
}

TEST(SlicesText, AComparisonThatWasCutOffBeginsWithThatAndHasNoTimeThatItsJournalDoesNotHave) {
  ComparisonResult killed = sliced_comparison(1.05);
  killed.status = Status::incomplete;
  killed.alternation->slice_seconds = killed.alternation->settle_seconds = std::nullopt;
  killed.alternation->end.reset();
  const std::string text = comparison_text(killed);
  EXPECT_TRUE(text.starts_with("The comparison did not come to its end. All that follows is of what was ")) << text;
  EXPECT_TRUE(has(text, ": 20 blocks of two slices of each, of 2 s\n")) << text;
  killed.status = Status::interrupted;
  EXPECT_TRUE(comparison_text(killed).starts_with("The comparison was interrupted. All that follows is "));
}

TEST(SlicesText, ABlockThatLacksASliceDoesNotCount) {
  ComparisonResult comparison = sliced_comparison(1.05, 9);
  comparison.status = Status::interrupted;
  comparison.variants[1].runs.pop_back();
  EXPECT_TRUE(has(comparison_text(comparison), ": 8 blocks of two slices of each, of 2 s"))
      << comparison_text(comparison);
  for (VariantFigures& variant : comparison.variants) variant.runs.resize(1);
  EXPECT_TRUE(has(alternation_text(comparison), ": 0 blocks of two slices of each, of 2 s"))
      << alternation_text(comparison);
}

TEST(SlicesText, WholeRunsHaveTheReasonWhyTheyAreNoSlices) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.reason = "--results keeps whole runs"};
  add_variant(comparison, "a", "/mnt/a", {{1000, 1, Millis(2), 0}});
  EXPECT_TRUE(has(comparison_text(comparison), "whole runs alternated: --results keeps whole runs\n"));
  comparison.alternation.reset();
  EXPECT_FALSE(has(comparison_text(comparison), "alternated")) << "an older document";
}

TEST(SlicesText, WhereNoVerdictCanComeNoVariantIsSaidToHaveFailed) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.reason = "--slices off", .until = 0.05, .end = EndReason::failure};
  comparison.status = Status::complete;
  EXPECT_EQ(alternation_text(comparison),
            "whole runs alternated: --slices off; ended as no variant can have a verdict");
  comparison.status = Status::failed;
  EXPECT_EQ(alternation_text(comparison), "whole runs alternated: --slices off; ended as a variant failed");
}

TEST(SlicesText, TooFewBlocksHaveNoIntervalAndNameTheOptionThatGivesOne) {
  const std::string text = comparison_text(sliced_comparison(1.05, 4));
  EXPECT_TRUE(has(text, "too few blocks for an interval: more time gives one (--max-time)")) << text;
}

/// A comparison all of whose slices are invalid for this reason.
ComparisonResult with_slices_invalid_for(Invalid reason) {
  const ComparisonResult good = sliced_comparison(1.05);
  ComparisonResult invalid;
  invalid.alternation = good.alternation;
  for (const VariantFigures& variant : good.variants) {
    std::vector<RunFigures> slices = variant.runs;
    for (RunFigures& slice : slices) slice.invalid = {reason};
    add_variant(invalid, variant.name, variant.what, slices);
  }
  return invalid;
}

TEST(SlicesText, WhereNoBlockCanBeUsedThereIsNoRatio) {
  const ComparisonResult late = with_slices_invalid_for(Invalid::generator_limited);
  EXPECT_EQ(late.variants[1].against_first->usable_pairs, 0u);
  EXPECT_FALSE(late.variants[1].has_ratio());
  EXPECT_TRUE(has(comparison_text(late), "b against a: mean response: no verdict")) << comparison_text(late);
}

TEST(SlicesText, WhereMostSlicesMissTheirRateTheTextDoesNotNameTheBlocksAsTheReason) {
  const ComparisonResult slow = with_slices_invalid_for(Invalid::achieved_rate_low);
  const std::string text = comparison_text(slow);
  EXPECT_TRUE(has(text, " % (INVALID): no verdict, as most slices of a variant are invalid\n")) << text;
  EXPECT_TRUE(has(text, "  INVALID +")) << "the table: " << text;
  EXPECT_FALSE(has(text, "can be used")) << text;
}

TEST(SlicesText, WhatTheRatioIsOfStandsBesideIt) {
  const std::string text = comparison_text(sliced_comparison(1.05));
  EXPECT_TRUE(has(text, "compares slices of the same block, so that it is not the ratio of the rows' means\n")) << text;
  const ComparisonResult none = with_slices_invalid_for(Invalid::generator_limited);
  EXPECT_FALSE(has(comparison_text(none), "compares slices of the same block")) << "there is no ratio";
}

TEST(SlicesText, ThePageHasTheSlicesOfAllVariantsOverTheTimeInOnePlot) {
  Document blocks = Document::array();
  add_comparison(blocks, sliced_comparison(1.05));
  std::vector<Document> charts;
  for (const Document& block : blocks)
    if (block.value("x", "") == "seconds since the first load") charts.push_back(block);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0]["sets"].size(), 2u);
  EXPECT_EQ(charts[0]["sets"][1]["points"].size(), 40u);
  EXPECT_EQ(charts[1]["sets"].size(), 1u) << "the ratio to the baseline";
  EXPECT_EQ(charts[1]["sets"][0]["points"].size(), 20u) << "by block";
}

/// The ratios to the baseline over the time.
Document ratio_chart(const ComparisonResult& comparison) {
  Document blocks = Document::array(), last;
  add_comparison(blocks, comparison);
  for (const Document& block : blocks)
    if (block.value("x", "") == "seconds since the first load") last = block;
  return last;
}

TEST(SlicesText, RatiosOfInvalidSlicesAreHollowAndTheirMeanIsMarked) {
  ComparisonResult comparison = sliced_comparison(1.05);
  comparison.variants[1].runs[0].invalid = {Invalid::unsteady};
  const Document one = ratio_chart(comparison), all = ratio_chart(with_slices_invalid_for(Invalid::achieved_rate_low));
  EXPECT_EQ(one["sets"][0]["points"][0][2], true) << one["sets"][0]["points"];
  EXPECT_EQ(one["sets"][0]["points"][1][2], false) << one["sets"][0]["points"];
  EXPECT_FALSE(has(one["targets"].dump(), "INVALID")) << one["targets"];
  EXPECT_TRUE(has(all["targets"].dump(), ", INVALID")) << all["targets"];
  EXPECT_TRUE(has(one["targets"].dump(), "b: +")) << "written as in the table: " << one["targets"];
}

TEST(SlicesText, WhereNoBlockCanBeUsedThePageHasTheBlocksAndAsTheTableNoRatio) {
  const ComparisonResult late = with_slices_invalid_for(Invalid::generator_limited);
  const Document chart = ratio_chart(late);
  EXPECT_EQ(chart["sets"][0]["points"].size(), 20u);
  EXPECT_TRUE(chart["targets"].empty()) << chart["targets"];
  Document blocks = Document::array();
  add_comparison(blocks, late);
  EXPECT_FALSE(has(blocks.dump(), R"("chart":"ratios")"));
  add_comparison(blocks, sliced_comparison(1.05));
  EXPECT_TRUE(has(blocks.dump(), R"("chart":"ratios")"));
}

TEST(SlicesText, TheKindsOfOpOfAVariantAreMarkedWhereItsRowIs) {
  ComparisonResult comparison = sliced_comparison(1.05);
  for (VariantFigures& variant : comparison.variants) variant.last_run.emplace().op_response[OpKind::stat] = Millis(1);
  std::vector<RunFigures>& slices = comparison.variants[1].runs;
  const auto is_marked = [&](std::size_t invalid) {
    for (std::size_t i = 0; i < slices.size(); ++i)
      slices[i].invalid = i < invalid ? std::vector{Invalid::unsteady} : std::vector<Invalid>();
    Document blocks = Document::array();
    add_comparison(blocks, comparison);
    return has(blocks.dump(), "\"b, all slices, INVALID\"");
  };
  ASSERT_EQ(slices.size(), 40u);
  EXPECT_FALSE(is_marked(20));
  EXPECT_TRUE(is_marked(21));
}

TEST(SlicesText, OfRatesAtATargetTheTextNamesBothSidesOfItAndThePageHasTheRates) {
  ComparisonResult comparison = sliced_comparison(1.05);
  comparison.at_latency_target = "2ms";
  EXPECT_TRUE(has(comparison_text(comparison), "two slices of each (at rates below and over the target), of 2 s"));
  Document blocks = Document::array();
  add_comparison(blocks, comparison);
  std::vector<Document> charts;
  for (const Document& block : blocks)
    if (block.value("x", "") == "seconds since the first load") charts.push_back(block);
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0]["y"], "rate at the target that a slice shows, ops/s");
  EXPECT_EQ(charts[0]["sets"][0]["points"][0][1], 1000);
}

}  // namespace
}  // namespace edagen
