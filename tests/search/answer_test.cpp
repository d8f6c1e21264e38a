#include "search/answer.hpp"

#include <gtest/gtest.h>

#include "search/rate_search.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(AnswerOfASearch, ThatIsALowerBoundHasNoBlockOverTheTargetBelowIt) {
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
  CurvePlan plan;
  plan.targets = {2ms};
  const RateSearch search(plan, 0, {1, 1e6, 0}, blocks, nullptr, [] { return 0.0; });
  const AtTarget answer = search.answer();
  EXPECT_EQ(answer.limit, RateLimit::search_time);
  EXPECT_EQ(answer.ops_per_sec, 100);
}

}  // namespace
}  // namespace edagen
