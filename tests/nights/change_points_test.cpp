#include "nights/change_points.hpp"

#include <gtest/gtest.h>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

std::vector<double> nights(Random& random, std::vector<std::pair<std::size_t, double>> levels, double variation) {
  std::vector<double> values;
  for (const auto& [count, level] : levels)
    for (std::size_t i = 0; i < count; ++i) values.push_back(level + variation * random.normal());
  return values;
}

TEST(ChangePoints, AreTheFirstNightsOfNewLevels) {
  Random random(1);
  const auto changes = change_points_of(nights(random, {{15, 0}, {15, -0.05}, {10, 0.02}}, 0.004));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].begins, 15u);
  EXPECT_EQ(changes[1].begins, 30u);
  EXPECT_NEAR(changes[0].before, 0, 0.004);
  EXPECT_NEAR(changes[0].after, -0.05, 0.004);
  EXPECT_LT(changes[0].p, 1e-6);
}

TEST(ChangePoints, OfALargeChangeInManyNightsIsWhereItIsAndNotWhereItsProbabilityFirstIsZero) {
  Random random(5);
  const auto changes = change_points_of(nights(random, {{600, 0}, {400, -0.5}}, 0.01));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].begins, 600u);
}

TEST(ChangePoints, AreTheSameEachTime) {
  Random random(2);
  const auto values = nights(random, {{20, 0}, {20, 0.01}}, 0.01);
  const auto once = change_points_of(values), again = change_points_of(values);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].begins, again[i].begins);
}

TEST(ChangePoints, FewEqualOrSingleOddValuesHaveNone) {
  EXPECT_TRUE(change_points_of(std::vector<double>{}).empty());
  EXPECT_TRUE(change_points_of(std::vector<double>{1, 1, 1, 2, 2}).empty());
  EXPECT_TRUE(change_points_of(std::vector<double>(50, 3.0)).empty());
  Random random(3);
  auto values = nights(random, {{40, 0}}, 0.01);
  values[20] = -0.5;
  EXPECT_TRUE(change_points_of(values).empty());
}

TEST(ChangePoints, StationaryHistoriesHaveOneNoMoreOftenThanIsSaid) {
  Random random(4);
  int with = 0;
  for (int i = 0; i < 1000; ++i) with += change_points_of(nights(random, {{40, 0}}, 0.02)).empty() ? 0 : 1;
  EXPECT_LE(with, 20);
}

}  // namespace
}  // namespace edagen
