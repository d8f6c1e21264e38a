#include "load/pause_watch.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(PauseWatch, WhatTheCallerDidBeforeIsNoPause) {
  PauseWatch watch;
  const TimePoint due = now() + 1ms;
  std::this_thread::sleep_until(due + 300ms);
  watch.sleep_until(due);
  EXPECT_LT(watch.longest(), 200ms);
}

}  // namespace
}  // namespace edagen
