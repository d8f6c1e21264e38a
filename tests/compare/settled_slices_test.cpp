#include "compare/settled_slices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fakes/slices.hpp"

namespace edagen {
namespace {

using testing::slice_of;

/// Slices whose second halves are longer by a factor that scatters by a fifth around `rise`.
std::vector<RunFigures> slices_that_rise(double rise, std::size_t count = 40) {
  Random random(3);
  std::vector<RunFigures> slices;
  for (std::size_t i = 0; i < count; ++i) {
    slices.push_back(slice_of(1, i / 2 + 1, static_cast<double>(i), i + 1));
    slices.back().slice->first_half = Millis(1);
    slices.back().slice->second_half = Millis(rise * std::exp(0.4 * (random.uniform() - 0.5)));
  }
  return slices;
}

std::size_t marked(const std::vector<RunFigures>& slices) {
  return static_cast<std::size_t>(std::ranges::count_if(
      slices, [](const RunFigures& slice) { return slice.invalid == std::vector{Invalid::window_short}; }));
}

TEST(SettledSlices, AllSlicesOfAVariantWhoseResponseStillRisesAreTooShort) {
  EXPECT_EQ(marked(marked_where_unsettled(slices_that_rise(1.4))), 40u);
  EXPECT_EQ(marked(marked_where_unsettled(marked_where_unsettled(slices_that_rise(1.4)))), 40u) << "once each";
}

TEST(SettledSlices, ARiseOfLessThanFivePercentAndAFallAreNone) {
  EXPECT_EQ(marked(marked_where_unsettled(slices_that_rise(1.04, 4000))), 0u);
  EXPECT_EQ(marked(marked_where_unsettled(slices_that_rise(0.5))), 0u);
}

TEST(SettledSlices, AFewSlicesShowNoRise) { EXPECT_EQ(marked(marked_where_unsettled(slices_that_rise(1.4, 4))), 0u); }

TEST(SettledSlices, SlicesAroundALatencyTargetAndWholeRunsStayAsTheyAre) {
  std::vector<RunFigures> around_target = slices_that_rise(1.4), runs = around_target;
  for (RunFigures& slice : around_target) slice.slice->distance_from_target = 0.1;
  for (RunFigures& run : runs) run.slice.reset();
  EXPECT_EQ(marked(marked_where_unsettled(around_target)), 0u);
  EXPECT_EQ(marked(marked_where_unsettled(runs)), 0u);
}

TEST(SettledSlices, AComparisonOfSlicesThatDidNotSettleHasNoVerdict) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.unit = Alternation::slices, .reason = ""};
  std::vector<RunFigures> slower = slices_that_rise(1.4);
  for (RunFigures& slice : slower) slice.response *= 1.5;
  add_variant(comparison, "a", "", slices_that_rise(1));
  add_variant(comparison, "b", "", slower);
  EXPECT_EQ(comparison.variants[1].against_first->verdict, Verdict::invalid_runs);
  EXPECT_TRUE(comparison.variants[0].runs[0].valid());
}

}  // namespace
}  // namespace edagen
