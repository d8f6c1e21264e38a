// The search as a value: which loads it asks for, and what it answers, without any load.
#include "search/rate_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fakes/search_blocks.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::block_at;
using testing::carry_out;
using testing::is;
using testing::Mm1Blocks;

constexpr double capacity = 1000;  ///< ops/s

CurvePlan plan_for(Nanos target, std::uint64_t seed = 1) {
  CurvePlan plan;
  plan.load.duration = 20s;
  plan.load.warmup = 5s;
  plan.targets = {target};
  plan.own_rate = 100;
  plan.seed = seed;
  return plan;
}

Nanos time_of(const std::vector<SearchBlock>& blocks) {
  Nanos time{0};
  for (const SearchBlock& block : blocks) time += block.time;
  return time;
}

TEST(RateSearch, AsksForTheSameStepUntilABlockIsAdded) {
  const CurvePlan plan = plan_for(2ms);
  RateSearch search(plan, 0);
  const std::optional<SearchStep> step = search.next();
  ASSERT_TRUE(step);
  EXPECT_EQ(step->purpose, Purpose::climb);
  EXPECT_EQ(step->rate, 12.5) << "an eighth of the procs' own rate";
  EXPECT_EQ(search.next()->rate, step->rate);
  search.add(block_at(12.5, 0.5));
  EXPECT_EQ(search.next()->rate, 37.5);
}

TEST(RateSearch, FindsTheRateAndDemonstratesIt) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CurvePlan plan = plan_for(5ms, seed);
    RateSearch search(plan, 0);
    const std::vector<SearchBlock> blocks = carry_out(search, Mm1Blocks(capacity, 5ms, seed));
    const AtTarget answer = search.answer();
    EXPECT_NEAR(answer.ops_per_sec, 800, 40) << seed;
    EXPECT_LE(time_of(blocks), 150s) << seed;
    EXPECT_EQ(blocks.back().purpose, Purpose::demonstration) << seed;
    EXPECT_FALSE(search.next());
  }
}

TEST(RateSearch, IsAValue) {
  const CurvePlan plan = plan_for(5ms);
  RateSearch search(plan, 0);
  Mm1Blocks volume(capacity, 5ms, 1);
  for (int i = 0; i < 15; ++i) search.add(volume(*search.next()));
  RateSearch copy = search;
  Mm1Blocks same = volume;
  carry_out(search, volume);
  carry_out(copy, same);
  EXPECT_EQ(search.answer().ops_per_sec, copy.answer().ops_per_sec);
}

TEST(RateSearch, HasTheBlocksThatWereMeasuredForAnotherTarget) {
  CurvePlan plan = plan_for(2ms);
  plan.targets = {2ms, 5ms};
  RateSearch first(plan, 0), second(plan, 1);
  Mm1Blocks volume(capacity, 2ms, 1);
  carry_out(first, [&](const SearchStep& step) {
    SearchBlock block = volume(step);
    block.values.push_back(block.values[0] * 2 / 5);
    block.standard_errors.push_back(block.standard_errors[0] * 2 / 5);
    block.late.push_back(false);
    second.add(block);
    return block;
  });
  ASSERT_TRUE(second.next());
  EXPECT_GT(second.next()->rate, 500) << "the climb goes on where that of the first target ended";
  EXPECT_TRUE(second.answer().demonstrated) << "what is below 2 ms is below 5 ms";
}

TEST(RateSearch, OfALoadThatEndedForAnotherTargetAsksForNothing) {
  CurvePlan plan = plan_for(2ms);
  RateSearch search(plan, 0);
  SearchBlock interrupted = block_at(100, 0.5);
  interrupted.is_last = true;
  interrupted.invalid = {Invalid::interrupted};
  search.add(interrupted);
  EXPECT_FALSE(search.next());
  EXPECT_TRUE(is(search.answer(), Invalid::interrupted));
}

TEST(RateSearch, AsksForFixedPointsOnceForAllTargets) {
  CurvePlan plan = plan_for(2ms);
  plan.rates = {200, 400, 600, 800};
  RateSearch first(plan, 0), second(plan, 0);
  std::vector<double> rates;
  carry_out(first, [&](const SearchStep& step) {
    EXPECT_EQ(step.purpose, Purpose::load_point);
    EXPECT_EQ(step.seconds, 20);
    rates.push_back(step.rate);
    second.add(block_at(step.rate, step.rate / 500, step.purpose));
    return block_at(step.rate, step.rate / 500, step.purpose);
  });
  EXPECT_EQ(rates, (std::vector<double>{200, 400, 600, 800}));
  EXPECT_FALSE(second.next());
  EXPECT_EQ(second.answer().low, 400);
  EXPECT_EQ(second.answer().high, 600);
}

TEST(RateSearch, AsksForNoMoreJobSetsThanTheHighestRateAllows) {
  CurvePlan plan = plan_for(5ms);
  plan.job_sets = 10;
  plan.own_rate = 900;
  plan.max_rate = 500;  // 5.6 job sets
  RateSearch search(plan, 0);
  for (const SearchBlock& block : carry_out(search, Mm1Blocks(capacity, 5ms, 1))) EXPECT_LE(block.requested, 450);
  EXPECT_EQ(search.answer().limit, RateLimit::highest_rate);
}

TEST(RateSearch, WithTimeToSpareDoesNotEndBeforeItsIntervalIsAsNarrowAsAskedFor) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    CurvePlan plan = plan_for(2ms, seed);
    plan.search_time = 1h;
    RateSearch search(plan, 0);
    carry_out(search, Mm1Blocks(capacity, 2ms, seed));
    const AtTarget answer = search.answer();
    EXPECT_LE((answer.high - answer.low) / 2 / answer.ops_per_sec, 1.01 * plan.precision) << seed;
  }
}

TEST(RateSearch, EndsInAQuarterMoreThanTheSearchTimeThoughTheLoadDoesNotSettle) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CurvePlan plan = plan_for(2ms, seed);
    plan.precision = 0.001;
    RateSearch search(plan, 0);
    Mm1Blocks volume(capacity, 2ms, seed);
    const std::vector<SearchBlock> blocks = carry_out(search, [&](const SearchStep& step) {
      SearchBlock block = volume(step);
      if (step.purpose == Purpose::demonstration) {
        // The warm-up is four times as long, and the window is measured anew, as far as that is allowed.
        block.time = std::min<Nanos>(60s, from_seconds(step.seconds)) + 2s;
        block.invalid = {Invalid::unsteady};
      }
      return block;
    });
    EXPECT_EQ(std::ranges::count(blocks, Purpose::demonstration, &SearchBlock::purpose), 1) << seed;
    EXPECT_LE(time_of(blocks), 150s) << seed;
    EXPECT_TRUE(is(search.answer(), Invalid::not_demonstrated)) << "it is unsteady";
  }
}

TEST(RateSearch, WhoseTimeIsOverBeforeItKnowsARateSaysSoAndNotThatNoLoadMeetsTheTarget) {
  for (const Nanos time : {Nanos(1ms), Nanos(9s), Nanos(12s)}) {
    CurvePlan plan = plan_for(2ms);
    plan.search_time = time;
    RateSearch search(plan, 0);
    carry_out(search, Mm1Blocks(capacity, 2ms, 1));
    const AtTarget answer = search.answer();
    EXPECT_EQ(answer.met, answer.ops_per_sec > 0) << to_seconds(time);
    EXPECT_FALSE(is(answer, Invalid::no_load_meets_target));
    EXPECT_EQ(answer.limit, RateLimit::search_time) << to_seconds(time);
    EXPECT_TRUE(is(answer, Invalid::target_not_reached));
    EXPECT_LE(answer.ops_per_sec, 510);
  }
}

TEST(RateSearch, WhoseTimeIsOverBeforeAnyLoadMetTheTargetDoesNotSayThatNoLoadMeetsIt) {
  CurvePlan plan = plan_for(2ms);
  plan.own_rate = 90'000;  // the climb begins with an overload
  plan.search_time = 2s;
  RateSearch search(plan, 0);
  carry_out(search, Mm1Blocks(capacity, 2ms, 1));
  const AtTarget answer = search.answer();
  EXPECT_EQ(answer.ops_per_sec, 0);
  EXPECT_FALSE(answer.met);
  EXPECT_EQ(answer.limit, RateLimit::search_time);
  EXPECT_FALSE(is(answer, Invalid::no_load_meets_target));
  EXPECT_TRUE(is(answer, Invalid::target_not_reached));
  EXPECT_GT(answer.lowest_latency, NanosF(2ms)) << "of an overload";
  EXPECT_EQ(answer.lowest_latency_rate, 11'250);
}

TEST(RateSearch, WhoseTimeIsOverSaysThatNoLoadMeetsATargetFarBelowTheLatencyOfAnIdleVolume) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CurvePlan plan = plan_for(2us, seed);
    plan.own_rate = 90'000;  // the climb begins with an overload, and does not come to the lowest rate
    plan.search_time = 8s;
    RateSearch search(plan, 0);
    carry_out(search, Mm1Blocks(capacity, 2us, seed));
    const AtTarget answer = search.answer();
    EXPECT_FALSE(answer.met) << seed;
    EXPECT_FALSE(answer.limit) << seed;
    EXPECT_EQ(answer.invalid, std::vector{Invalid::no_load_meets_target}) << seed;
    EXPECT_GT(answer.lowest_latency, NanosF(300us)) << seed;
    EXPECT_LT(answer.lowest_latency, NanosF(1600us)) << seed;
    EXPECT_GT(answer.lowest_latency_rate, 2) << seed;
    EXPECT_LT(answer.lowest_latency_rate, 400) << seed;
  }
}

TEST(RateSearch, WhoseTimeIsOverDoesNotSayThatNoLoadMeetsATargetThatALowerOrAHigherLoadMayMeet) {
  for (const Nanos target : {Nanos(900us), Nanos(1100us)}) {  // an idle station takes 1 ms
    CurvePlan plan = plan_for(target);
    plan.own_rate = 90'000;
    plan.search_time = 5s;
    RateSearch search(plan, 0);
    carry_out(search, Mm1Blocks(capacity, target, 1));
    EXPECT_FALSE(is(search.answer(), Invalid::no_load_meets_target)) << to_seconds(target);
  }
  CurvePlan plan = plan_for(2ms);
  plan.search_time = 9s;
  RateSearch asleep(plan, 0);  // each op wakes the host up, however far apart ops are
  carry_out(asleep, [](const SearchStep& step) { return block_at(step.rate, 1000, step.purpose); });
  EXPECT_FALSE(is(asleep.answer(), Invalid::no_load_meets_target));
  EXPECT_EQ(asleep.answer().limit, RateLimit::search_time);
}

TEST(RateSearch, OfARarePercentileAsksForLongerBlocks) {
  CurvePlan plan = plan_for(2ms);
  plan.own_rate = 4000;
  EXPECT_EQ(RateSearch(plan, 0).next()->seconds, 0.5);
  plan.load.statistic.percentile = 99;
  EXPECT_NEAR(RateSearch(plan, 0).next()->seconds, 2, 1e-9) << "1,000 ops at 500 ops/s";
}

/// A search for 5 ms at 800 ops/s; `count` blocks from the `first` have a latency of `value` times the target.
AtTarget found_despite(int first, int count, double value, CurvePlan plan) {
  RateSearch search(plan, 0);
  int number = 0;
  Mm1Blocks volume(capacity, 5ms, plan.seed);
  carry_out(search, [&](const SearchStep& step) {
    SearchBlock block = volume(step);
    ++number;
    if (number >= first && number < first + count) block.values = {value}, block.latency = value * NanosF(5ms);
    return block;
  });
  return search.answer();
}

/// A block in which all ops were slow counts with all they are, as it would for users: its place among the others
/// decides how far the rate goes down. The interval must show it.
void expect_near_the_truth(const AtTarget& answer, int first) {
  EXPECT_TRUE(answer.met) << "block " << first;
  EXPECT_LE(answer.low, 820) << "block " << first;
  EXPECT_GE(answer.high, 780) << "block " << first;
  EXPECT_NEAR(answer.ops_per_sec, 800, 120) << "block " << first;
}

TEST(RateSearch, OneSlowBlockIsInTheIntervalWhereverItIs) {
  for (int which = 1; which <= 12; ++which) expect_near_the_truth(found_despite(which, 1, 10, plan_for(5ms, 3)), which);
}

TEST(RateSearch, ABurstThatLastsForTwoBlocksDoesNotEndTheSearch) {
  for (int first = 2; first <= 6; ++first) expect_near_the_truth(found_despite(first, 2, 10, plan_for(5ms, 3)), first);
}

TEST(RateSearch, ABlockOfTheClimbThatIsSlowByChanceIsNoValidAnswerWhereThereIsNoTimeForMore) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CurvePlan hurried = plan_for(5ms, seed);
    hurried.search_time = 30s;
    const AtTarget answer = found_despite(4, 1, 1.1, hurried);
    EXPECT_FALSE(answer.invalid.empty()) << answer.low << " to " << answer.high << ", seed " << seed;
  }
}

TEST(RateSearch, FindsThisHostToBeTheLimitWhereItAloneIsOverTheTarget) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const CurvePlan plan = plan_for(5ms, seed);
    RateSearch search(plan, 0);
    Mm1Blocks volume(10 * capacity, 5ms, seed);  // which could do more
    carry_out(search, [&](const SearchStep& step) {
      SearchBlock block = volume(step);
      if (step.rate > 800) block.late = {true}, block.values = {4}, block.latency = 20ms;
      return block;
    });
    EXPECT_EQ(search.answer().limit, RateLimit::host) << seed;
  }
}

TEST(RateSearch, GoesOnWhereTheGeneratorIsLateBelowTheTarget) {
  // Machines that save power wake up late while there is little to do: that is no limit of the volume.
  const CurvePlan plan = plan_for(5ms, 3);
  RateSearch search(plan, 0);
  Mm1Blocks volume(capacity, 5ms, 3);
  carry_out(search, [&](const SearchStep& step) {
    SearchBlock block = volume(step);
    block.late = {step.rate < 600};
    return block;
  });
  EXPECT_NEAR(search.answer().ops_per_sec, 800, 40);
}

}  // namespace
}  // namespace edagen
