// Slices and whole runs on stations whose truth is known, with disturbances that both variants have, or each its own.
#include <gtest/gtest.h>

#include <cmath>

#include "compare/comparison.hpp"
#include "fakes/station_slices.hpp"
#include "fakes/troubled_station.hpp"
#include "stats/summary.hpp"
#include "support/skip.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FoundBySlices;
using testing::StationSetup;

constexpr double ops_per_sec = 500;

/// Two stations that are hardly busy, so that a service that takes longer by a factor makes the response longer by it.
struct TwoStations {
  TwoStations(double factor, std::uint64_t seed, bool is_common)
      : a(16, 2e6, ServiceTimes::exponential, 2 * seed, 1, testing::with_disturbance(seed), clock),
        b(16, 2e6 * factor, ServiceTimes::exponential, 2 * seed + 1, 1,
          testing::with_disturbance(is_common ? seed : seed + 1'000'000), clock) {}

  std::shared_ptr<double> clock = std::make_shared<double>(0);
  StationSetup a, b;

  FoundBySlices by_slices(const SlicePlan& plan) { return testing::by_slices({&a.runner(), &b.runner()}, plan); }

  /// A minute of one of them, of which 5 s are warm-up.
  RunStats whole_run(std::size_t variant) {
    LoadPoint load;
    load.rate = OpenLoop{ops_per_sec, Arrivals::poisson};
    load.warmup = 5s;
    load.duration = load.interval = 55s;
    load.settle = false;
    return (variant == 0 ? a : b).runner().run(load, ignore_events);
  }
};

/// In the order of a comparison.
Difference by_whole_runs(TwoStations& stations, Nanos time) {
  std::vector<double> responses[2];
  const auto repeats = static_cast<std::size_t>(time / 120s);
  for (const std::size_t variant : interleaved(2, repeats))
    responses[variant].push_back(stations.whole_run(variant).ops.response().mean());
  return difference_of(responses[0], responses[1]);
}

bool holds(const Difference& difference, double truth) { return difference.low <= truth && truth <= difference.high; }
double log_width(const Difference& difference) { return std::log(difference.high / difference.low); }

SlicePlan plan_of(std::uint64_t seed, std::optional<Nanos> length = {}, std::optional<double> until = {}) {
  return {.variants = 2,
          .ops_per_sec = ops_per_sec,
          .warmup = 5s,
          .length = length,
          .until = until,
          .max_time = 600s,
          .seed = seed};
}

struct Tally {
  int held = 0, verdicts = 0, held_by_runs = 0, of = 0;
  std::vector<double> widths = {}, run_widths = {}, seconds = {};

  double gain() const { return std::exp(mean_of(run_widths) - mean_of(widths)); }
};

/// Comparisons of stations of which the second takes `factor` times as long.
Tally tally(int seeds, double factor, bool is_common, bool with_runs, std::optional<Nanos> length = {},
            std::optional<double> until = {}) {
  Tally tally{.of = seeds};
  for (int i = 1; i <= seeds; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    TwoStations stations(factor, seed, is_common);
    const FoundBySlices found = stations.by_slices(plan_of(seed, length, until));
    EXPECT_FALSE(found.obstacle);
    tally.held += found.holds(factor) ? 1 : 0;
    tally.verdicts += found.has_verdict() ? 1 : 0;
    tally.widths.push_back(std::log(log_width(found.difference)));
    tally.seconds.push_back(found.seconds);
    if (!with_runs) continue;
    TwoStations again(factor, seed, is_common);
    const Difference runs = by_whole_runs(again, 600s);
    tally.held_by_runs += holds(runs, factor) ? 1 : 0;
    tally.run_widths.push_back(std::log(log_width(runs)));
  }
  std::cerr << "held " << tally.held << ", by runs " << tally.held_by_runs << ", verdicts " << tally.verdicts << " of "
            << seeds << ", width " << std::exp(mean_of(tally.widths)) << ", gain " << (with_runs ? tally.gain() : 0)
            << ", mean time " << mean_of(tally.seconds) << " s\n";
  return tally;
}

TEST(SlicesOnStations, OfACommonDisturbanceTheIntervalIsManyTimesNarrowerThanByWholeRunsAndHoldsTheTruth) {
  const Tally found = tally(6, 1.02, true, true);
  EXPECT_GE(found.gain(), 3);
  EXPECT_GE(found.held, 4);
}

TEST(SlicesOnStations, AnAgainstASeldomGetsAVerdict) { EXPECT_LE(tally(8, 1, true, false, 2s).verdicts, 2); }

TEST(SlicesOnStationsOverManySeeds, OfACommonDisturbance) {
  EDAGEN_SLOW_TEST();
  const Tally found = tally(200, 1.02, true, true);
  EXPECT_GE(found.gain(), 3);
  EXPECT_GE(found.held, 186);
  EXPECT_LE(found.held, 198);
}

TEST(SlicesOnStationsOverManySeeds, AnAgainstAHasAVerdictInAtMostFiveOfAHundred) {
  EDAGEN_SLOW_TEST();
  EXPECT_LE(tally(400, 1, true, false).verdicts, 20);
}

TEST(SlicesOnStationsOverManySeeds, OfIndependentDisturbancesSlicesAreNoWorseThanWholeRuns) {
  EDAGEN_SLOW_TEST();
  const Tally found = tally(200, 1, false, true);
  EXPECT_GE(found.gain(), 1);
  EXPECT_GE(found.held, std::min(found.held_by_runs, 186));
}

TEST(SlicesOnStationsOverManySeeds, AnEndAtAPrecisionKeepsTheCoverage) {
  EDAGEN_SLOW_TEST();
  for (const double until : {0.02, 0.01}) {
    const Tally found = tally(200, 1.02, true, false, {}, until);
    EXPECT_GE(found.held, 186) << until;
  }
}

/// 75,000 ops of each station have no more to tell.
TEST(SlicesOnStationsOverManySeeds, TwoPercentAreFoundInFiveMinutesMoreOftenThanNot) {
  EDAGEN_SLOW_TEST();
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    TwoStations stations(1.02, seed, true);
    SlicePlan plan = plan_of(seed);
    plan.max_time = 300s;
    found += stations.by_slices(plan).has_verdict() ? 1 : 0;
  }
  std::cerr << "found " << found << " of 100\n";
  EXPECT_GE(found, 50);
}

}  // namespace
}  // namespace edagen
