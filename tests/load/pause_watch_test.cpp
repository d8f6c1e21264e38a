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

}  // namespace
}  // namespace edagen
