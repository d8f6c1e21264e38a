#include "stats/against_others.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

/// So many slices of parts, of which `mean(part)` is the mean; each value scatters as a mean of 100 exponential times.
template <class Mean>
std::vector<std::vector<double>> slices_of(std::size_t slices, std::size_t parts, std::uint64_t seed, Mean mean) {
  Random random(seed);
  std::vector<std::vector<double>> all(slices, std::vector<double>(parts));
  for (std::vector<double>& slice : all)
    for (std::size_t part = 0; part < parts; ++part) {
      double sum = 0;
      for (int i = 0; i < 100; ++i) sum += random.exponential();
      slice[part] = mean(part) * sum / 100;
    }
  return all;
}

TEST(AgainstOthers, APartThatTakesTwiceAsLongIsSureToTakeLonger) {
  const auto compared =
      against_others(slices_of(20, 4, 1, [](std::size_t part) { return part == 2 ? 2.0 : 1.0; }), 0.01);
  ASSERT_EQ(compared.size(), 4u);
  EXPECT_NEAR(compared[2]->ratio, 2, 0.1);
  EXPECT_GT(compared[2]->least, 1.6);
  for (const std::size_t part : {0u, 1u, 3u}) EXPECT_LT(compared[part]->least, 1) << part;
}

TEST(AgainstOthers, TwoSlowPartsOfFiveDoNotHideEachOther) {
  const auto compared =
      against_others(slices_of(20, 5, 1, [](std::size_t part) { return part < 2 ? 2.0 : 1.0; }), 0.01);
  EXPECT_GT(compared[0]->least, 1.5);
  EXPECT_GT(compared[1]->least, 1.5);
}

TEST(AgainstOthers, WhatDisturbsAllPartsAlikeFallsOut) {
  auto slices = slices_of(20, 3, 1, [](std::size_t part) { return part == 0 ? 1.5 : 1.0; });
  for (std::size_t i = 0; i < slices.size(); ++i)
    for (double& value : slices[i]) value *= std::exp2(static_cast<double>(i % 7));
  EXPECT_GT(against_others(slices, 0.01)[0]->least, 1.2);
}

TEST(AgainstOthers, OneStallIsNoSlowPart) {
  auto slices = slices_of(20, 3, 1, [](std::size_t) { return 1.0; });
  slices[7][1] = 100;
  EXPECT_LT(against_others(slices, 0.01)[1]->least, 1);
}

TEST(AgainstOthers, WithoutOthersOrWithFewSlicesNothingIsCompared) {
  EXPECT_TRUE(against_others({}, 0.01).empty());
  EXPECT_FALSE(against_others(slices_of(20, 1, 1, [](std::size_t) { return 1.0; }), 0.01)[0]);
  EXPECT_FALSE(against_others(slices_of(4, 3, 1, [](std::size_t) { return 1.0; }), 0.01)[0]);
  auto slices = slices_of(20, 2, 1, [](std::size_t) { return 1.0; });
  for (std::vector<double>& slice : slices) slice[1] = 0;  // without ops
  for (const auto& compared : against_others(slices, 0.01)) EXPECT_FALSE(compared);
}

TEST(AgainstOthers, OfManyEqualPartsNoneIsSureToTakeLongerInAlmostAllWindows) {
  for (const std::size_t parts : {2u, 4u, 100u}) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const auto compared = against_others(slices_of(10, parts, seed, [](std::size_t) { return 1.0; }), 0.01);
      wrong += std::ranges::any_of(compared, [](const auto& part) { return part && part->least > 1; });
    }
    EXPECT_LE(wrong, 8) << parts << ": 1 % are expected";
  }
}

TEST(AgainstOthers, DisturbancesThatLastForSecondsSeldomMakeOneOfManyEqualPartsSlow) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    std::vector<std::vector<double>> slices(30, std::vector<double>(16));
    std::vector<double> disturbance(16);
    for (double& value : disturbance) value = random.normal();
    for (std::vector<double>& slice : slices)
      for (std::size_t part = 0; part < slice.size(); ++part) {
        disturbance[part] = 0.6 * disturbance[part] + 0.8 * random.normal();
        slice[part] = std::exp(0.5 * disturbance[part]);
      }
    wrong += std::ranges::any_of(against_others(slices, 0.005), [](const auto& part) { return part->least > 1; });
  }
  EXPECT_LE(wrong, 15) << "6 are expected; 25 with a correlation of each part's own";
}

TEST(MedianOfOthers, LeavesOutOneOfThoseWithAValue) {
  const MedianOfOthers median(std::vector<double>{5, 1, 0, 3});
  EXPECT_EQ(median.without(5), 2);
  EXPECT_EQ(median.without(1), 4);
  EXPECT_EQ(MedianOfOthers(std::vector<double>{2, 2, 2}).without(2), 2);
  EXPECT_EQ(MedianOfOthers(std::vector<double>{7, 0}).without(7), 0);
}

}  // namespace
}  // namespace edagen
