#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "edagen/search.hpp"
#include "fakes/disturbed_volume.hpp"
#include "fakes/station_setup.hpp"
#include "search/full_runs.hpp"
#include "support/skip.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::StationSetup;

/// Times are virtual: 2,000 s take a fraction of a second.
CurvePlan plan(std::vector<Nanos> targets) {
  CurvePlan made;
  made.load.arrivals = Arrivals::poisson;
  made.load.duration = 2000s;
  made.load.warmup = 200s;
  made.load.interval = 1000s;
  made.targets = std::move(targets);
  made.own_rate = 100;
  return made;
}

double erlang_c(int servers, double offered) {
  double term = 1, sum = 1;
  for (int k = 1; k < servers; ++k) sum += term *= offered / k;
  const double last = term * offered / servers * servers / (servers - offered);
  return last / (sum + last);
}

/// The rate at which the mean response of the station is `target_ms`, with service of 1 ms.
double true_rate(int servers, ServiceTimes times, double target_ms) {
  double low = 0, high = servers;
  for (int i = 0; i < 200; ++i) {
    const double load = (low + high) / 2;  // in ops per ms
    const double response = times == ServiceTimes::deterministic ? 1 + load / (2 * (1 - load))
                                                                 : 1 + erlang_c(servers, load) / (servers - load);
    (response < target_ms ? low : high) = load;
  }
  return 1000 * low;
}

struct Station {
  const char* name;
  int servers;
  ServiceTimes times;
  double target_ms;
};

/// Relative error of the found rate; counts whether the interval holds the truth.
double search_error(const Station& station, std::uint64_t seed, int& covered, Nanos* measured = nullptr) {
  StationSetup setup(station.servers, 1e6, station.times, seed);
  CurveObserver quiet;
  CurvePlan made = plan({from_seconds(station.target_ms / 1e3)});
  made.load.duration /= station.servers;  // as many ops for each
  made.load.warmup /= station.servers;
  const Curve curve = measure(setup.runner(), made, quiet);
  const double truth = true_rate(station.servers, station.times, station.target_ms);
  const AtTarget& answer = curve.answers.at(0);
  covered += answer.low <= truth && truth <= answer.high ? 1 : 0;
  if (measured)
    for (const CurvePoint& point : curve.points) *measured += point.stats.length * station.servers;
  return std::abs(answer.ops_per_sec / truth - 1);
}

const Station stations[] = {
    {"mm1_2ms", 1, ServiceTimes::exponential, 2},   {"mm1_5ms", 1, ServiceTimes::exponential, 5},
    {"mm1_10ms", 1, ServiceTimes::exponential, 10}, {"mm4_2ms", 4, ServiceTimes::exponential, 2},
    {"mm8_3ms", 8, ServiceTimes::exponential, 3},   {"md1_2ms", 1, ServiceTimes::deterministic, 2},
    {"md1_5ms", 1, ServiceTimes::deterministic, 5}};

class SearchOn : public ::testing::TestWithParam<Station> {};

TEST_P(SearchOn, FindsTheRateOfTheoryWithinOnePercentInAQuarterOfTheTime) {
  int covered = 0;
  Nanos measured{0};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int seeds = 1;
#else
  constexpr int seeds = 4;
#endif
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    EXPECT_LT(search_error(GetParam(), seed, covered, &measured), 0.01) << seed;
  EXPECT_GE(covered, seeds / 2);
  EXPECT_LT(measured / seeds, 2000s * 10 / 4);  // of a 10-point curve with points as long
}

TEST_P(SearchOn, CoversTheTruthWithItsIntervalInNineOfTenRuns) {
  EDAGEN_SLOW_TEST();
  int covered = 0, within = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) within += search_error(GetParam(), seed, covered) < 0.01 ? 1 : 0;
  EXPECT_GE(covered, 90);
  EXPECT_GE(within, 98);
  std::printf("%s: interval covers the truth in %d of 100, error below 1 %% in %d\n", GetParam().name, covered, within);
}

INSTANTIATE_TEST_SUITE_P(Stations, SearchOn, ::testing::ValuesIn(stations),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(LoadCurve, FixedPointsAreEquallySpacedAndAnswerToo) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({3ms});
  made.points = 10;
  made.max_rate = 900;
  CurveObserver quiet;
  const Curve curve = measure(setup.runner(), made, quiet);
  ASSERT_EQ(curve.points.size(), 10u);
  EXPECT_EQ(curve.points[4].stats.requested_ops_per_sec, 450);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 1000 - 1000.0 / 3, 15);
}

TEST(LoadCurve, SeveralTargetsShareTheirPoints) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurveObserver quiet;
  const Curve curve = measure(setup.runner(), plan({2ms, 5ms}), quiet);
  ASSERT_EQ(curve.answers.size(), 2u);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 500, 8);
  EXPECT_NEAR(curve.answers[1].ops_per_sec, 800, 8);
}

TEST(LoadCurve, PercentilesCanBeTheTarget) {
  // The response of M/M/1 is exponential: p99 = ln(100) / (mu - lambda).
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({from_seconds(std::log(100) * 0.002)});
  made.load.statistic = LatencyStatistic::parse("p99", "response");
  CurveObserver quiet;
  EXPECT_NEAR(measure(setup.runner(), made, quiet).answers[0].ops_per_sec, 500, 15);
}

TEST(LoadCurve, ATargetBelowTheServiceTimeIsNotMet) {
  StationSetup setup(1, 1e6, ServiceTimes::deterministic, 1);
  CurveObserver quiet;
  EXPECT_FALSE(measure(setup.runner(), plan({500us}), quiet).answers[0].met);
}

TEST(LoadCurve, ATargetAboveTheHighestRateAllowedIsALowerBound) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({5ms});
  made.max_rate = 300;
  CurveObserver quiet;
  const Curve curve = measure(setup.runner(), made, quiet);
  EXPECT_FALSE(curve.answers[0].bounded);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 300, 5);
}

/// Makes some probes ten times as slow and more, as a burst from elsewhere does.
class SlowProbes final : public LoadRunner {
 public:
  /// `which`: told of the load and of how many probes there were with this one.
  SlowProbes(LoadRunner& real, std::function<bool(const LoadPoint&, int)> which)
      : real_(real), which_(std::move(which)) {}
  RunStats run(const LoadPoint& load, RunObserver& observer) override {
    RunStats stats = real_.run(load, observer);
    if (!which_(load, ++runs_)) return stats;
    OpStats slow;
    for (std::uint64_t i = 0; i < stats.ops.operations(); ++i) slow.record(OpKind::stat, {50ms, 50ms, 0ms}, {});
    stats.ops = slow;
    for (Interval& interval : stats.intervals) interval.statistic = 50ms;
    return stats;
  }

 private:
  LoadRunner& real_;
  std::function<bool(const LoadPoint&, int)> which_;
  int runs_ = 0;
};

double rate_found_despite(int first, int count) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3);
  SlowProbes noisy(setup.runner(), [&](const LoadPoint&, int run) { return run >= first && run < first + count; });
  CurveObserver quiet;
  return measure(noisy, plan({5ms}), quiet).answers[0].ops_per_sec;
}

/// Which of the probes are tried where each takes long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int step = 4;
#else
constexpr int step = 1;
#endif

TEST(LoadCurve, OneNoisyProbeDoesNotMisplaceTheAnswer) {
  for (int which = 1; which <= 12; which += step)
    EXPECT_NEAR(rate_found_despite(which, 1), 800, 16) << "probe " << which;
}

TEST(LoadCurve, ABurstThatLastsForTwoProbesDoesNotEndTheSearch) {
  // Such as the writing back of what came before: both probes that set the upper end say the same, and are wrong.
  for (int first = 2; first <= 6; first += step)
    EXPECT_NEAR(rate_found_despite(first, 2), 800, 16) << "probes from " << first;
}

TEST(LoadCurve, WhatOnlyFullRunsSeeCounts) {
  // A volume whose caches or credits last for a short probe, but not beyond 600 ops/s for a full run.
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3);
  SlowProbes volume(setup.runner(),
                    [](const LoadPoint& load, int) { return load.duration >= 1000s && load.ops_per_sec > 600; });
  CurveObserver quiet;
  const AtTarget answer = measure(volume, plan({5ms}), quiet).answers[0];
  EXPECT_TRUE(answer.met);
  EXPECT_NEAR(answer.ops_per_sec, 600, 40) << "probes say 800";
  EXPECT_LE(answer.low, 600);
  EXPECT_GE(answer.high, 600);
}

TEST(LoadCurve, OneSlowFullRunIsAskedAgain) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3);
  int full = 0;
  SlowProbes once(setup.runner(), [&](const LoadPoint& load, int) { return load.duration >= 1000s && ++full == 1; });
  CurveObserver quiet;
  EXPECT_NEAR(measure(once, plan({5ms}), quiet).answers[0].ops_per_sec, 800, 16);
  EXPECT_EQ(full, 3) << "two agree";
}

/// The rate at which half of all full runs are below 2 ms.
double typical_rate(const testing::Disturbance& disturbance) {
  LoadPoint load;
  load.warmup = 5s;
  load.duration = 20s;
  CurveObserver quiet;
  double low = 500, high = 1000;
  while (high - low > 2) {
    load.ops_per_sec = (low + high) / 2;
    testing::DisturbedVolume volume(disturbance, 1000);
    int below = 0;
    for (int i = 0; i < 100; ++i) below += volume.run(load, quiet).ops.response().mean() < 2e6 ? 1 : 0;
    (below > 50 ? low : high) = *load.ops_per_sec;
  }
  return low;
}

TEST(LoadCurve, WhereNoProbeIsTypicalRepeatsDifferByNoMoreThanTheirIntervalsExplain) {
  // Probes of 2 s see a pause or none; full runs of 20 s differ by half their latency.
  const testing::Disturbance pauses{
      .pauses_per_second = 0.5, .pause_seconds = 0.02, .pause_spread = 0.6, .drift = 0.01};
  CurvePlan made = plan({2ms});
  made.load.duration = 20s;
  made.load.warmup = 5s;
  made.load.interval = 1s;
  made.own_rate = 22;
  constexpr std::uint64_t repeats = 50;
  const double truth = typical_rate(pauses);
  std::vector<AtTarget> answers;
  std::size_t covered = 0, pairs = 0, explained = 0;
  for (std::uint64_t seed = 1; seed <= repeats; ++seed) {
    testing::DisturbedVolume volume(pauses, seed);
    CurveObserver quiet;
    answers.push_back(measure(volume, made, quiet).answers[0]);
    const AtTarget& answer = answers.back();
    EXPECT_TRUE(answer.met && answer.bounded) << seed;
    covered += answer.low <= truth && truth <= answer.high ? 1 : 0;
  }
  for (const AtTarget& a : answers)
    for (const AtTarget& b : answers)
      if (a.ops_per_sec < b.ops_per_sec) {
        ++pairs;
        explained += b.ops_per_sec - a.ops_per_sec < std::hypot(a.high - a.ops_per_sec, b.ops_per_sec - b.low) ? 1 : 0;
      }
  EXPECT_GE(covered, repeats * 80 / 100) << "of " << repeats << " hold " << truth;
  EXPECT_GE(explained, pairs * 85 / 100) << "of " << pairs;
}

TEST(LoadCurve, AJumpAtALimitIsFoundWithOneFullRun) {
  testing::DisturbedVolume limited({}, 1);
  CurvePlan made = plan({2ms});
  made.load.duration = 20s;
  made.load.warmup = 5s;
  CurveObserver quiet;
  const Curve curve = measure(limited, made, quiet);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 1000, 10);
  EXPECT_LE(curve.answers[0].low, 1000);
  EXPECT_GE(curve.answers[0].high, 1000);
  EXPECT_EQ(std::count_if(curve.points.begin(), curve.points.end(), is_full_run), 1);
}

/// Wakes up late while there is little to do, as machines do that save power: that is no limit of the volume.
class LateWhenIdle final : public LoadRunner {
 public:
  explicit LateWhenIdle(LoadRunner& real) : real_(real) {}
  RunStats run(const LoadPoint& load, RunObserver& observer) override {
    RunStats stats = real_.run(load, observer);
    if (load.ops_per_sec < 600)
      for (std::uint64_t i = 0; i < stats.ops.operations(); ++i) stats.generator_lag.record(Nanos(300'000));
    return stats;
  }

 private:
  LoadRunner& real_;
};

TEST(LoadCurve, AGeneratorThatIsLateBelowTheTargetDoesNotEndTheSearch) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3);
  LateWhenIdle late(setup.runner());
  CurveObserver quiet;
  const Curve curve = measure(late, plan({5ms}), quiet);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 800, 16);
}

}  // namespace
}  // namespace edagen
