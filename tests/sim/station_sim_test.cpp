// Simulated stations against queueing theory.
#include <gtest/gtest.h>

#include <cmath>

#include "fakes/station_setup.hpp"
#include "search/curve_point.hpp"
#include "search/validity.hpp"
#include "sim/in_turn.hpp"
#include "sim/sim_runner.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::in_turn;
using testing::poisson;
using testing::StationSetup;

double mean_response_ms(StationSetup setup, double rate, Nanos duration = 2000s) {
  return setup.runner().run(poisson(rate, duration), ignore_events).ops.response().mean() / 1e6;
}

/// Bounds are at least four standard errors of the simulated time.
TEST(StationSim, MeanResponsesAreThoseOfQueueingTheory) {
  // M/M/1: 1 / (mu - lambda).
  EXPECT_NEAR(mean_response_ms(StationSetup(1, 1e6, ServiceTimes::exponential, 1), 500), 2, 0.04);
  EXPECT_NEAR(mean_response_ms(StationSetup(1, 1e6, ServiceTimes::exponential, 1), 800), 5, 0.15);
  // M/D/1: s (1 + rho / (2 (1 - rho))).
  EXPECT_NEAR(mean_response_ms(StationSetup(1, 1e6, ServiceTimes::deterministic, 1), 800), 3, 0.06);
  // M/M/8 at 7,200/s, offered load 7.2: Erlang C = 0.6767 (sum of 7.2^k/k! to k = 7 against 7.2^8/8! / 0.1), so that
  // the mean is 1 + 0.7017 / 0.8.
  EXPECT_NEAR(mean_response_ms(StationSetup(8, 1e6, ServiceTimes::exponential, 1), 7200, 1000s), 1 + 0.7017 / 0.8,
              0.04);
}

TEST(StationSim, ManyProcsOfWhichFewAreDueAreNotTakenForTooSlow) {
  // Each proc is due every 5 s, so that it is by chance how many are in a window of 1 s.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    StationSetup setup(8, 1e6, ServiceTimes::deterministic, seed, 1000);
    LoadPoint load = poisson(200, 1s);
    load.rate = OpenLoop{200};
    EXPECT_EQ(invalid_reasons(setup.runner().run(load, ignore_events)), std::vector<Invalid>{}) << seed;
  }
}

/// An interval's standard error is from its own batches: the spread of many runs shows whether it is right.
TEST(StationSim, TheStandardErrorOfUniformArrivalsIsThatOfTheirPhases) {
  double sum = 0, squares = 0, stated = 0;
  constexpr int seeds = 40;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    StationSetup setup(1, 1e6, ServiceTimes::deterministic, seed, 2);
    LoadPoint load = poisson(900, 20s);
    load.rate = OpenLoop{900};
    const CurvePoint point = make_point(setup.runner().run(load, ignore_events), {}, std::nullopt, Purpose::load_point);
    const double latency = point.latency.count();
    sum += latency, squares += latency * latency;
    stated += point.latency_error.count();
  }
  const double mean = sum / seeds, spread = std::sqrt(squares / seeds - mean * mean);
  EXPECT_NEAR(stated / seeds / spread, 1, 0.35);
}

TEST(StationSim, ALoadWhoseRateChangesHasTheMeansOfTheoryAtEach) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  const auto [low, high] = in_turn(setup.runner(), {500, 800}, 20s, 200);
  EXPECT_NEAR(low, 2, 0.06);
  EXPECT_NEAR(high, 5, 0.25);
}

TEST(StationSim, AfterAnOverloadTheNextLoadBeginsAnew) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 2);
  LoadPoint load = poisson(3000, 20s);
  load.stays_up = true;
  EXPECT_GT(setup.runner().run(load, ignore_events).ops.outstanding(), 1000u);
  load.rate = OpenLoop{500, Arrivals::poisson};
  const RunStats after = setup.runner().run(load, ignore_events);
  EXPECT_EQ(after.ops.outstanding(), 0u);
  EXPECT_NEAR(after.ops.response().mean() / 1e6, 2, 0.3) << "the backlog would take 40 s more";
}

TEST(StationSim, ALoadThatHasEndedIsNotTakenOver) {
  StationSetup setup(1, 1e6, ServiceTimes::deterministic, 2);
  LoadPoint load = poisson(990, 20s);
  load.stays_up = true;
  setup.runner().run(load, ignore_events);
  EXPECT_EQ(setup.runner().end_load(), 0u);
  load.rate = OpenLoop{1, Arrivals::poisson};
  EXPECT_NEAR(setup.runner().run(load, ignore_events).ops.response().mean() / 1e6, 1, 1e-3);
}

TEST(StationSim, AClosedLoopHasAsManyOpsInFlightAsItsProcsHaveDepth) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3, 2, {}, {}, 8);
  LoadPoint load = poisson(1, 100s);
  load.rate = ClosedLoop{};
  EXPECT_NEAR(setup.runner().run(load, ignore_events).ops.response().mean() / 1e6, 16, 0.3) << "Little's law";
}

TEST(StationSim, MoreThanItCanServeIsServedAtItsLimit) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 2);
  EXPECT_NEAR(setup.runner().run(poisson(3000, 100s), ignore_events).ops_per_sec(), 1000, 20);
}

}  // namespace
}  // namespace edagen
