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

/// Logarithms are a first-order autoregression around that of `response_ms`.
std::vector<double> that_remember(double correlation, double response_ms, Random& random, double scatter = 2) {
  std::vector<double> responses;
  double deviation = 0;
  for (std::size_t i = 0; i < intervals + 20; ++i) {
    deviation = correlation * deviation + scatter * (random.uniform() - 0.5);
    if (i >= 20) responses.push_back(response_ms * std::exp(deviation));
  }
  return responses;
}

/// Two variants with pilots of 100 ms an interval; the second remembers.
Settling settling(double correlation, double response_ms, double ops_per_sec, bool with_queues = true,
                  std::uint64_t seed = 2) {
  Random random(seed);
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

TEST(Pilots, WhatOnePilotOfAVariantAloneShowsIsADisturbance) {
  Pilots pilots(2, intervals, 100ms);
  pilots.add(0, pilot(1, 100), settling_after(8, 1));
  for (const std::size_t variant : {0, 1, 1}) pilots.add(variant, pilot(1, 100), settling_after(1, 1));
  EXPECT_EQ(pilots.settling(true).intervals, 1u);
}

TEST(Pilots, TheVariantThatSettlesForLongestCounts) {
  Pilots pilots(3, intervals, 100ms);
  for (const std::size_t variant : {0, 1, 2, 2, 1, 0})
    pilots.add(variant, pilot(1, 100), settling_after(variant == 1 ? 5 : 1, 1));
  EXPECT_EQ(pilots.settling(true).intervals, 5u);
}

TEST(Pilots, AnIntervalAtLeastIsLeftOut) {
  EXPECT_EQ(Pilots(2, intervals, 100ms).settling(true).intervals, 1u) << "no pilot has ended";
  Pilots pilots(2, intervals, 100ms);
  pilots.add(0, pilot(1, 100), settling_after(0, 1));
  pilots.add(1, pilot(0, 0), std::vector<double>(intervals, 0));
  EXPECT_EQ(pilots.settling(true).intervals, 1u) << "no op has ended";
}

/// The memory of such an autoregression is -1 / log(0.7) = 2.8 intervals. Less the standard error of some 36 intervals
/// its correlation is 0.53, and the memory 1.6.
TEST(Pilots, AQueueSettlesForSixTimesAsLongAsItSurelyRemembers) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    sum += static_cast<double>(settling(0.7, 1000, 1000, true, seed).intervals);
  EXPECT_NEAR(sum / 200, 6 * 1.6, 2);
}

TEST(Pilots, TheVariantWhoseQueueSettlesForLongestIsNamed) {
  EXPECT_EQ(settling(0.95, 1000, 1000).queue_of, 1u);
  EXPECT_GT(settling(0.95, 1000, 1000).intervals, intervals / 2);
}

TEST(Pilots, ItSettlesForNoLongerThanAQueueOfSoManyOps) {
  std::vector<double> waves;
  for (std::size_t i = 0; i < intervals; ++i)
    waves.push_back(10 * (1 + 0.9 * std::sin(static_cast<double>(i) * 0.628)));
  const auto settling_of = [&](double response_ms, double ops_per_sec) {
    Pilots pilots(1, intervals, 100ms);
    for (int i = 0; i < 2; ++i) pilots.add(0, pilot(response_ms, ops_per_sec), waves);
    return pilots.settling(true);
  };
  EXPECT_EQ(settling_of(10, 1500).intervals, 12u) << "8 x 10 ms x 15 ops = 1.2 s";
  EXPECT_GT(settling_of(10, 10'000).intervals, 12u);
  EXPECT_FALSE(settling_of(10, 30).queue_of) << "24 ms; what lasts longer is a disturbance";
}

TEST(Pilots, WhatVariesLittleIsADisturbanceAndNoQueueHoweverManyOpsAreInIt) {
  Pilots pilots(2, intervals, 100ms);
  for (const std::size_t variant : {0, 1, 1, 0}) {
    std::vector<double> waves;
    for (std::size_t i = 0; i < intervals; ++i) waves.push_back(100 + 40 * std::sin(static_cast<double>(i) / 5));
    pilots.add(variant, pilot(100, 10'000), waves);
  }
  EXPECT_FALSE(pilots.settling(true).queue_of);
}

TEST(Pilots, WhatIsSeenOfTheSettlingIsNoMemoryOfAQueue) {
  Pilots pilots(2, intervals, 100ms);
  Random random(4);
  for (const std::size_t variant : {0, 1, 1, 0}) {
    std::vector<double> responses = that_remember(0, 100, random, 0.02);
    for (std::size_t i = 0; i < intervals; ++i) responses[i] *= 1 + 4 * std::exp(-static_cast<double>(i) / 2);
    pilots.add(variant, pilot(100, 10'000), responses);
  }
  EXPECT_LE(pilots.settling(true).intervals, intervals / 2);
}

TEST(Pilots, WhatDoesNotRememberOrHasNoOrderNeedNotSettle) {
  EXPECT_FALSE(settling(0, 1000, 1000).queue_of);
  Pilots pilots(1, intervals, 100ms);
  std::vector<double> rare(intervals, 0);
  rare[7] = rare[13] = 500;
  for (int i = 0; i < 2; ++i) pilots.add(0, pilot(100, 10'000), rare);
  EXPECT_FALSE(pilots.settling(true).queue_of) << "in most intervals no op ended";
}

TEST(Pilots, AnIntervalMoreOrLessDoesNotMatter) {
  for (const std::size_t count : {intervals - 1, intervals + 1}) {
    Pilots pilots(1, intervals, 100ms);
    std::vector<double> responses = settling_after(5, 1);
    responses.resize(count, 1);
    pilots.add(0, pilot(1, 100), responses);
    EXPECT_EQ(pilots.settling(true).intervals, 5u) << count;
  }
}

TEST(Pilots, WithoutQueuesTheMemoryIsLeftOut) { EXPECT_FALSE(settling(0.95, 1000, 1000, false).queue_of); }

}  // namespace
}  // namespace edagen
