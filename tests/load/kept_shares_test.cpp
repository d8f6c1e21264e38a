#include "load/kept_shares.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(KeptShares, AKindThatIsAFewOpsAheadWaitsForTheOthers) {
  KeptShares shares({300, 0, 100});
  while (shares.may_begin(0)) shares.begun(0, 1);
  EXPECT_TRUE(shares.may_begin(2));
  EXPECT_LT(shares.progress(2), shares.progress(0)) << "the least goes first";
  shares.begun(2, 10);
  int more = 0;
  for (; shares.may_begin(0); ++more) shares.begun(0, 1);
  EXPECT_EQ(more, 30) << "three for each";
}

TEST(KeptShares, AKindWithoutProcsHoldsNobodyUp) {
  KeptShares shares({0, 5});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(shares.may_begin(1));
    shares.begun(1, 1);
  }
}

TEST(KeptShares, OneKindHasNoOtherToKeepItsShareAgainst) {
  EXPECT_TRUE(KeptShares::are_needed({300, 0, 100}));
  EXPECT_FALSE(KeptShares::are_needed({300, 0, 0}));
}

}  // namespace
}  // namespace edagen
