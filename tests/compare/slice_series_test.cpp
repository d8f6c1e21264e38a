#include "compare/slice_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

namespace edagen {
namespace {

using namespace std::chrono_literals;

SlicePlan plan_of(std::optional<Nanos> length = 2s) {
  return {.variants = 2, .ops_per_sec = 1000, .warmup = 5s, .length = length, .max_time = 300s};
}

/// What a load shows whose response settles to `steady_ms` within `settle_seconds`, and scatters by `noise`.
SliceSeen seen(const Slice& slice, double steady_ms, double settle_seconds, Random& random, double noise = 0.01) {
  SliceSeen made{.figures = RunFigures()};
  const double step = to_seconds(slice.length) / static_cast<double>(slice.intervals);
  double sum = 0;
  for (std::size_t i = 0; i < slice.intervals; ++i) {
    const double at = to_seconds(slice.settle) + step * static_cast<double>(i);
    const double scatter = 1 + noise / std::sqrt(step) * (random.uniform() - 0.5);
    made.interval_responses.push_back(steady_ms * scatter * (at < settle_seconds ? 3 : 1));
    sum += made.interval_responses.back();
  }
  made.figures->response = Millis(sum / static_cast<double>(slice.intervals));
  made.figures->ops_per_sec = 1000;
  made.took = slice.settle + slice.length;
  return made;
}

/// Carries out all of it with variants of these responses.
SliceSeries measured(const SlicePlan& plan, std::vector<double> steady_ms, double settle_seconds = 0.3,
                     double noise = 0.01) {
  SliceSeries series(plan);
  Random random(7);
  while (const std::optional<Slice> slice = series.next())
    series.add(seen(*slice, steady_ms[slice->variant], settle_seconds, random, noise));
  return series;
}

TEST(SliceSeries, WarmsEachVariantUpThenLooksHowItSettlesThenMeasures) {
  SliceSeries series(plan_of());
  Random random(1);
  std::map<Slice::What, int> count;
  for (int i = 0; i < 14; ++i) {
    const Slice slice = *series.next();
    ++count[slice.what];
    series.add(seen(slice, 1, 0.3, random));
  }
  EXPECT_EQ(count[Slice::What::warm_up], 2);
  EXPECT_EQ(count[Slice::What::pilot], 4);
  EXPECT_EQ(count[Slice::What::slice], 8);
  EXPECT_EQ(series.slices(0).size(), 4u) << "a block has each variant twice";
}

TEST(SliceSeries, RequestsTheSameLoadUntilItWasMeasured) {
  SliceSeries series(plan_of());
  EXPECT_EQ(series.next()->variant, series.next()->variant);
}

TEST(SliceSeries, EachBlockIsARandomOrderAndItsReverse) {
  SlicePlan plan = plan_of();
  plan.variants = 3;
  SliceSeries series(plan);
  Random random(1);
  std::map<std::uint64_t, std::vector<std::size_t>> orders;
  while (const std::optional<Slice> slice = series.next()) {
    if (slice->what == Slice::What::slice) orders[slice->block].push_back(slice->variant);
    series.add(seen(*slice, 1, 0.3, random));
  }
  std::map<std::vector<std::size_t>, int> distinct;
  for (const auto& [block, order] : orders) {
    EXPECT_EQ(order, std::vector<std::size_t>(order.rbegin(), order.rend())) << block;
    ++distinct[order];
  }
  EXPECT_EQ(distinct.size(), 6u) << "all orders of three";
}

TEST(SliceSeries, LeavesOutTheTimeInWhichTheLoadSettles) {
  for (const double settle_seconds : {0.3, 0.75}) {
    const double left_out = to_seconds(*measured(plan_of(), {1, 1}, settle_seconds).settle());
    EXPECT_GE(left_out, settle_seconds);
    EXPECT_LE(left_out, settle_seconds + 0.2) << "intervals of 0.1 s, and one more by the chance of their scatter";
  }
  EXPECT_EQ(measured(plan_of(), {1, 1}, 0).settle(), Nanos(100ms)) << "an interval at least";
}

/// Variants of 1,000 ops/s. The response of the second one has this mean, in waves of a second.
SliceSeries with_a_queue(SlicePlan plan, double response_ms) {
  SliceSeries series(plan);
  double time = 0;
  while (const std::optional<Slice> slice = series.next()) {
    SliceSeen made{.figures = RunFigures{.ops_per_sec = 1000}};
    const double step = to_seconds(slice->length) / static_cast<double>(slice->intervals);
    double sum = 0;
    for (std::size_t i = 0; i < slice->intervals; ++i) {
      const auto number = static_cast<double>(i);
      const double wave = 0.9 * std::sin(2 * std::numbers::pi * (time + step * (number + 0.5)));
      made.interval_responses.push_back(slice->variant == 1 ? response_ms * (1 + wave) + number / 1000 : 1);
      sum += made.interval_responses.back();
    }
    made.figures->response = Millis(sum / static_cast<double>(slice->intervals));
    made.took = slice->settle + slice->length;
    time += to_seconds(made.took);
    series.add(std::move(made));
  }
  return series;
}

TEST(SliceSeries, OfALengthFromTheDataSlicesAreNotShorterThanAQueueRemembers) {
  // 8 x 15 ms x 15 ops.
  const SliceSeries series = with_a_queue(plan_of(std::nullopt), 15);
  EXPECT_NEAR(to_seconds(*series.settle()), 1.8, 0.11);
  EXPECT_GE(series.length(), *series.settle());
  EXPECT_FALSE(series.obstacle());
}

TEST(SliceSeries, AQueueThatRemembersForLongerThanAPilotOrThanTheTimeAllowsIsNoLoadForSlices) {
  const SliceSeries longer = with_a_queue(plan_of(std::nullopt), 1000);
  ASSERT_TRUE(longer.obstacle());
  EXPECT_EQ(longer.obstacle()->variant, 1u);
  EXPECT_NE(longer.obstacle()->what.find(" to settle, too long for slices"), std::string::npos);
  EXPECT_EQ(longer.end(), EndReason::failure);
  EXPECT_TRUE(longer.slices(0).empty());
  SlicePlan hurried = plan_of(std::nullopt);
  hurried.max_time = 60s;
  const SliceSeries shorter = with_a_queue(hurried, 15);
  ASSERT_TRUE(shorter.obstacle());
  EXPECT_NE(shorter.obstacle()->what.find(" to settle, and ten blocks need more time (--max-time)"), std::string::npos);
}

TEST(SliceSeries, SlicesOfAGivenLengthThatAreTooShortForAQueueAreNamed) {
  const auto is_short = [](const SliceSeries& series) {
    const std::vector<RunFigures>& slices = series.slices(0);
    return !slices.empty() && slices.back().invalid == std::vector{Invalid::window_short};
  };
  EXPECT_TRUE(is_short(with_a_queue(plan_of(2s), 1000)));
  EXPECT_FALSE(is_short(with_a_queue(plan_of(8s), 1000))) << "it settles for little more than the 2 s of a pilot";
  EXPECT_GT(with_a_queue(plan_of(8s), 1000).settle(), Nanos(2s));
  EXPECT_FALSE(with_a_queue(plan_of(2s), 1000).obstacle()) << "a length that was asked for stands";
}

TEST(SliceSeries, NoMoreOpsWaitInAClosedLoopThanThereAreProcs) {
  SlicePlan closed = plan_of(std::nullopt);
  closed.ops_per_sec = 0;
  EXPECT_FALSE(with_a_queue(closed, 1000).obstacle());
}

TEST(SliceSeries, AllIntervalsOfALoadAreOfOneLength) {
  SlicePlan plan = plan_of(std::nullopt);
  plan.ops_per_sec = 70;  // pilots of 400 / 70 s
  SliceSeries series(plan);
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Slice slice = *series.next();
    EXPECT_EQ(slice.length % static_cast<Nanos::rep>(slice.intervals), Nanos(0));
    series.add(seen(slice, 1, 0.3, random));
  }
}

TEST(SliceSeries, DoesNotEndAtAPrecisionOfSlicesThatDidNotSettle) {
  SlicePlan plan = plan_of();
  plan.until = 0.2;
  SliceSeries series(plan);
  Random random(1);
  while (const std::optional<Slice> slice = series.next()) {
    SliceSeen made = seen(*slice, 1, 0, random);
    made.interval_responses.back() *= 1.5;
    series.add(made);
  }
  EXPECT_EQ(series.end(), EndReason::time);
}

TEST(SliceSeries, ASliceHasTheResponsesOfItsHalves) {
  const SliceSeries series = with_a_queue(plan_of(), 10);
  const RunFigures& slice = series.slices(1).back();
  EXPECT_NEAR((slice.slice->first_half + slice.slice->second_half).count() / 2, slice.response.count(), 1e-9);
  EXPECT_LT(slice.slice->first_half, slice.slice->second_half);
}

TEST(SliceSeries, EndsWhenTheTimeIsOver) {
  const SliceSeries series = measured(plan_of(), {1, 1});
  EXPECT_EQ(series.end(), EndReason::time);
  const RunFigures& last = series.slices(1).back();
  EXPECT_LE(last.slice->start_seconds + last.slice->seconds, 300);
  EXPECT_GT(last.slice->start_seconds, 285);
}

TEST(SliceSeries, EndsWhenTheIntervalIsAsNarrowAsRequested) {
  SlicePlan plan = plan_of();
  plan.until = 0.01;
  const SliceSeries series = measured(plan, {1, 1.05});
  EXPECT_EQ(series.end(), EndReason::precision);
  EXPECT_GE(series.slices(0).size(), 2 * plan.policy.min_blocks);
  EXPECT_LT(series.slices(0).back().slice->start_seconds, 200);
}

TEST(SliceSeries, EndsAtAFailureAndLeavesOutAnInterruptedSlice) {
  for (const EndReason reason : {EndReason::failure, EndReason::interrupt}) {
    SliceSeries series(plan_of());
    Random random(1);
    int slices = 0;
    while (const std::optional<Slice> slice = series.next()) {
      SliceSeen made = seen(*slice, 1, 0.3, random);
      if (slice->what == Slice::What::slice && ++slices == 7) made.end = reason;
      if (made.end == EndReason::interrupt) made.figures.reset();
      series.add(made);
    }
    EXPECT_EQ(series.end(), reason);
    EXPECT_EQ(series.slices(0).size() + series.slices(1).size(), reason == EndReason::failure ? 7u : 6u);
  }
}

TEST(SliceSeries, OfALengthFromTheDataSlicesAreShortWhereNoiseIsThatOfSlowDisturbances) {
  // White noise: each second counts alike, and longer slices lose less to settling.
  EXPECT_GT(measured(plan_of(std::nullopt), {1, 1}, 0.55, 0.2).length(), 2s);
  // Little settles and nothing but slow noise is left: short slices are better.
  SliceSeries series(plan_of(std::nullopt));
  Random random(3);
  double time = 0;
  while (const std::optional<Slice> slice = series.next()) {
    const double length = to_seconds(slice->length), middle = time + length / 2;
    SliceSeen made =
        seen(*slice, 1 + 0.3 * std::sin(middle / 1.5), slice->what == Slice::What::pilot ? 0.3 : 0, random, 1e-5);
    made.interval_responses.front() = 1 + 0.3 * std::sin((time + length / 4) / 1.5);
    time += to_seconds(made.took);
    series.add(made);
  }
  EXPECT_LT(series.length(), 1s);
}

TEST(SliceSeries, OfALengthFromTheDataSlicesWhoseFirstHalvesShowNothingDoNotBecomeShorter) {
  SliceSeries series(plan_of(std::nullopt));
  Random random(1);
  std::optional<Nanos> first;
  while (const std::optional<Slice> slice = series.next()) {
    SliceSeen made = seen(*slice, 1, 0.55, random);
    if (slice->what == Slice::What::slice) {
      made.interval_responses.front() = 0;  // no op ended in it
      if (!first) first = slice->length;
    }
    series.add(made);
  }
  EXPECT_GE(series.length(), *first);
}

TEST(SliceSeries, OfALowRateSlicesOfALengthFromTheDataHoldEnoughOps) {
  SlicePlan plan = plan_of(std::nullopt);
  plan.ops_per_sec = 50;
  const SliceSeries series = measured(plan, {1, 1});
  EXPECT_GE(series.slices(0).front().slice->seconds, 3.9);
}

}  // namespace
}  // namespace edagen
