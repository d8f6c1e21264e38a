// At which rate a load point counts for an answer.
#include "search/search_block.hpp"

#include <gtest/gtest.h>

#include "fakes/search_blocks.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// 1,000 ops/s were asked for, 990 ended.
CurvePoint point(std::vector<Invalid> invalid) {
  CurvePoint made;
  made.stats.length = 1s;
  made.stats.requested_ops_per_sec = 1000;
  for (int i = 0; i < 990; ++i) made.stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  made.rate = 990;
  made.latency = 1ms;
  made.invalid = std::move(invalid);
  return made;
}

TEST(SearchBlock, CountsAtTheRateAskedForWhereItWasReachedAndElseAtTheAchievedOne) {
  EXPECT_EQ(search_block(point({}), {}, {2ms}).rate, 1000);
  EXPECT_EQ(search_block(point({Invalid::mix_off}), {}, {2ms}).rate, 1000);
  EXPECT_EQ(search_block(point({Invalid::achieved_rate_low}), {}, {2ms}).rate, 990);
}

TEST(SearchBlock, OfAClosedLoopCountsAtTheAchievedRate) {
  CurvePoint made = point({});
  made.stats.requested_ops_per_sec.reset();
  EXPECT_EQ(search_block(made, {}, {2ms}).rate, 990);
}

TEST(SearchBlock, IsHeldAgainstTheDelayThatEachTargetAllows) {
  CurvePoint made = point({Invalid::generator_limited});
  for (int i = 0; i < 990; ++i) made.stats.generator_lag.record(300us);
  const SearchBlock block = search_block(made, {}, {2ms, 5ms});
  EXPECT_TRUE(block.host_limited(0)) << "300 of 200 us";
  EXPECT_FALSE(block.host_limited(1)) << "300 of 500 us";
  EXPECT_TRUE(block.invalid.empty()) << "of other reasons there is none";
}

TEST(SearchBlock, WhoseServiceAloneIsOverTheTargetIsNotLimitedByTheHostHoweverLateThatWas) {
  CurvePoint made = point({});  // 1 ms of service
  for (int i = 0; i < 990; ++i) made.stats.generator_lag.record(300us);
  const SearchBlock block = search_block(made, {}, {500us, 1100us});
  EXPECT_FALSE(block.host_limited(0));
  EXPECT_TRUE(block.host_limited(1)) << "300 of 110 us";
}

TEST(SearchBlock, OfAWindowThatIsTooShortDemonstratesNothing) {
  CurvePoint made = point({});
  made.purpose = Purpose::load_point;
  EXPECT_TRUE(best_demonstration({search_block(made, {}, {2ms})}, 0));
  made.invalid = {Invalid::window_short};
  EXPECT_FALSE(best_demonstration({search_block(made, {}, {2ms})}, 0)) << "another window may be over the target";
}

TEST(SearchBlock, OfAGeneratorThatPausedIsTheHostsForEveryTarget) {
  const SearchBlock block = search_block(point({Invalid::generator_paused}), {}, {2ms, 5ms});
  EXPECT_TRUE(block.host_limited(0));
  EXPECT_TRUE(block.host_limited(1));
}

TEST(SearchBlock, OfAGeneratorThatWasTooLateForATargetDemonstratesItForAnotherAlone) {
  // 1.5 ms were measured, for a target at which 300 us are no reason.
  CurvePoint made = point({});
  made.purpose = Purpose::demonstration;
  for (int i = 0; i < 990; ++i) made.stats.generator_lag.record(300us);
  CurvePlan plan;
  plan.targets = {2ms, 5ms};
  plan.rates = {1000};
  const std::vector<SearchBlock> blocks = {search_block(made, {}, plan.targets)};
  EXPECT_FALSE(testing::answer_to(blocks, plan, 0).demonstrated);
  EXPECT_TRUE(testing::answer_to(blocks, plan, 1).demonstrated);
}

TEST(SearchBlock, OpsThatWereDueAndOfWhichNoneHasEndedAreOverTheTargetByAnyStatistic) {
  for (const LatencyStatistic statistic : {LatencyStatistic{}, LatencyStatistic{0, true}, LatencyStatistic{99, true}}) {
    CurvePoint made;
    made.stats.length = 1s;
    made.stats.requested_ops_per_sec = 1000;
    made.invalid = {Invalid::nothing_measured, Invalid::ops_outstanding};
    for (int i = 0; i < 100; ++i) made.stats.ops.record_outstanding(1s);
    const SearchBlock block = search_block(made, statistic, {2ms});
    EXPECT_TRUE(block.counts) << statistic.name();
    EXPECT_FALSE(block.reached);
    EXPECT_GT(block.values[0], 1);
  }
}

TEST(SearchBlock, ABlockInWhichNothingWasDueSaysNothing) {
  CurvePoint made;
  made.stats.length = 1s;
  made.stats.requested_ops_per_sec = 0.1;
  EXPECT_FALSE(search_block(made, {0, true}, {2ms}).counts);
}

TEST(SearchBlock, ABusyHostIsTheLimitThoughEdagenIsInTime) {
  CurvePoint made = point({});
  made.stats.host_busy = 0.96;
  EXPECT_TRUE(search_block(made, {}, {2ms}).host_limited(0));
  made.stats.host_busy = 0.94;
  EXPECT_FALSE(search_block(made, {}, {2ms}).host_limited(0));
}

}  // namespace
}  // namespace edagen
