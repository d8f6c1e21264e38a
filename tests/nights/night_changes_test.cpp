#include "nights/night_changes.hpp"

#include <gtest/gtest.h>

#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

/// Nights that vary with their reference by 10 %.
std::vector<Night> nights_with_a_reference(std::size_t count) {
  Random random(1);
  std::vector<Night> nights;
  for (std::size_t i = 0; i < count; ++i) {
    const double common = 0.1 * random.normal();
    nights.push_back(sample_night(i, {sample_rate(1000 * std::exp(common + 0.003 * random.normal()))}));
    NightMeasurement& measurement = nights.back().measurements[0];
    measurement.runs.push_back(measurement.runs[0]);
    measurement.runs[1].reference = true;
    measurement.runs[1].figures[0].value = 2000 * std::exp(common + 0.003 * random.normal());
  }
  return nights;
}

TEST(NightChanges, ANightWithoutAReferenceDoesNotTakeItFromTheOthers) {
  auto nights = nights_with_a_reference(30);
  for (std::size_t i = 20; i < 30; ++i) *nights[i].measurements[0].runs[0].figures[0].value *= 0.95;
  nights[7].measurements[0].runs.pop_back();
  const auto series = series_of(nights);
  ASSERT_EQ(series.size(), 1u);
  EXPECT_TRUE(series[0].against_reference);
  EXPECT_EQ(series[0].samples.size(), 30u);
  const auto changes = changes_of(nights, series);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].night, 20u);
  EXPECT_TRUE(changes[0].against_reference);
  EXPECT_NEAR(changes[0].change, -0.05, 0.01);
}

TEST(NightChanges, AFewNightsWithAReferenceDoNotMakeTheOthersBePassedOver) {
  auto nights = nights_with_a_reference(30);
  for (std::size_t i = 0; i < 20; ++i) nights[i].measurements[0].runs.pop_back();
  for (std::size_t i = 10; i < 30; ++i) *nights[i].measurements[0].runs[0].figures[0].value *= 2;
  const auto changes = changes_of(nights, series_of(nights));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].night, 10u);
  EXPECT_FALSE(changes[0].against_reference);
}

TEST(NightChanges, TheNextBucketOfTheHistogramInAFewNightsIsNoChangeOfAP99) {
  const auto changes = [](FigureKind kind, double later) {
    std::vector<Night> nights;
    for (std::size_t i = 0; i < 14; ++i)
      nights.push_back(sample_night(i, {{"p99 ms", kind, i < 10 ? 11.20666 : later, 0}}));
    return changes_of(nights, series_of(nights)).size();
  };
  EXPECT_EQ(changes(FigureKind::tail, 11.33773), 0u);
  EXPECT_EQ(changes(FigureKind::latency, 11.33773), 1u) << "means have no buckets";
  EXPECT_EQ(changes(FigureKind::tail, 11.8), 1u);
}

TEST(NightChanges, InvalidNightsOfTheLevelsBesideAChangeAreCounted) {
  std::vector<Night> nights;
  for (std::size_t i = 0; i < 30; ++i)
    nights.push_back(sample_night(i, {sample_rate((i < 20 ? 1000 : 900) + (i % 2 == 0 ? 0.0 : 1.0))}));
  for (const std::size_t night : {3u, 25u, 26u}) nights[night].measurements[0].runs[0].invalid = {Invalid::unsteady};
  const auto changes = changes_of(nights, series_of(nights));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].nights, 30u);
  EXPECT_EQ(changes[0].invalid_nights, 3u);
}

TEST(NightChanges, AFigureThatNoNightHasAValueOfIsNoSeries) {
  auto nights = sample_history(3);
  for (Night& night : nights) night.measurements[0].runs[0].figures[0].value.reset();
  EXPECT_TRUE(series_of(nights).empty());
}

}  // namespace
}  // namespace edagen::testing
