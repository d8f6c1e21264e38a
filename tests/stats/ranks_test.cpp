#include "stats/ranks.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using Values = std::vector<double>;

TEST(Ranks, ARankIsTheNumberOfLowerValues) { EXPECT_EQ(ranks_of(Values{7, -1, 1000}), (Values{1, 0, 2})); }

TEST(Ranks, OfEqualValuesTheFirstHasTheLowerRank) { EXPECT_EQ(ranks_of(Values{2, 1, 2, 1}), (Values{2, 0, 3, 1})); }

TEST(Ranks, OfNothingThereAreNone) { EXPECT_TRUE(ranks_of({}).empty()); }

}  // namespace
}  // namespace edagen
