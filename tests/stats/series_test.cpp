#include "stats/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "edagen/parts/random.hpp"
#include "stats/distribution.hpp"

namespace edagen {
namespace {

std::vector<double> noise(std::size_t count, double slope, std::uint64_t seed, double correlation = 0,
                          double width = 1) {
  Random random(seed);
  std::vector<double> values;
  double state = 0;
  for (std::size_t i = 0; i < count; ++i) {
    state = correlation * state + width * (random.uniform() - 0.5);
    values.push_back(10 + state + slope * static_cast<double>(i));
  }
  return values;
}

TEST(Series, ALevelSeriesDoesNotTrendAndARisingOneDoes) {
  int false_alarms = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) false_alarms += trends(noise(20, 0, seed)) ? 1 : 0;
  EXPECT_LE(false_alarms, 3);
  EXPECT_TRUE(trends(noise(20, 0.2, 1)));
  EXPECT_TRUE(trends(noise(20, -0.2, 1)));
  EXPECT_FALSE(trends(noise(20, 0.01, 1)));  // real, but too small to matter
  EXPECT_FALSE(trends(std::vector<double>{1, 2, 3}));
}

TEST(Series, FiveValuesShowATrendAndFourDoNot) {
  EXPECT_TRUE(trends(noise(5, 2, 1))) << "as many intervals as a warm-up of the default length has";
  EXPECT_FALSE(trends(noise(4, 2, 1)));
  int false_alarms = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) false_alarms += trends(noise(5, 0, seed, 0, 5)) ? 1 : 0;
  EXPECT_LE(false_alarms, 8) << "of a level series whose values lie up to a quarter from their mean";
}

TEST(Series, BatchMeansCoverTheTruthAlsoWhenNeighboursAreCorrelated) {
  for (const double correlation : {0.0, 0.6}) {
    int covered = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const MeanEstimate estimate = mean_of_series(noise(160, 0, seed, correlation));
      const double half = student_quantile(0.95, estimate.degrees_of_freedom) * estimate.standard_error;
      covered += std::abs(estimate.mean - 10) <= half ? 1 : 0;
    }
    EXPECT_GT(covered, 400 * 0.86) << correlation;
  }
}

TEST(Series, ASeriesThatWandersForLongerThanItLastsIsShort) {
  int wandering = 0, independent = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<double> walk = noise(20, 0, seed);
    independent += mean_of_series(walk).is_short ? 1 : 0;
    for (std::size_t i = 1; i < walk.size(); ++i) walk[i] += walk[i - 1] - 10;
    for (double& value : walk) value = 10 + 3 * (value - 10);
    wandering += mean_of_series(walk).is_short ? 1 : 0;
  }
  EXPECT_EQ(independent, 0);
  EXPECT_GT(wandering, 40);
}

TEST(Series, OneSlowIntervalDoesNotMakeASeriesShort) {
  std::vector<double> values = noise(20, 0, 1);
  values[7] = 200;
  EXPECT_FALSE(mean_of_series(values).is_short);
}

TEST(Series, TheErrorOfAShortCorrelatedSeriesIsNotThatOfIndependentValues) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const MeanEstimate estimate = mean_of_series(noise(20, 0, seed, 0.7));
    covered += std::abs(estimate.mean - 10) <= 2.09 * estimate.standard_error ? 1 : 0;
  }
  EXPECT_GT(covered, 400 * 0.84);
}

}  // namespace
}  // namespace edagen
