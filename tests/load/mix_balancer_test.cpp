#include "load/mix_balancer.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(MixBalancer, AKindThatIsAFewOpsAheadWaitsForTheOthers) {
  MixBalancer shares({300, 0, 100});
  while (shares.may_begin(0)) shares.op_started(0, 1);
  EXPECT_TRUE(shares.may_begin(2));
  EXPECT_LT(shares.progress(2), shares.progress(0)) << "the least goes first";
  shares.op_started(2, 10);
  int more = 0;
  for (; shares.may_begin(0); ++more) shares.op_started(0, 1);
  EXPECT_EQ(more, 30) << "three for each";
}

TEST(MixBalancer, AKindWithoutProcsHoldsNobodyUp) {
  MixBalancer shares({0, 5});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(shares.may_begin(1));
    shares.op_started(1, 1);
  }
}

TEST(MixBalancer, OneKindHasNoOtherToKeepItsShareAgainst) {
  EXPECT_TRUE(MixBalancer::are_needed({300, 0, 100}));
  EXPECT_FALSE(MixBalancer::are_needed({300, 0, 0}));
}

}  // namespace
}  // namespace edagen
