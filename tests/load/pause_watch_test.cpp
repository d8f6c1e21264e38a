#include "load/pause_watch.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(PauseWatch, WhatTheCallerDidBeforeIsNoPause) {
  PauseWatch watch([] { return std::uint64_t{0}; });
  const TimePoint due = now() + 1ms;
  std::this_thread::sleep_until(due + 300ms);
  watch.sleep_until(due);
  EXPECT_LT(watch.longest(), 200ms);
}

TEST(PauseWatch, WithoutALateWakeUpNoTimeIsAPause) {
  PauseWatch watch([] { return std::uint64_t{0}; });
  for (int i = 0; i < 5; ++i) watch.sleep_until(now() - 50ms);  // what was due before is asked for at once
  EXPECT_LT(watch.share(), 1);
  EXPECT_GE(watch.share(), 0);
}

}  // namespace
}  // namespace edagen
