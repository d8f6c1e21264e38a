#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>

#include "support/no_more_threads.hpp"

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

TEST(RunInParallel, WhereTheSystemRefusesThreadsTheExistingOnesDoAllOfTheWork) {
  std::optional<testing::NoMoreThreads> full;
  std::atomic<int> calls{0}, pieces{0};
  std::atomic<std::size_t> next{0};
  run_in_parallel(200, {}, [&](std::stop_token) {
    if (calls++ == 0) full.emplace();
    while (next++ < 1000) ++pieces;
  });
  full.reset();
  EXPECT_GE(calls, 1);
  EXPECT_EQ(pieces, 1000);
}

TEST(RunInParallel, WithoutAnyThreadTheErrorOfTheSystemIsThrown) {
  const testing::NoMoreThreads full;
  EXPECT_THROW(run_in_parallel(2, {}, [](std::stop_token) {}), std::system_error);
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
