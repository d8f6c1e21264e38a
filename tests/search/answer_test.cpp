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

}  // namespace
}  // namespace edagen
