#include <gtest/gtest.h>

#include "edagen/search.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

/// Notes the loads it is asked for.
struct Runner final : LoadRunner {
  RunStats run(const LoadPoint& load, RunObserver&) override {
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
  CurveObserver quiet;
  const Curve curve = measure(runner, depths(2), quiet);
  EXPECT_EQ(runner.depths, (std::vector<unsigned>{1, 4, 16, 1, 4, 16}));
  EXPECT_EQ(curve.swept, Swept::io_depth);
  EXPECT_EQ(curve.points[4].sweep_value, 4);
  EXPECT_EQ(curve.points[4].repeat, 2u);
  EXPECT_TRUE(curve.answers.empty());
}

TEST(LoadSeries, EndsWhenARunWasInterruptedAndKeepsWhatWasMeasured) {
  Runner runner;
  runner.interrupt_at = 2;
  CurveObserver quiet;
  const Curve curve = measure(runner, depths(5), quiet);
  EXPECT_TRUE(curve.interrupted);
  EXPECT_EQ(curve.points.size(), 2u);
}

TEST(LoadSeries, ASingleLoadIsAPointWithoutParameter) {
  Runner runner;
  CurveObserver quiet;
  const Curve curve = measure(runner, LoadSeries{}, quiet);
  ASSERT_EQ(curve.points.size(), 1u);
  EXPECT_EQ(curve.points[0].purpose, Purpose::load_point);
  EXPECT_EQ(curve.swept, Swept::nothing);
}

}  // namespace
}  // namespace edagen
