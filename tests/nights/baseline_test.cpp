#include "nights/baseline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

std::vector<LogSample> nights(Random& random, std::size_t count, double between, double within, double slope = 0) {
  std::vector<LogSample> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({slope * static_cast<double>(i) + between * random.normal() + within * random.normal(), within});
  return all;
}

TEST(LogBaseline, VariationBetweenNightsIsWhatTheStatedErrorsDoNotExplain) {
  Random random(1);
  const LogBaseline baseline = baseline_of(nights(random, 2000, 0.03, 0.02));
  EXPECT_NEAR(std::sqrt(baseline.between()), 0.03, 0.002);
  EXPECT_NEAR(std::sqrt(baseline.within), 0.02, 0.001);
  EXPECT_NEAR(std::sqrt(baseline_of(nights(random, 2000, 0, 0.02)).between()), 0, 0.006);
}

TEST(LogBaseline, ABadNightInTheHistoryIsLeftOutSoThatTheGateStaysOn) {
  Random random(2);
  auto history = nights(random, 20, 0.01, 0);
  const double without = change_from(baseline_of(history), {}).visible(0.01);
  history[7].value = std::log(0.7);
  const LogBaseline baseline = baseline_of(history);
  EXPECT_EQ(baseline.outliers, 1u);
  EXPECT_LT(change_from(baseline, {}).visible(0.01), 1.2 * without);
}

TEST(LogBaseline, ADriftIsTakenToGoOn) {
  Random random(3);
  const LogBaseline baseline = baseline_of(nights(random, 30, 0.005, 0, -0.002));
  EXPECT_NEAR(baseline.slope, -0.002, 0.0005);
  EXPECT_NEAR(baseline.expected, -0.06, 0.01);
  EXPECT_EQ(baseline_of(nights(random, 14, 0, 0.0001, -0.002)).slope, 0) << "too few nights to say so";
}

TEST(LogBaseline, ErrorsOfARunAreTheMedianOfWhatIsStatedOrHowRunsScatterWhereThatIsLess) {
  std::vector<LogSample> history(9, LogSample{.value = 1, .stated = 0.0004});
  LogSample tonight{.value = 1, .runs = 4, .stated = 0.0001};
  history[3].stated = 9;
  tonight.squares = 3 * 0.0009;
  pool_errors(history, tonight);
  EXPECT_NEAR(history[3].error, 0.02, 1e-12);
  EXPECT_NEAR(tonight.error, 0.01, 1e-12) << "four runs, and no more exact than others";
  EXPECT_EQ(tonight.degrees_of_freedom, 0);
  tonight.squares = 3 * 0.0001;
  pool_errors(history, tonight);
  EXPECT_NEAR(history[0].error, 0.01, 1e-12);
  EXPECT_NEAR(tonight.error, 0.005, 1e-12);
  EXPECT_EQ(history[0].degrees_of_freedom, 3);
  history[0].stated = 0;
  tonight.stated = 0.0016;
  pool_errors(history, tonight);
  EXPECT_EQ(history[0].error, history[1].error) << "one that states none has that of the others";
  EXPECT_NEAR(tonight.error, 0.01, 1e-12) << "one that states more is less sure";
}

TEST(LogChange, AnIntervalHoldsAQuietNightAsOftenAsIsSaid) {
  Random random(4);
  int outside = 0;
  for (int i = 0; i < 4000; ++i) {
    const LogBaseline baseline = baseline_of(nights(random, 10, 0.02, 0.01));
    const LogChange change = change_from(baseline, {0.02 * random.normal() + 0.01 * random.normal(), 0.01});
    EXPECT_NEAR(change.p_above() + change.p_below(), 1, 1e-9);
    if (std::abs(change.change) > change.half_width(0.05)) ++outside;
  }
  EXPECT_NEAR(outside, 400, 80);
}

/// How often a night without a change has a p of `p` or less, over p: exactly for each history, so that few of these
/// say much.
double alarms_over_stated(std::size_t count, double p) {
  Random random(8);
  const int histories = 2000;
  double alarms = 0;
  for (int i = 0; i < histories; ++i) {
    const LogBaseline baseline = baseline_of(nights(random, count, 1, 0));
    const double worst = std::min(baseline.expected, baseline.without_slope) - change_from(baseline, {}).half_width(p);
    EXPECT_NEAR(change_from(baseline, {worst}).p_below(), p, 1e-6);
    alarms += std::erfc(-worst / std::sqrt(2)) / 2 / histories;
  }
  return alarms / p;
}

TEST(LogChange, NightsThatAreTakenForOutliersOrForADriftByChanceMakeNoMoreAlarmsThanIsSaid) {
  EXPECT_NEAR(alarms_over_stated(10, 0.001), 1, 0.3);   // 1.6 when outliers were sought at 1 %
  EXPECT_NEAR(alarms_over_stated(15, 0.01), 1, 0.1);    // 1.3 when a slope that shows at 5 % was taken for sure
  EXPECT_NEAR(alarms_over_stated(30, 0.001), 1, 0.15);  // 1.25, for both
}

TEST(LogChange, WhatIsVisibleIsFoundInNinetyOfAHundredNights) {
  Random random(5);
  int found = 0;
  for (int i = 0; i < 4000; ++i) {
    const LogBaseline baseline = baseline_of(nights(random, 8, 0.02, 0));
    const double loss = change_from(baseline, {}).visible(0.01);
    if (change_from(baseline, {0.02 * random.normal() - loss, 0}).p_below() <= 0.01) ++found;
  }
  EXPECT_NEAR(found, 3600, 80);
}

TEST(LogChange, MoreRunsOfANightHelpAgainstVariationWithinItAlone) {
  Random random(6);
  const LogBaseline within = baseline_of(nights(random, 30, 0.002, 0.03));
  EXPECT_LT(change_from(within, {0, 0.01}).half_width(0.01), 0.7 * change_from(within, {0, 0.03}).half_width(0.01));
  const LogBaseline between = baseline_of(nights(random, 30, 0.03, 0.002));
  EXPECT_GT(change_from(between, {0, 0.001}).half_width(0.01),
            0.95 * change_from(between, {0, 0.002}).half_width(0.01));
}

TEST(LogChange, StatedErrorsThatAreTooLargeDoNotTurnTheGateOff) {
  Random random(7);
  auto history = nights(random, 20, 0.01, 0);
  for (LogSample& night : history) night.error = 0.1;
  EXPECT_LT(change_from(baseline_of(history), {0, 0.1}).half_width(0.01), 0.05);
}

TEST(LogChange, TheNextValueThatAFigureCanHaveIsNoChangeAndFurtherOnesAre) {
  const double resolution = 0.006;
  for (const double within : {0.0, 0.02}) {
    const std::vector<LogSample> equal(10, LogSample{1, within});
    const LogBaseline baseline = baseline_of(equal, resolution);
    // Also of several runs of tonight, which all have the next value.
    for (const LogSample& next : {LogSample{1 + 2 * resolution, within}, LogSample{1 + 2 * resolution, within / 2}})
      EXPECT_GT(change_from(baseline, next).p_above(), 0.03) << within;
    EXPECT_LT(change_from(baseline, {1 + 10 * resolution, within}).p_above(), 1e-4) << within;
  }
}

TEST(LogChange, EqualNightsAreNotTakenForExactOnes) {
  const std::vector<LogSample> equal(10, LogSample{1, 0});
  EXPECT_GT(change_from(baseline_of(equal), {1.0001, 0}).p_above(), 0.05);
  EXPECT_LT(change_from(baseline_of(equal), {1.05, 0}).p_above(), 1e-6);
}

}  // namespace
}  // namespace edagen
