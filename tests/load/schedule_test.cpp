#include "load/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace edagen {
namespace {

TEST(Schedule, UniformStartsAreOneInEachGap) {
  Schedule schedule(Arrivals::uniform, 1000, 1);
  for (std::int64_t i = 0; i < 1'000'000; ++i, schedule.advance())
    ASSERT_EQ((schedule.due().count() + 1) / 1'000'000, i) << "1 ns for rounding";
}

TEST(Schedule, UniformStartsAreEquallySpacedForAQuarterOfASecondAndThenDrawnAnew) {
  Schedule schedule(Arrivals::uniform, 1000, 1);
  std::set<std::int64_t> places;
  for (int i = 0; i < 10'000; ++i, schedule.advance()) places.insert((schedule.due().count() + 1) % 1'000'000 / 10);
  EXPECT_GE(places.size(), 38u);
  EXPECT_LE(places.size(), 80u) << "40 places, some seen as two by rounding";
}

TEST(Schedule, ProcsOfOneRateHaveDifferentPhases) {
  EXPECT_NE(Schedule(Arrivals::uniform, 10, 1).due(), Schedule(Arrivals::uniform, 10, 2).due());
}

TEST(Schedule, PoissonRatesAreExactHoweverHigh) {
  // A generator that truncates gaps to microseconds is 32 % too fast at 300,000/s.
  for (const double rate : {10.0, 300'000.0, 20'000'000.0}) {
    Schedule schedule(Arrivals::poisson, rate, 3);
    constexpr int count = 1'000'000;
    for (int i = 1; i < count; ++i) schedule.advance();
    const double seen = count / to_seconds(schedule.due());
    EXPECT_NEAR(seen / rate, 1, 4 / std::sqrt(count));
  }
}

TEST(Schedule, PoissonGapsAreExponential) {
  Schedule schedule(Arrivals::poisson, 1e6, 4);
  Nanos before = schedule.due();
  double sum = 0, squares = 0;
  constexpr int count = 200'000;
  for (int i = 0; i < count; ++i) {
    schedule.advance();
    const auto gap = static_cast<double>((schedule.due() - before).count());
    before = schedule.due();
    sum += gap, squares += gap * gap;
  }
  const double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
  EXPECT_NEAR(mean, 1000, 10);
  EXPECT_NEAR(deviation / mean, 1, 0.02);
}

TEST(Schedule, ClosedLoopOpsAreAlwaysDue) {
  Schedule schedule = Schedule::closed_loop();
  schedule.advance();
  EXPECT_EQ(schedule.due(), Nanos(0));
  EXPECT_FALSE(schedule.open_loop());
}

TEST(Schedule, ALoadThatGoesOnAtAnotherRateBeginsAtItsStart) {
  for (const Arrivals arrivals : {Arrivals::uniform, Arrivals::poisson}) {
    Schedule schedule(arrivals, 1000, 5, Nanos(3'000'000'000));
    Schedule same(arrivals, 1000, 5);
    EXPECT_GE(schedule.due(), Nanos(3'000'000'000));
    for (int i = 0; i < 10'000; ++i, schedule.advance(), same.advance())
      ASSERT_NEAR(static_cast<double>((schedule.due() - same.due()).count()), 3e9, 1) << "1 ns for rounding";
  }
}

TEST(Schedule, NothingIsEverDueOfOneThatIsIdle) {
  Schedule schedule = Schedule::idle();
  EXPECT_TRUE(schedule.open_loop());
  EXPECT_GT(schedule.due(), std::chrono::hours(24 * 365 * 100));
  EXPECT_LT(schedule.due(), Nanos::max() / 2) << "so that sums with it do not overflow";
}

TEST(Schedule, ARateOfNextToNothingIsDueInMoreThanAHundredYears) {
  for (const Arrivals arrivals : {Arrivals::uniform, Arrivals::poisson}) {
    Schedule schedule(arrivals, 1e-30, 1);
    schedule.advance();
    EXPECT_GT(schedule.due(), std::chrono::hours(24 * 365 * 100));
    EXPECT_LT(schedule.due(), Nanos::max() / 2);
  }
}

}  // namespace
}  // namespace edagen
