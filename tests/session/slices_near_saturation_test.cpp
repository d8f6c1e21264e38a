// Slices at rates whose queues remember for longer than a second: M/M/1 against M/D/1.
#include <gtest/gtest.h>

#include <cmath>

#include "fakes/station_slices.hpp"
#include "support/skip.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FoundBySlices;
using testing::StationSetup;

/// Both have a service of 1 ms. Mean response (Pollaczek, Khinchin): 1 / (1 - load), and (1 - load / 2) / (1 - load).
FoundBySlices compared(double load, Nanos time, std::uint64_t seed) {
  StationSetup a(1, 1e6, ServiceTimes::exponential, 2 * seed), b(1, 1e6, ServiceTimes::deterministic, 2 * seed + 1);
  return testing::by_slices({&a.runner(), &b.runner()},
                            {.ops_per_sec = 1000 * load, .warmup = 5s, .max_time = time, .seed = seed});
}
double true_ratio(double load) { return 1 - load / 2; }

struct Intervals {
  int held = 0, shown = 0, verdicts = 0, obstacles = 0;
  double held_share() const { return static_cast<double>(held) / std::max(1, shown); }
};

/// Counts comparisons of which the interval is shown as valid, and how many of these hold the truth.
Intervals intervals_at(double load, Nanos time, int seeds) {
  Intervals counted;
  for (int i = 1; i <= seeds; ++i) {
    const FoundBySlices found = compared(load, time, static_cast<std::uint64_t>(i));
    counted.obstacles += found.obstacle ? 1 : 0;
    if (!found.is_valid) continue;
    ++counted.shown;
    counted.held += found.holds(true_ratio(load)) ? 1 : 0;
    counted.verdicts += found.has_verdict() ? 1 : 0;
  }
  std::cerr << "load " << load << ", " << to_seconds(time) << " s: held " << counted.held << " of " << counted.shown
            << ", verdicts " << counted.verdicts << ", whole runs " << counted.obstacles << " of " << seeds << '\n';
  return counted;
}

TEST(SlicesNearSaturation, AnOverloadHasNoVerdict) {
  for (const double load : {1.02, 1.1}) EXPECT_EQ(intervals_at(load, 180s, 3).verdicts, 0) << load;
}

TEST(SlicesNearSaturation, AnOverloadShowsInSlicesOfAGivenLength) {
  StationSetup a(1, 1e6, ServiceTimes::exponential, 1), b(1, 1e6, ServiceTimes::deterministic, 2);
  const FoundBySlices found = testing::by_slices({&a.runner(), &b.runner()},
                                                 {.ops_per_sec = 1100, .warmup = 5s, .length = 4s, .max_time = 300s});
  EXPECT_FALSE(found.obstacle);
  EXPECT_FALSE(found.is_valid);
}

TEST(SlicesNearSaturation, AQueueThatRemembersForLongerThanPilotsIsNoLoadForSlices) {
  int obstacles = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) obstacles += compared(0.97, 105s, seed).obstacle ? 1 : 0;
  EXPECT_GE(obstacles, 1);
}

TEST(SlicesNearSaturationOverManySeeds, TheIntervalHoldsTheRatioOfTheMeans) {
  EDAGEN_SLOW_TEST();
  for (const double load : {0.5, 0.8, 0.9, 0.95})
    for (const Nanos time : {105s, 600s, 1200s})
      EXPECT_GE(intervals_at(load, time, 100).held_share(), load < 0.95 ? 0.91 : 0.84)
          << load << ' ' << to_seconds(time);
}

TEST(SlicesNearSaturationOverManySeeds, AnOverloadHasNoVerdict) {
  EDAGEN_SLOW_TEST();
  for (const double load : {1.02, 1.1})
    for (const Nanos time : {105s, 180s, 300s, 600s}) EXPECT_LE(intervals_at(load, time, 100).verdicts, 3) << load;
}

}  // namespace
}  // namespace edagen
