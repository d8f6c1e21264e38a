#include "search/crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

/// Blocks of M/M/1 with a capacity of 1,000 ops/s around a target of 2 ms, which it meets at 500: their values scatter
/// by `scatter`, relative.
std::vector<Observation> blocks_around(double scatter, std::uint64_t seed, int count = 40) {
  Random random(seed);
  std::vector<Observation> blocks;
  for (int i = 0; i < count; ++i) {
    const double rate = i % 2 == 0 ? 410 : 590;
    blocks.push_back({rate, 500 / (1000 - rate) * (1 + scatter * random.normal()), 1});
  }
  return blocks;
}

TEST(Crossing, OfExactValuesIsExact) {
  const auto crossing = fit_crossing(blocks_around(0, 1), Link::inverse, {410, 590}, {410, 590}, {});
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->rate, 500, 0.01);
  EXPECT_NEAR(crossing->half_width(), 0, 1e-6);
  EXPECT_NEAR(crossing->slope, -1.0 / 500, 1e-6);
}

TEST(Crossing, IsUnbiasedAndItsIntervalHoldsTheTruthAsOftenAsItSays) {
  double sum = 0;
  int covered = 0;
  constexpr int seeds = 1000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto crossing = fit_crossing(blocks_around(0.2, seed), Link::inverse, {410, 590}, {410, 590}, {});
    ASSERT_TRUE(crossing) << seed;
    sum += crossing->rate / seeds;
    covered += crossing->low <= 500 && 500 <= crossing->high ? 1 : 0;
  }
  EXPECT_NEAR(sum, 500, 1.5);  // its standard error is 0.5
  EXPECT_GE(covered, 950);
  EXPECT_LE(covered, 990);
}

TEST(Crossing, IsNotWhereALineThatIsFlatByChancePutsIt) {
  // Of M/M/1 with 50 ops/s and a target of 40 ms, from a search of which 25 ops/s are true: 15 to 25 ops/s show no
  // rise.
  const std::vector<Observation> blocks = {{12.5, 0.86, 8},   {37.5, 1.3, 2.7},  {37.5, 2.47, 2.7}, {25, 1.03, 4},
                                           {18.8, 1.4, 5.3},  {15.6, 0.58, 6.4}, {17.2, 0.66, 5.8}, {15.6, 0.7, 10},
                                           {20.6, 0.87, 9.7}, {22.8, 1.03, 4.4}, {21.7, 0.76, 4.6}, {25.1, 0.86, 8},
                                           {18.1, 0.8, 10},   {35.8, 1.64, 20},  {35.6, 1.44, 20}};
  const auto crossing = fit_crossing(blocks, Link::inverse, {21.7, 22.8}, {18.1, 35.6}, {});
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->rate, 25, 3);
  EXPECT_LT(crossing->high, 35);
}

TEST(Crossing, DeviationsThatLastLongerThanABlockWidenTheInterval) {
  std::vector<Observation> apart = blocks_around(0, 1), together = apart;
  for (std::size_t i = 0; i < apart.size(); ++i) {
    apart[i].value *= i / 2 % 2 == 0 ? 1.1 : 0.9;
    together[i].value *= i / 10 % 2 == 0 ? 1.1 : 0.9;
  }
  const auto few = fit_crossing(apart, Link::inverse, {410, 590}, {410, 590}, {});
  const auto many = fit_crossing(together, Link::inverse, {410, 590}, {410, 590}, {});
  ASSERT_TRUE(few && many);
  EXPECT_GT(many->half_width(), 1.5 * few->half_width());
}

TEST(Crossing, ARareSlowBlockCountsWithAllItIs) {
  // Every tenth block has a pause: the mean is over the target where all other blocks are below it.
  std::vector<Observation> blocks = blocks_around(0, 1);
  for (std::size_t i = 0; i < blocks.size(); i += 10) blocks[i].value += 2, blocks[i + 1].value += 2;
  const auto crossing = fit_crossing(blocks, Link::inverse, {410, 590}, {410, 590}, {});
  ASSERT_TRUE(crossing);
  // 500 / (1000 - rate) + 0.4 = 1 at 167 ops/s; a line through what was measured further up does not know that far.
  EXPECT_LT(crossing->rate, 420);
  EXPECT_LT(crossing->low, 350);
}

TEST(Crossing, BlocksFarFromTheTargetDoNotBendTheLine) {
  std::vector<Observation> blocks = blocks_around(0, 1);
  blocks.insert(blocks.begin(), {{10, 0.2, 8}, {100, 0.3, 1}, {2000, 700, 1}});  // no M/M/1 there
  const auto crossing = fit_crossing(blocks, Link::inverse, {410, 590}, {410, 590}, {});
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->rate, 500, 0.1);
}

TEST(Crossing, IsFoundAboveTheDelayThatNoLoadAddsToWhereTheCurveIsSteeperThanFromIdle) {
  // 0.8 whatever the load, and a queue that makes it 1 at 900 of 1,000 ops/s: far from a line in 1 / value.
  const auto value = [](double rate) { return 0.8 + 20 / (1000 - rate); };
  std::vector<Observation> blocks{{10, value(10), 1}, {100, value(100), 1}};
  for (int i = 0; i < 20; ++i) blocks.push_back({i % 2 == 0 ? 830.0 : 940.0, value(i % 2 == 0 ? 830 : 940), 1});
  for (int i = 0; i < 20; ++i) blocks.push_back({i % 2 == 0 ? 870.0 : 920.0, value(i % 2 == 0 ? 870 : 920), 1});
  const auto crossing = fit_crossing(blocks, Link::inverse, {870, 920}, {870, 920}, {});
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->floor, 0.8, 0.1);
  EXPECT_NEAR(crossing->rate, 900, 4);
  EXPECT_LT(crossing->half_width(), 0.01);
}

TEST(Crossing, OfALineFromIdleOrOneThatMayBeNoSteeperHasNoFloor) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Observation> blocks = blocks_around(seed == 1 ? 0 : 0.2, seed);
    blocks.push_back({10, 500 / (1000 - 10.0), 1});
    const auto crossing = fit_crossing(blocks, Link::inverse, {410, 590}, {410, 590}, {});
    ASSERT_TRUE(crossing);
    EXPECT_NEAR(crossing->floor, 0, seed == 1 ? 1e-6 : 0.2) << seed;
  }
}

TEST(Crossing, OfSharesOfOpsOverTheTargetIsFoundOnALogarithmicScale) {
  std::vector<Observation> blocks;
  for (int i = 0; i < 20; ++i) {
    const double rate = i % 2 == 0 ? 480 : 520;
    blocks.push_back({rate, std::exp((rate - 500) / 100), 1});
  }
  const auto crossing = fit_crossing(blocks, Link::log, {480, 520}, {480, 520}, {});
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->rate, 500, 0.2);
}

TEST(Crossing, IsNotToldOfBlocksWhoseLatencyDoesNotRise) {
  std::vector<Observation> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back({i % 2 == 0 ? 400.0 : 600.0, i % 2 == 0 ? 1.1 : 0.9, 1});
  EXPECT_FALSE(fit_crossing(blocks, Link::inverse, {400, 600}, {400, 600}, {}));
  EXPECT_FALSE(fit_crossing(std::vector<Observation>(3, {500, 1, 1}), Link::inverse, {400, 600}, {400, 600}, {}));
}

TEST(DistanceFromTarget, IsAboveZeroOverTheTargetByEitherLinkAndBounded) {
  const SearchPolicy policy;
  for (const Link link : {Link::inverse, Link::log}) {
    EXPECT_EQ(distance_from_target(link, 1, policy), 0);
    EXPECT_GT(distance_from_target(link, 1.5, policy), 0);
    EXPECT_LT(distance_from_target(link, 0.7, policy), 0);
    EXPECT_EQ(distance_from_target(link, 0, policy), distance_from_target(link, 0.01, policy));
  }
  EXPECT_DOUBLE_EQ(distance_from_target(Link::inverse, 2, policy), 0.5);
  EXPECT_DOUBLE_EQ(distance_from_target(Link::log, 2, policy), std::log(2));
}

}  // namespace
}  // namespace edagen
