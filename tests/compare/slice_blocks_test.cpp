#include "compare/slice_blocks.hpp"

#include <gtest/gtest.h>

#include "fakes/slices.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

using testing::slice_of;
using testing::sliced_comparison;

TEST(SliceBlocks, ABlockHasTheMeanOfBothSlicesAndALinearDriftFallsOut) {
  // 1, 1.1, 1.2, 1.3: A B B A.
  const auto at = [](double value, std::uint64_t repeat) {
    RunFigures slice = slice_of(value, 1, value, repeat);
    slice.ops_per_sec = std::exp(value);
    return slice;
  };
  const std::vector<RunFigures> a{at(1, 1), at(1.3, 2)}, b{at(1.1, 1), at(1.2, 2)};
  ASSERT_EQ(slice_blocks(a, b, ComparedBy::rate).log_ratios.size(), 1u);
  EXPECT_NEAR(slice_blocks(a, b, ComparedBy::rate).log_ratios[0], 0, 1e-12);
  // log(1.15^2 / sqrt(1.3)) less log(1.15^2 / sqrt(1.32)): the correction has what a drift adds to the scatter.
  EXPECT_NEAR(slice_blocks(a, b, ComparedBy::response).log_ratios[0], std::log(1.3 / 1.32) / 2, 1e-9);
}

/// Means of n exponential responses of 1: the logarithm is on average the digamma of n less ln n, -0.130 of 4, -0.025
/// of 20.
TEST(SliceBlocks, ThatTheLogarithmOfAMeanThatScattersIsTooLowIsCorrectedForResponses) {
  Random random(11);
  const auto mean_response = [&](int ops) {
    double sum = 0;
    for (int i = 0; i < ops; ++i) sum -= std::log(1 - random.uniform());
    return sum / ops;
  };
  std::vector<RunFigures> a, b;
  for (std::uint64_t block = 1; block <= 4000; ++block)
    for (const std::uint64_t slice : {1, 2}) {
      a.push_back(slice_of(mean_response(4), block, 0, 2 * block + slice));
      b.push_back(slice_of(mean_response(20), block, 0, 2 * block + slice));
    }
  EXPECT_NEAR(mean_of(slice_blocks(a, b, ComparedBy::response).log_ratios), 0, 0.03) << "without the correction 0.105";
}

TEST(SliceBlocks, ABlockThatIsNotCompleteIsNoBlock) {
  const SliceBlocks blocks = slice_blocks({slice_of(1, 1, 0, 1), slice_of(1, 1, 3, 2), slice_of(1, 2, 4, 3)},
                                          {slice_of(1, 1, 1, 1), slice_of(1, 1, 2, 2)}, ComparedBy::response);
  EXPECT_EQ(blocks.blocks, 1u);
}

TEST(SliceBlocks, ABlockWithASliceInWhichEdagenWasPausedIsLeftOutAndOneInWhichTheStoragePausedCounts) {
  ComparisonResult comparison = sliced_comparison(1.05);
  comparison.variants[0].runs[4].invalid = {Invalid::generator_paused};
  comparison.variants[1].runs[9].invalid = {Invalid::achieved_rate_low};
  comparison.variants[1].runs[10].invalid = {Invalid::unsteady};
  const SliceBlocks blocks =
      slice_blocks(comparison.variants[0].runs, comparison.variants[1].runs, ComparedBy::response);
  EXPECT_EQ(blocks.blocks, 20u);
  EXPECT_EQ(blocks.log_ratios.size(), 19u);
}

TEST(SliceBlocks, WithoutMostBlocksThereIsNoVerdict) {
  ComparisonResult comparison = sliced_comparison(1.05);
  const auto verdict = [&](std::size_t paused, Invalid reason) {
    std::vector<RunFigures> slices = comparison.variants[1].runs;
    for (std::size_t i = 0; i < paused; ++i) slices[2 * i].invalid = {reason};
    ComparisonResult again;
    again.alternation = comparison.alternation;
    add_variant(again, "a", "", comparison.variants[0].runs);
    add_variant(again, "b", "", slices);
    return again.variants[1].against_first->verdict;
  };
  EXPECT_EQ(verdict(0, Invalid::generator_paused), Verdict::slower);
  EXPECT_EQ(verdict(9, Invalid::generator_paused), Verdict::slower);
  EXPECT_EQ(verdict(11, Invalid::generator_paused), Verdict::invalid_runs);
  EXPECT_EQ(verdict(20, Invalid::achieved_rate_low), Verdict::slower) << "half of the slices are valid";
}

TEST(SliceBlocks, ASliceInWhichNoOpEndedOrEdagenWasPausedCostsItsBlockAndNoMore) {
  const ComparisonResult comparison = sliced_comparison(1.05);
  for (const auto& at : {std::optional<std::string>("2ms"), std::optional<std::string>()}) {
    std::vector<RunFigures> slices = comparison.variants[1].runs;
    slices[4].ops_per_sec = slices[4].mib_per_sec = 0;
    slices[4].invalid = {Invalid::nothing_measured};
    slices[7].response = Millis(5000);
    slices[7].invalid = {Invalid::generator_paused};
    ComparisonResult again;
    again.alternation = comparison.alternation;
    again.at_latency_target = at;
    add_variant(again, "a", "", comparison.variants[0].runs);
    add_variant(again, "b", "", slices);
    const VariantFigures& b = again.variants[1];
    ASSERT_TRUE(b.against_first) << "at a target: " << at.has_value();
    EXPECT_EQ(b.against_first->usable_pairs, 18u);
    EXPECT_TRUE(b.against_first->confidence_95[0]);
    EXPECT_NEAR(b.mean_ops_per_sec, 1000, 1e-9);
    EXPECT_LT(b.mean_response.count(), 2);
  }
}

TEST(SliceBlocks, AVariantWithTooFewBlocksForAnIntervalLeavesTheOthersTheirVerdicts) {
  std::vector<RunFigures> a, few, slow;
  for (std::uint64_t block = 1; block <= 12; ++block)
    for (const double at : {0.0, 1.0}) {
      const double start = 9 * static_cast<double>(block) + at;
      for (std::vector<RunFigures>* const slices : {&a, &few, &slow})
        slices->push_back(slice_of(slices == &slow ? 1.1 : 1, block, start, slices->size() + 1));
      if (block > 6) few.back().invalid = {Invalid::generator_limited};
    }
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.unit = Alternation::slices, .reason = "all variants can be up at once"};
  add_variant(comparison, "a", "", a);
  add_variant(comparison, "few", "", few);
  add_variant(comparison, "slow", "", slow);
  EXPECT_FALSE(comparison.variants[1].against_first->confidence_95[1]);
  EXPECT_EQ(comparison.variants[1].against_first->verdict, Verdict::no_difference);
  EXPECT_EQ(comparison.variants[2].against_first->verdict, Verdict::slower);
}

TEST(SliceBlocks, NeighboursThatGoTogetherWidenTheInterval) {
  std::vector<double> alone, together;
  Random random(3);
  double level = 0;
  for (int i = 0; i < 128; ++i) {
    const double noise = random.uniform() - 0.5;
    level = 0.95 * level + noise;
    alone.push_back(noise);
    together.push_back(0.3 * level);  // about as much scatter
  }
  const auto width = [](const Difference& found) { return std::log(found.high / found.low); };
  EXPECT_GT(width(difference_of_blocks(together)), 2.5 * width(difference_of_blocks(alone)));
}

TEST(SliceBlocks, TheBlocksOfADayNeedNoMoreMemoryThanThoseOfAnHour) {
  std::vector<double> blocks;  // whose pairs would need 40 GB
  Random random(3);
  for (int i = 0; i < 100'000; ++i) blocks.push_back(random.uniform() - 0.5);
  const Difference found = difference_of_blocks(blocks);
  EXPECT_NEAR(found.ratio, 1, 0.01);
  EXPECT_LT(found.high / found.low, 1.01);
}

TEST(SliceBlocks, TheRatioOfAComparisonIsThatOfItsSlicesAndNotOfTheirDisturbance) {
  for (const double ratio : {0.9, 1.0, 1.05}) {
    const AgainstFirst against = *sliced_comparison(ratio).variants[1].against_first;
    EXPECT_LE(*against.confidence_95[0], ratio);
    EXPECT_GE(*against.confidence_95[1], ratio);
    EXPECT_LT(*against.confidence_95[1] / *against.confidence_95[0], 1.03);
    EXPECT_EQ(against.verdict, ratio < 1 ? Verdict::faster : ratio > 1 ? Verdict::slower : Verdict::no_difference);
  }
}

}  // namespace
}  // namespace edagen
