#include "load/pause_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(PauseWatch, ACallerThatIsBusyOrBlockedIsNoPause) {
  std::atomic<std::uint64_t> operations{0};
  const PauseWatch watch([&] { return ++operations; });
  std::this_thread::sleep_for(1s);
  EXPECT_LT(watch.longest(), 900ms);
  EXPECT_LT(watch.share(), 1);
}

TEST(PauseWatch, AWatchThatHasJustBegunHasSeenNoPause) {
  const PauseWatch watch([] { return std::uint64_t{0}; });
  EXPECT_LT(watch.share(), 1);
  EXPECT_GE(watch.share(), 0);
}

TEST(PauseWatch, ARestartThatComesLateIsAPauseForThatTime) {
  PauseWatch watch([] { return std::uint64_t{0}; });
  watch.restart(60s);
  EXPECT_GE(watch.longest(), 60s);
  EXPECT_GT(watch.share(), 0.1);
  EXPECT_LE(watch.share(), 1);
  EXPECT_GT(watch.delay(), 1s);
  watch.restart();
  EXPECT_LT(watch.longest(), 60s);
}

TEST(PauseWatch, ALateCallIsAPauseUnlessThatPauseWasSeen) {
  // Ops go on, so that no wait of the watching thread is a pause.
  PauseWatch watch([] { return static_cast<std::uint64_t>(now().time_since_epoch().count()); });
  watch.restart(60s);
  const NanosF seen = watch.delay();
  watch.add_late(30s);
  EXPECT_LT(watch.delay(), 1.1 * seen) << "a part of the pause that was seen";
  watch.restart();
  watch.add_late(60s);
  EXPECT_GE(watch.longest(), 60s);
  EXPECT_EQ(watch.share(), 1);
}

TEST(PauseWatch, APauseThatWasOverWhenALateCallWasDueIsNoPartOfIt) {
  // Ops go on, so that no wait of the watching thread is a pause.
  PauseWatch watch([] { return static_cast<std::uint64_t>(now().time_since_epoch().count()); });
  watch.restart(900ms);
  std::this_thread::sleep_for(1s);
  const NanosF first = watch.delay();
  watch.add_late(800ms);
  const NanosF both = watch.delay();
  EXPECT_GT(both, first) << "0.9 s, and 0.8 s after it";
  watch.add_late(700ms);
  EXPECT_LT(watch.delay(), 1.2 * both) << "a part of the pause that was seen";
}

TEST(PauseWatch, ARestartThatIsAsLateAsThreadsWakeUpIsNoPause) {
  // Ops go on, so that no wait of the watching thread is a pause.
  PauseWatch watch([] { return static_cast<std::uint64_t>(now().time_since_epoch().count()); });
  watch.restart(1ms);
  EXPECT_GE(watch.longest(), 1ms);
  EXPECT_EQ(watch.share(), 0);
}

}  // namespace
}  // namespace edagen
