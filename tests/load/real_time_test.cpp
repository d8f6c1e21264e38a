#include "load/real_time.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(RealTimePolicy, RaisesThreadsThatMostlySleep) {
  const RealTimePolicy policy(8, 1);
  EXPECT_TRUE(policy.raises(0.6, 1));
  EXPECT_FALSE(policy.raises(0.8, 1)) << "the kernel would stop it for 50 ms in each second";
}

TEST(RealTimePolicy, LeavesHalfAProcessorToAllOthersHoweverManyThreadsShareTheRest) {
  const RealTimePolicy two(2, 1), eight(8, 1);
  EXPECT_TRUE(two.raises(0.3, 1.4));
  EXPECT_FALSE(two.raises(0.3, 1.6)) << "of five workers with a third each, say";
  EXPECT_TRUE(eight.raises(0.5, 7.4));
  EXPECT_FALSE(eight.raises(0.5, 7.6));
}

TEST(RealTimePolicy, CountsTheOtherRanksOnThisHost) {
  const RealTimePolicy three_of_two(2, 3);
  EXPECT_TRUE(three_of_two.raises(0.1, 0.4));
  EXPECT_FALSE(three_of_two.raises(0.1, 0.6)) << "three of these would leave a fifth of a processor";
}

}  // namespace
}  // namespace edagen
