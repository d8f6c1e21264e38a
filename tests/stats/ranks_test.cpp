#include "stats/ranks.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using Values = std::vector<double>;

TEST(Ranks, ARankIsTheNumberOfLowerValues) { EXPECT_EQ(ranks_of(Values{7, -1, 1000}), (Values{1, 0, 2})); }

TEST(Ranks, EqualValuesShareTheMeanOfTheirRanks) {
  EXPECT_EQ(ranks_of(Values{2, 1, 2, 1, 3}), (Values{2.5, 0.5, 2.5, 0.5, 4}));
}

TEST(Ranks, OfNothingThereAreNone) { EXPECT_TRUE(ranks_of({}).empty()); }

}  // namespace
}  // namespace edagen
