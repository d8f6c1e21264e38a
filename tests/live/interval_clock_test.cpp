#include "live/interval_clock.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(IntervalClock, AWindowIsWhenItBeganHoweverLongItsOpsTakeToEnd) {
  IntervalClock clock;
  const auto before = IntervalClock::time_now();
  clock.window_begins();
  const auto after = IntervalClock::time_now();
  std::this_thread::sleep_for(300ms);
  const auto began = clock.began({.start = 0s, .length = 100ms});
  EXPECT_GE(began, before);
  EXPECT_LE(began, after);
  EXPECT_EQ(clock.began({.start = 100ms, .length = 100ms}), began + 100ms);
}

TEST(IntervalClock, AWarmUpIsBeforeTheEndOfItsFirstInterval) {
  IntervalClock clock;
  clock.begins();
  const auto before = IntervalClock::time_now();
  const auto began = clock.began({.start = 0s, .length = 100ms});
  EXPECT_GE(began, before - 100ms);
  EXPECT_LE(began, IntervalClock::time_now() - 100ms);
}

TEST(IntervalClock, IntervalsOfASimulationThatIsFasterThanTimeFollowEachOther) {
  IntervalClock clock;
  clock.window_begins();
  const auto first = clock.began({.start = 0s, .length = 100s});
  clock.window_begins();
  EXPECT_EQ(clock.began({.start = 0s, .length = 50s}), first + 100s);
  clock.begins();
  EXPECT_EQ(clock.began({.start = 0s, .length = 1s}), first + 150s);
}

}  // namespace
}  // namespace edagen
