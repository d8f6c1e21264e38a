#include "load/wake_up.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(WakeUp, SleepsEndAsEarlyAsTheyHaveBeenLate) {
  WakeUp wake_up;
  for (int i = 0; i < 500; ++i) wake_up.woke(i % 2 == 0 ? 20us : 24us);
  EXPECT_GT(wake_up.margin(), 24us);
  EXPECT_LT(wake_up.margin(), 40us);
  for (int i = 0; i < 500; ++i) wake_up.woke(0us);
  EXPECT_LT(wake_up.margin(), 6us);
}

TEST(WakeUp, AMachineThatIsVeryLateDoesNotMakeItSpinForLong) {
  WakeUp wake_up;
  for (int i = 0; i < 500; ++i) wake_up.woke(5ms);
  EXPECT_LE(wake_up.margin(), 100us);
}

TEST(WakeUp, OnePauseIsForgotten) {
  WakeUp wake_up;
  for (int i = 0; i < 500; ++i) wake_up.woke(10us);
  wake_up.woke(50ms);
  for (int i = 0; i < 200; ++i) wake_up.woke(10us);
  EXPECT_LT(wake_up.margin(), 20us);
}

}  // namespace
}  // namespace edagen
