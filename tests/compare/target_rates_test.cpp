#include "compare/target_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "compare/rates_at_target.hpp"
#include "compare/run_figures.hpp"
#include "compare/slice_series.hpp"
#include "fakes/search_blocks.hpp"
#include "stats/signed_rank.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// An M/M/1 variant without scatter, whose speed follows the time.
struct Model {
  double ops_per_sec = 1000;  ///< of service
  double (*speed)(double seconds) = [](double) { return 1.0; };
  double least_ms = 0;  ///< a delay that no load adds to

  double response_ms(double rate, double at) const {
    const double left = speed(at) * ops_per_sec - rate;
    return least_ms + (left > 1 ? std::min(1e3 / left, 1e3) : 1e3);
  }
};

CurvePlan search_of(Nanos target = 4ms, std::optional<ShapePlan> shape = {}) {
  CurvePlan plan;
  plan.load.duration = 20s;
  plan.load.warmup = 5s;
  plan.targets = {target};
  plan.own_rate = 1000;
  plan.shape = shape;
  return plan;
}

SliceSeen seen(const Slice& slice, const Model& model, double at, Nanos target) {
  const double response = model.response_ms(slice.ops_per_sec, at);
  SliceSeen made{.figures =
                     RunFigures{.ops_per_sec = slice.ops_per_sec, .mib_per_sec = 1, .response = Millis(response)}};
  made.interval_responses.assign(slice.intervals, response);
  made.block = testing::block_at(slice.ops_per_sec, Millis(response) / Millis(target),
                                 slice.what == Slice::What::climb ? Purpose::climb : Purpose::block);
  made.block->reached = response < 100;
  made.took = slice.settle + slice.length;
  return made;
}

/// Carries out all of it with variants of these models.
struct Carried {
  explicit Carried(std::vector<Model> models, Nanos time = 300s, std::optional<double> until = {}, Nanos target = 4ms,
                   std::optional<ShapePlan> shape = {})
      : search(search_of(target, shape)),
        series(SlicePlan{.variants = models.size(),
                         .searches = std::vector<const CurvePlan*>(models.size(), &search),
                         .warmup = 5s,
                         .length = 2s,
                         .until = until,
                         .max_time = time,
                         .shape = shape.has_value()}) {
    double at = 0;
    while (const std::optional<Slice> slice = series.next()) {
      slices.push_back(*slice);
      const SliceSeen made = seen(*slice, models[slice->variant], at, target);
      at += to_seconds(made.took);
      series.add(made);
    }
  }
  std::vector<double> log_ratios(std::size_t variant = 1) const {
    return slice_blocks(at_target(series.slices(0)), at_target(series.slices(variant)), ComparedBy::rate).log_ratios;
  }

  CurvePlan search;
  SliceSeries series;
  std::vector<Slice> slices = {};
};

TEST(TargetRates, EachVariantClimbsToItsOwnRateAndTheClimbsAreInterleaved) {
  const Carried carried({{1000}, {3000}});
  std::size_t changes = 0, climbs = 0;
  for (; carried.slices[climbs].what == Slice::What::climb; ++climbs)
    if (climbs > 0 && carried.slices[climbs].variant != carried.slices[climbs - 1].variant) ++changes;
  EXPECT_GE(climbs, 12u);
  EXPECT_GE(changes, climbs / 3);
  const Slice& first = *std::ranges::find(carried.slices, Slice::What::pilot, &Slice::what);
  EXPECT_NEAR(first.ops_per_sec, first.variant == 0 ? 750 : 2750, first.variant == 0 ? 100 : 400);
}

TEST(TargetRates, InABlockAllVariantsAreBelowTheTargetAndThenOverItOrTheOtherWayRound) {
  const Carried carried({{1000}, {3000}});
  std::map<std::uint64_t, std::vector<Slice>> blocks;
  for (const Slice& slice : carried.slices)
    if (slice.what == Slice::What::slice) blocks[slice.block].push_back(slice);
  int low_first = 0;
  for (const auto& [number, slices] : blocks) {
    ASSERT_EQ(slices.size(), 4u);
    EXPECT_EQ(slices[0].variant, slices[3].variant);
    const bool is_low = slices[0].ops_per_sec < slices[3].ops_per_sec;
    EXPECT_EQ(is_low, slices[1].ops_per_sec < slices[2].ops_per_sec);
    low_first += is_low ? 1 : 0;
  }
  EXPECT_GT(low_first, 3);
  EXPECT_LT(low_first, static_cast<int>(blocks.size()) - 3);
}

TEST(TargetRates, FindsTheRatesOfBothAndTheirRatio) {
  const Carried carried({{1000}, {1500}});
  for (const std::size_t variant : {0u, 1u}) {
    const std::vector<RunFigures> slices = at_target(carried.series.slices(variant));
    EXPECT_NEAR(slices.back().ops_per_sec, variant == 0 ? 750 : 1250, 20);
  }
  EXPECT_NEAR(std::exp(carried.log_ratios().back()), 1250.0 / 750, 0.01);
}

TEST(TargetRates, ADisturbanceThatBothVariantsHaveMovesTheirRatesAndNotTheirRatio) {
  const auto speed = [](double at) { return 1 + 0.15 * std::sin(at / 20); };
  const Carried carried({{1000, speed}, {1000, speed}});
  double lowest = 1e9, highest = 0;
  for (const Slice& slice : carried.slices) {
    if (slice.block < 5) continue;
    lowest = std::min(lowest, slice.ops_per_sec), highest = std::max(highest, slice.ops_per_sec);
  }
  EXPECT_GT(highest, 1.25 * lowest);
  const SignedRank ranks = signed_rank(carried.log_ratios());
  EXPECT_NEAR(ranks.center, 0, 0.01);
}

TEST(TargetRates, AfterTheBlocksTheCurvesAreMeasuredPointByPointInTurnUpToTheFirstOverloadBeyondTheTarget) {
  const Carried carried({{1000}, {3000}}, 300s, {}, 20ms, ShapePlan{});
  const auto first = std::ranges::find(carried.slices, Slice::What::shape, &Slice::what);
  const std::vector<Slice> points(first, carried.slices.end());
  ASSERT_EQ(points.size(), 22u)
      << "ten up to the target and one of two beyond it, as no station serves 1.1 of its rate";
  for (std::size_t i = 0; i < points.size(); i += 2) {
    EXPECT_EQ(points[i].what, Slice::What::shape);
    EXPECT_EQ(points[i].variant + points[i + 1].variant, 1u);
    const Slice &slow = points[i + points[i].variant], &fast = points[i + points[i + 1].variant];
    EXPECT_NEAR(fast.ops_per_sec / slow.ops_per_sec, 2950 / 950.0, 0.05);
    EXPECT_NEAR(slow.ops_per_sec, static_cast<double>(i + 2) / 20 * 950, 0.02 * 950);
  }
  EXPECT_EQ(carried.series.end(), EndReason::time);
  EXPECT_EQ(carried.series.slices(0).size(), Carried({{1000}, {3000}}, 300s, {}, 20ms).series.slices(0).size())
      << "they are beside the time of the slices";
}

TEST(TargetRates, AWallIsNeitherOverrunNorLeft) {
  // The target is at 90 % of the highest rate.
  const Model wall{.least_ms = 3};
  const Carried carried({wall, wall}, 300s, {}, 13ms);
  for (const Slice& slice : carried.slices) {
    if (slice.block < 8) continue;
    EXPECT_NEAR(slice.ops_per_sec, 900, 60) << slice.block;
  }
}

TEST(TargetRates, EndsWhenTheIntervalIsAsNarrowAsRequested) {
  const Carried carried({{1000}, {1020}}, 3000s, 0.03);
  EXPECT_EQ(carried.series.end(), EndReason::precision);
  EXPECT_LT(carried.series.slices(0).size(), 40u);
}

TEST(TargetRates, AnAnswerIsImpreciseAsItsSlicesAre) {
  std::vector<RunFigures> flat;
  for (std::uint64_t i = 0; i < 20; ++i) {
    RunFigures& slice = flat.emplace_back(RunFigures{.ops_per_sec = 1000, .mib_per_sec = 1, .response = Millis(4)});
    slice.slice = SliceFigures{.block = 1 + i / 2, .seconds = 2};
    slice.slice->offered_ops_per_sec = i % 2 == 0 ? 950 : 1050;
    slice.slice->distance_from_target = 0;
  }
  EXPECT_EQ(answer_of_slices(flat, 4ms)->invalid, std::vector{Invalid::imprecise});
}

TEST(TargetRates, AVariantWithoutARateAtTheTargetEndsTheSeriesBeforeItsFirstSlice) {
  const Carried carried({{1000}, {.least_ms = 20}});
  ASSERT_TRUE(carried.series.obstacle());
  EXPECT_EQ(carried.series.obstacle()->variant, 1u);
  EXPECT_EQ(carried.series.obstacle()->what, "no load meets the target");
  EXPECT_TRUE(carried.series.slices(0).empty());
  const auto obstacle_of = [](const CurvePlan& search) {
    TargetRates rates({&search});
    while (const std::optional<SearchStep> step = rates.climb(0)) {
      const Slice slice{.length = from_seconds(step->seconds), .ops_per_sec = step->rate};
      SearchBlock block = *seen(slice, Model(), 0, 4ms).block;
      block.purpose = step->purpose;
      rates.add(0, block);
    }
    return rates.obstacle()->what;
  };
  CurvePlan limited = search_of(), hurried = search_of();
  limited.max_rate = 300;
  EXPECT_EQ(obstacle_of(limited), "the target is not reached at the highest rate (--max-rate)");
  hurried.search_time = 12s;  // ends with 375 ops/s below the target and 1,125 over it
  EXPECT_EQ(obstacle_of(hurried), "the target is not found within the time of a search (--search-time)");
}

}  // namespace
}  // namespace edagen
