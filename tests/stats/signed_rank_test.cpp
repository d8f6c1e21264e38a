#include "stats/signed_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

TEST(SignedRank, IntervalAndProbabilityAreThoseOfTheTables) {
  // Hollander, Wolfe: eight values have a two-sided interval of 95 % between the fourth lowest and highest mean.
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const SignedRank found = signed_rank(values);
  EXPECT_DOUBLE_EQ(found.center, 4.5);
  EXPECT_DOUBLE_EQ(*found.low, 2) << "1, 1.5, 2 and 2 are the lowest means";
  EXPECT_DOUBLE_EQ(*found.high, 7);
  EXPECT_NEAR(found.p, 2.0 / 256, 1e-12) << "all on one side";
}

TEST(SignedRank, FiveValuesHaveNoIntervalAndSixHaveOne) {
  EXPECT_FALSE(signed_rank(std::vector<double>{1, 2, 3, 4, 5}).low);
  EXPECT_TRUE(signed_rank(std::vector<double>{1, 2, 3, 4, 5, 6}).low);
  EXPECT_FALSE(signed_rank({}).low);
}

TEST(SignedRank, EqualValuesAtZeroShowNothing) {
  const SignedRank found = signed_rank(std::vector<double>(20, 0.0));
  EXPECT_DOUBLE_EQ(found.center, 0);
  EXPECT_DOUBLE_EQ(found.p, 1);
}

TEST(SignedRank, OneWildValueInTenMovesTheCenterLittle) {
  std::vector<double> values;
  Random random(1);
  for (int i = 0; i < 100; ++i) values.push_back(i % 10 == 0 ? 50 : 0.1 + 0.01 * (random.uniform() - 0.5));
  EXPECT_NEAR(signed_rank(values).center, 0.1, 0.005);
}

TEST(SignedRank, ABiasWidensTheIntervalAndCoversADifferenceOfItsSize) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(0.009 + 0.0001 * i / 20);
  const SignedRank found = signed_rank(values, 0.95, 0.01);
  EXPECT_LT(*found.low, 0);
  EXPECT_DOUBLE_EQ(found.p, 1);
  EXPECT_LT(signed_rank(values).p, 0.001);
}

/// How many of 1,000 intervals hold the centre of `count` values whose sizes differ by factors.
int held(std::size_t count) {
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(derive_seed(seed, count));
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
      const double size = std::exp(2 * random.uniform()) * random.exponential();
      values.push_back(1 + (random.below(2) == 0 ? size : -size));
    }
    const SignedRank found = signed_rank(values);
    held += *found.low <= 1 && 1 <= *found.high ? 1 : 0;
  }
  return held;
}

TEST(SignedRank, IntervalsHoldTheCenterOfValuesThatAreFarFromNormal) {
  for (const std::size_t count : {10u, 40u, 41u, 100u}) {
    EXPECT_GE(held(count), 930) << count;
    EXPECT_LE(held(count), 985) << count;
  }
}

TEST(SignedRank, IntervalExcludesZeroExactlyWhereTheProbabilityIsSmall) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    std::vector<double> values;
    for (int i = 0; i < 12 + static_cast<int>(seed % 60); ++i) values.push_back(random.uniform() - 0.35);
    const SignedRank found = signed_rank(values);
    EXPECT_EQ(found.p <= 0.05, *found.low > 0 || *found.high < 0) << seed;
  }
}

}  // namespace
}  // namespace edagen
