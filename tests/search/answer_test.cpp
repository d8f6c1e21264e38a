#include "search/answer.hpp"

#include <gtest/gtest.h>

#include "fakes/search_blocks.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::answer_to;
using testing::block_at;

/// The second of four is over the target.
std::vector<SearchBlock> blocks_around_a_slow_one() {
  return {block_at(100, 0.5), block_at(200, 3), block_at(300, 0.5), block_at(400, 0.5)};
}

CurvePlan plan_of_points(std::size_t points = 0) {
  CurvePlan plan;
  plan.targets = {2ms};
  plan.own_rate = 1000;
  plan.rates = equally_spaced_rates(points, 1000);
  return plan;
}

AtTarget answer_of(const std::vector<SearchBlock>& blocks) { return answer_to(blocks, plan_of_points()); }

TEST(AnswerOfASearch, ThatIsALowerBoundHasNoBlockOverTheTargetBelowIt) {
  const AtTarget answer = answer_of(blocks_around_a_slow_one());
  EXPECT_EQ(answer.limit, RateLimit::search_time);
  EXPECT_EQ(answer.ops_per_sec, 100);
}

TEST(AnswerOfASearch, ThatIsALowerBoundIsAtLeastTheRateThatWasDemonstrated) {
  std::vector<SearchBlock> blocks = blocks_around_a_slow_one();
  blocks[2].purpose = Purpose::demonstration;
  const AtTarget answer = answer_of(blocks);
  EXPECT_EQ(answer.limit, RateLimit::search_time);
  EXPECT_EQ(answer.ops_per_sec, 300);
  EXPECT_EQ(answer.low, 300);
  EXPECT_EQ(answer.high, 300);
}

TEST(AnswerOfASearch, IsLimitedByThisHostWhereItAloneWasOverTheTargetFarAboveTheRate) {
  std::vector<SearchBlock> blocks{block_at(100, 0.2), block_at(300, 0.5), block_at(600, 3)};
  EXPECT_FALSE(answer_of(blocks).limit);
  blocks.back().late = {true};
  EXPECT_EQ(answer_of(blocks).limit, RateLimit::host);
}

TEST(AnswerOfASearch, WhoseVolumeBecameSlowHasTheLowestLatencyThatWasSeenSinceThen) {
  const CurvePlan plan = plan_of_points();
  RateSearch search(plan, 0);
  for (const auto& [rate, value] : {std::pair(100.0, 0.05), std::pair(300.0, 0.06), std::pair(300.0, 8.0),
                                    std::pair(100.0, 7.0), std::pair(2.0, 5.0), std::pair(2.0, 6.0)})
    search.add(block_at(rate, value));
  EXPECT_FALSE(search.next());
  const AtTarget answer = search.answer();
  EXPECT_EQ(answer.invalid, std::vector{Invalid::no_load_meets_target});
  EXPECT_NEAR(Millis(answer.lowest_latency).count(), 5.5, 1e-9) << "the mean of the two at 2 ops/s";
  EXPECT_EQ(answer.lowest_latency_rate, 2);
}

TEST(AnswerOfLoadPoints, ThatWereCutOffDoesNotBlameTheHighestRateThatWasAskedFor) {
  std::vector<SearchBlock> blocks = blocks_around_a_slow_one();
  blocks.erase(blocks.begin() + 1);
  const CurvePlan plan = plan_of_points(4);
  EXPECT_EQ(answer_to(blocks, plan).limit, RateLimit::highest_rate);
  blocks.back().counts = false;
  blocks.back().invalid = {Invalid::interrupted};
  const AtTarget answer = answer_to(blocks, plan);
  EXPECT_EQ(answer.limit, RateLimit::search_time);
  EXPECT_EQ(answer.ops_per_sec, 300);
  EXPECT_EQ(answer.invalid.back(), Invalid::interrupted);
}

TEST(AnswerOfASearch, HasTheMiBPerOpOfBlocksThatReachedTheirRate) {
  std::vector<SearchBlock> blocks = blocks_around_a_slow_one();
  blocks.erase(blocks.begin() + 1);
  for (SearchBlock& block : blocks) block.mib_per_op = 1;
  SearchBlock& overload = blocks.emplace_back(blocks.back());
  overload.rate = 410;
  overload.reached = false;
  overload.values = {9};
  overload.mib_per_op = 5;
  const AtTarget answer = answer_of(blocks);
  EXPECT_DOUBLE_EQ(answer.mib_per_sec, answer.ops_per_sec);
}

TEST(AnswerOfASearch, HasTheMiBPerOpOfAllBlocksAsNearAsTheNearest) {
  std::vector<SearchBlock> blocks = blocks_around_a_slow_one();
  blocks.resize(2);  // 100 ops/s, and an overload at 200
  blocks[1].reached = false;
  blocks.push_back(blocks[0]);
  blocks[0].mib_per_op = 1;
  blocks[2].mib_per_op = 3;
  const AtTarget answer = answer_of(blocks);
  EXPECT_EQ(answer.ops_per_sec, 150);
  EXPECT_DOUBLE_EQ(answer.mib_per_sec, 2 * answer.ops_per_sec);
}

TEST(AnswerOfLoadPoints, HasNoCrossingAndNoLimitOfTheProcsFromAPointThatErrorsOrStuckOpsHaveEnded) {
  for (const double value : {0.5, 5.0})  // failed ops may be fast or slow
    for (const Invalid reason : {Invalid::too_many_errors, Invalid::stuck_ops}) {
      std::vector<SearchBlock> blocks{block_at(1000, 0.5, Purpose::load_point),
                                      block_at(2000, value, Purpose::load_point)};
      blocks[1].reached = false;
      blocks[1].invalid = {Invalid::errors, reason};
      const AtTarget answer = answer_to(blocks, plan_of_points(4));
      EXPECT_EQ(answer.limit, RateLimit::search_time);
      EXPECT_EQ(answer.ops_per_sec, 1000);
      EXPECT_EQ(answer.invalid, (std::vector{Invalid::target_not_reached, reason}));
    }
}

TEST(AnswerOfLoadPoints, WithoutAPointBelowTheTargetIsUnknownWhereAPointDoesNotCount) {
  std::vector<SearchBlock> blocks{block_at(1000, 5, Purpose::load_point), block_at(2000, 5, Purpose::load_point)};
  const CurvePlan plan = plan_of_points(2);
  EXPECT_FALSE(answer_to(blocks, plan).limit) << "both are over it";
  blocks[0].counts = false;
  AtTarget answer = answer_to(blocks, plan);
  EXPECT_FALSE(answer.met);
  EXPECT_EQ(answer.limit, RateLimit::search_time) << "the lower one may meet it";
  EXPECT_EQ(answer.invalid, (std::vector{Invalid::target_not_reached, Invalid::not_demonstrated}));
  blocks[0].invalid = {Invalid::generator_paused};
  blocks[1].counts = false;
  answer = answer_to(blocks, plan);
  EXPECT_EQ(answer.limit, RateLimit::host);
  EXPECT_EQ(answer.invalid, (std::vector{Invalid::generator_limited, Invalid::not_demonstrated}));
}

TEST(AnswerOfLoadPoints, WithoutAPointBelowTheTargetIsThatNoLoadMeetsItWhereTheOthersAreFarOverIt) {
  std::vector<SearchBlock> blocks;
  for (const auto& [rate, value] :
       {std::pair(1000.0, 5.0), std::pair(2000.0, 50.0), std::pair(3000.0, 60.0), std::pair(4000.0, 120.0)})
    blocks.push_back(block_at(rate, value, Purpose::load_point));
  blocks[0].counts = false;
  const AtTarget answer = answer_to(blocks, plan_of_points(4));
  EXPECT_FALSE(answer.limit);
  EXPECT_EQ(answer.invalid, std::vector{Invalid::no_load_meets_target});
  EXPECT_EQ(answer.lowest_latency_rate, 2000);
  blocks[1].latency = blocks[2].latency = NanosF(3ms), blocks[3].latency = NanosF(9ms);
  EXPECT_TRUE(answer_to(blocks, plan_of_points(4)).limit) << "the first may meet it";
}

TEST(AnswerOfLoadPoints, IsALowerBoundWhereThisHostWasLateAtThePointOverTheTarget) {
  std::vector<SearchBlock> blocks{block_at(1000, 0.5, Purpose::load_point), block_at(2000, 5, Purpose::load_point)};
  EXPECT_FALSE(answer_to(blocks, plan_of_points(2)).limit);
  blocks[1].late = {true};
  const AtTarget answer = answer_to(blocks, plan_of_points(2));
  EXPECT_EQ(answer.limit, RateLimit::host);
  EXPECT_EQ(answer.ops_per_sec, 1000);
  EXPECT_EQ(answer.invalid, std::vector{Invalid::generator_limited});
  blocks[1].late = {false};
  blocks[1].counts = false;
  blocks[1].invalid = {Invalid::generator_paused};
  EXPECT_EQ(answer_to(blocks, plan_of_points(2)).limit, RateLimit::host) << "not the highest rate";
}

TEST(AnswerOfLoadPoints, IsLimitedByThisHostWhereItWasLateAtTheHighestPoint) {
  std::vector<SearchBlock> blocks{block_at(1000, 0.3, Purpose::load_point), block_at(2000, 0.5, Purpose::load_point)};
  EXPECT_EQ(answer_to(blocks, plan_of_points(2)).limit, RateLimit::highest_rate);
  blocks[1].late = {true};
  EXPECT_EQ(answer_to(blocks, plan_of_points(2)).limit, RateLimit::host) << "higher points are no remedy";
}

TEST(AnswerOfLoadPoints, IsNoLowerThanTheOneThatMetTheTargetWhereTheNextOneEndsFewerOps) {
  std::vector<SearchBlock> blocks{block_at(1000, 0.5, Purpose::load_point), block_at(2000, 25, Purpose::load_point)};
  blocks[1].reached = false;
  blocks[1].rate = 800;
  const AtTarget answer = answer_to(blocks, plan_of_points(2));
  EXPECT_EQ(answer.demonstrated.value().ops_per_sec, 1000);
  EXPECT_EQ(answer.ops_per_sec, 1000);
  EXPECT_TRUE(answer.invalid.empty());
}

TEST(AnswerOfLoadPoints, IsNotPulledByAPointFarBelowAPercentile) {
  // No op of the first point takes longer than the target. Between 1/20 and 20 the logarithm is a line.
  CurvePlan plan = plan_of_points(2);
  plan.load.statistic = LatencyStatistic::parse("p99", "response");
  EXPECT_NEAR(
      answer_to({block_at(1000, 0, Purpose::load_point), block_at(2000, 20, Purpose::load_point)}, plan).ops_per_sec,
      1500, 1)
      << "0 counts as 1/20";
}

}  // namespace
}  // namespace edagen
