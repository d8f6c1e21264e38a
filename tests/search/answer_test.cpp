#include "search/answer.hpp"

#include <gtest/gtest.h>

#include "search/rate_search.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// One of them over the target, below others that are not.
std::vector<SearchBlock> blocks_around_a_slow_one() {
  std::vector<SearchBlock> blocks;
  for (const auto& [rate, value] : {std::pair{100.0, 0.5}, {200.0, 3.0}, {300.0, 0.5}, {400.0, 0.5}}) {
    SearchBlock& block = blocks.emplace_back();
    block.rate = block.requested = rate;
    block.seconds = 2;
    block.reached = true;
    block.ops = 100;
    block.values = {value};
    block.standard_errors = {0.1};
    block.late = {false};
  }
  return blocks;
}

AtTarget answer_of(const std::vector<SearchBlock>& blocks) {
  CurvePlan plan;
  plan.targets = {2ms};
  return RateSearch(plan, 0, {1, 1e6, 0}, blocks, nullptr, [] { return 0.0; }).answer();
}

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

TEST(AnswerOfLoadPoints, ThatWereCutOffDoesNotBlameTheHighestRateThatWasAskedFor) {
  std::vector<SearchBlock> blocks = blocks_around_a_slow_one();
  blocks.erase(blocks.begin() + 1);
  CurvePlan plan;
  plan.targets = {2ms};
  EXPECT_EQ(between_points(blocks, 0, plan).limit, RateLimit::highest_rate);
  blocks.back().counts = false;
  blocks.back().invalid = {Invalid::interrupted};
  const AtTarget answer = between_points(blocks, 0, plan);
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

}  // namespace
}  // namespace edagen
