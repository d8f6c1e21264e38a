#include <gtest/gtest.h>

#include "edagen/search.hpp"
#include "fakes/station_setup.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

/// Notes the loads it is asked for.
struct Runner final : LoadRunner {
  RunStats run(const LoadPoint& load, const EventSink&) override {
    depths.push_back(load.io_depth.value_or(0));
    RunStats stats = testing::sample_point().stats;
    stats.interrupted = depths.size() == interrupt_at;
    return stats;
  }
  std::vector<unsigned> depths;
  std::size_t interrupt_at = 0;
};

LoadSeries depths(std::size_t repeats) {
  return {.load = {}, .swept = Swept::io_depth, .values = {1, 4, 16}, .repeats = repeats};
}

TEST(LoadSeries, EachParameterChangesItsOwnPartOfTheLoad) {
  LoadSeries series;
  series.load.rate = OpenLoop{100};
  series.swept = Swept::clients;
  EXPECT_EQ(series.at(3).clients, 3u);
  EXPECT_EQ(series.at(3).rate, LoadRate(OpenLoop{100}));
  series.swept = Swept::read_percent;
  EXPECT_EQ(series.at(30).read_percent, 30);
  EXPECT_FALSE(series.at(30).clients);
}

TEST(LoadSeries, RepeatsTheWholeSweepSoThatDriftIsNoEffect) {
  Runner runner;
  const Curve curve = measure(runner, depths(2), ignore_events);
  EXPECT_EQ(runner.depths, (std::vector<unsigned>{1, 4, 16, 1, 4, 16}));
  EXPECT_EQ(curve.swept, Swept::io_depth);
  EXPECT_EQ(curve.points[4].sweep_value, 4);
  EXPECT_EQ(curve.points[4].repeat, 2u);
  EXPECT_TRUE(curve.answers.empty());
}

TEST(LoadSeries, EndsWhenARunWasInterruptedAndKeepsWhatWasMeasured) {
  Runner runner;
  runner.interrupt_at = 2;
  const Curve curve = measure(runner, depths(5), ignore_events);
  EXPECT_TRUE(curve.interrupted);
  EXPECT_EQ(curve.points.size(), 2u);
}

TEST(LoadSeries, ASingleLoadIsAPointWithoutParameter) {
  Runner runner;
  const Curve curve = measure(runner, LoadSeries{}, ignore_events);
  ASSERT_EQ(curve.points.size(), 1u);
  EXPECT_EQ(curve.points[0].purpose, Purpose::load_point);
  EXPECT_EQ(curve.swept, Swept::nothing);
}

/// How many of so many load points of M/M/1 (1,000 ops/s) at this load are marked.
struct Marked {
  int unsteady = 0, either = 0;
};
Marked marked_at(double load, std::chrono::seconds duration, int seeds) {
  Marked marked;
  for (int seed = 1; seed <= seeds; ++seed) {
    testing::StationSetup setup(1, 1e6, ServiceTimes::exponential, static_cast<std::uint64_t>(seed), 10);
    LoadSeries series;
    series.load.rate = OpenLoop{1000 * load, Arrivals::poisson};
    series.load.warmup = std::chrono::seconds(5);
    series.load.duration = duration;
    const Curve curve = measure(setup.runner(), series, ignore_events);
    const std::vector<Invalid>& invalid = curve.points.at(0).invalid;
    const bool unsteady = std::ranges::count(invalid, Invalid::unsteady) > 0;
    marked.unsteady += unsteady ? 1 : 0;
    marked.either += unsteady || std::ranges::count(invalid, Invalid::window_short) > 0 ? 1 : 0;
  }
  return marked;
}

TEST(LoadSeries, AQueueThatGrowsIsUnsteady) {
  EXPECT_GE(marked_at(1.03, std::chrono::seconds(20), 40).unsteady, 37);
  EXPECT_GE(marked_at(1.02, std::chrono::seconds(60), 20).unsteady, 18);
}

TEST(LoadSeries, AtSaturationTheWindowIsUnsteadyOrShorterThanTheQueueRemembers) {
  EXPECT_GE(marked_at(1.00, std::chrono::seconds(20), 40).either, 30);
  EXPECT_GE(marked_at(1.01, std::chrono::seconds(20), 40).either, 30);
}

TEST(LoadSeries, AQueueThatIsFarFromSaturationIsSteady) {
  for (const double load : {0.3, 0.5, 0.8}) EXPECT_LE(marked_at(load, std::chrono::seconds(20), 40).either, 2) << load;
}

}  // namespace
}  // namespace edagen
