#include "compare/pilots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t intervals = 20;

RunFigures pilot(double response_ms, double ops_per_sec) {
  return {.ops_per_sec = ops_per_sec, .response = Millis(response_ms)};
}

/// Means that begin three times as long and settle after so many intervals.
std::vector<double> settling_after(std::size_t settle, double response_ms) {
  std::vector<double> responses(intervals, response_ms);
  std::fill_n(responses.begin(), settle, 3 * response_ms);
  return responses;
}

/// A first-order autoregression around the mean.
std::vector<double> that_remember(double correlation, double response_ms, Random& random) {
  std::vector<double> responses;
  double deviation = 0;
  for (std::size_t i = 0; i < intervals; ++i) {
    deviation = correlation * deviation + 0.1 * (random.uniform() - 0.5);
    responses.push_back(response_ms * (1 + deviation));
  }
  return responses;
}

/// Two variants with pilots of 100 ms an interval; the second remembers.
Settling settling(double correlation, double response_ms, double ops_per_sec, bool with_queues = true) {
  Random random(2);
  Pilots pilots(2, intervals, 100ms);
  for (int i = 0; i < 2; ++i) {
    pilots.add(0, pilot(response_ms, ops_per_sec), that_remember(0, response_ms, random));
    pilots.add(1, pilot(response_ms, ops_per_sec), that_remember(correlation, response_ms, random));
  }
  return pilots.settling(with_queues);
}

TEST(Pilots, WhatIsSeenOfTheSettlingIsLeftOut) {
  for (const std::size_t settle : {1, 3, 8}) {
    Pilots pilots(2, intervals, 100ms);
    for (const std::size_t variant : {0, 1, 1, 0}) pilots.add(variant, pilot(1, 100), settling_after(settle, 1));
    EXPECT_EQ(pilots.settling(true).intervals, settle);
    EXPECT_FALSE(pilots.settling(true).queue_of);
  }
}

TEST(Pilots, AnIntervalAtLeastIsLeftOut) {
  EXPECT_EQ(Pilots(2, intervals, 100ms).settling(true).intervals, 1u) << "no pilot has ended";
  Pilots pilots(2, intervals, 100ms);
  pilots.add(0, pilot(1, 100), settling_after(0, 1));
  pilots.add(1, pilot(0, 0), std::vector<double>(intervals, 0));
  EXPECT_EQ(pilots.settling(true).intervals, 1u) << "no op has ended";
}

TEST(Pilots, AQueueSettlesForSixTimesAsLongAsItRemembers) {
  const Settling found = settling(0.95, 100, 1000);
  EXPECT_EQ(found.queue_of, 1u);
  EXPECT_GT(found.intervals, intervals / 2);
}

TEST(Pilots, ForLongerThanAQueueOfSoManyOpsRemembersNothingSettles) {
  // 8 x 10 ms x 10 ops = 0.8 s.
  EXPECT_EQ(settling(0.95, 10, 1000).intervals, 8u);
  EXPECT_FALSE(settling(0.95, 1, 500).queue_of) << "a disturbance that lasts is no queue";
}

TEST(Pilots, WhatDoesNotRememberNeedNotSettleHoweverManyOpsAreInIt) {
  EXPECT_FALSE(settling(0, 100, 100'000).queue_of);
}

TEST(Pilots, WithoutQueuesTheMemoryIsLeftOut) { EXPECT_FALSE(settling(0.95, 100, 1000, false).queue_of); }

}  // namespace
}  // namespace edagen
