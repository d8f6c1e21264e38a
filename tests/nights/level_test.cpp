#include "nights/level.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

/// Of a rate, as logarithms: `own` is held against `reference`.
FigureNight night(double own, double reference) {
  FigureNight made;
  made.own.value = own;
  made.reference = LogSample{.value = reference};
  made.compared.value = own - reference;
  return made;
}

FigureNight night(double own) {
  FigureNight made;
  made.own.value = made.compared.value = own;
  return made;
}

/// Small, and different from night to night.
double noise(std::size_t at) { return 0.001 * static_cast<double>(at * 7 % 5); }

TEST(Level, ALossOfTheVolumeIsNotTheReferencesBecauseThatVariesByChance) {
  std::vector<FigureNight> nights;
  for (std::size_t i = 0; i < 28; ++i) {
    const double common = (i % 2 == 0 ? 0.06 : -0.06) + (i < 20 ? 0 : 0.035);
    nights.push_back(night(common + noise(i) - (i < 20 ? 0 : 0.05), common));
  }
  const Level level = level_of(nights, 0.025, true);
  EXPECT_EQ(level.reference_moved, 0);
  EXPECT_EQ(level.begins, 0u);
  EXPECT_EQ(level.nights.size(), 20u);
}

TEST(Level, AReferenceThatHasChangedClearlyBeginsANewLevel) {
  std::vector<FigureNight> nights;
  for (std::size_t i = 0; i < 28; ++i) nights.push_back(night(noise(i), noise(3 * i) + (i < 20 ? 0 : 0.05)));
  const Level level = level_of(nights, 0.025, true);
  EXPECT_NEAR(level.reference_moved, 0.05, 0.003);
  EXPECT_EQ(level.begins, 20u);
}

TEST(Level, TheNextBucketOfAHistogramIsNoMoveOfTheReference) {
  std::vector<FigureNight> nights;
  for (std::size_t i = 0; i < 16; ++i) nights.push_back(night(0, i < 10 ? 0 : 0.0117));
  EXPECT_EQ(level_of(nights, 0.07, false, 0.011).begins, 0u);
  EXPECT_EQ(level_of(nights, 0.07, false).begins, 10u) << "figures without buckets";
}

TEST(Level, ALossAfterAShortBeginIsTheNormUnlessItWasTold) {
  std::vector<FigureNight> nights;
  for (std::size_t i = 0; i < 20; ++i) nights.push_back(night(noise(i) + (i < 5 ? 0.08 : 0)));
  EXPECT_EQ(level_of(nights, 0.025, true).begins, 5u);
  for (std::size_t i = 5; i < 20; ++i) nights[i].was_regression = i % 5 != 0;
  const Level level = level_of(nights, 0.025, true);
  EXPECT_EQ(level.begins, 0u);
  EXPECT_EQ(level.nights.size(), 5u);
}

}  // namespace
}  // namespace edagen
