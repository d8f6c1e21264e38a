#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace edagen {
namespace {

TEST(RunInParallel, EveryThreadDoesTheWork) {
  std::atomic<int> calls{0};
  run_in_parallel(5, {}, [&](std::stop_token) { ++calls; });
  EXPECT_EQ(calls, 5);
}

TEST(RunInParallel, AnExceptionStopsTheOthersAndIsThrownOn) {
  std::atomic<int> calls{0};
  EXPECT_THROW(run_in_parallel(3, {},
                               [&](std::stop_token halt) {
                                 if (calls++ == 0) throw std::runtime_error("no");
                                 while (!halt.stop_requested()) std::this_thread::yield();
                               }),
               std::runtime_error);
}

TEST(RunInParallel, AStopRequestReachesTheWork) {
  std::stop_source stop;
  bool told = false;
  run_in_parallel(
      1, stop.get_token(),
      [](std::stop_token halt) {
        while (!halt.stop_requested()) std::this_thread::yield();
      },
      [&] {
        told = true;
        stop.request_stop();
      });
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace edagen
