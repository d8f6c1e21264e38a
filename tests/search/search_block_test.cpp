// At which rate a load point counts for an answer.
#include <gtest/gtest.h>

#include "search/rate_search.hpp"

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

}  // namespace
}  // namespace edagen
