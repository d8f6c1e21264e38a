#include "stats/lifetime.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(Lifetime, WhereAllHaveEndedTheMedianIsOneThatHalfAreBelow) {
  EXPECT_EQ(median_lifetime({{3s}, {1s}, {2s}}).value, 2s);
  EXPECT_EQ(median_lifetime({{3s}, {1s}, {2s}, {4s}}).value, 2s);
  EXPECT_FALSE(median_lifetime({{3s}}).at_least);
  EXPECT_EQ(median_lifetime({}).value, 0s);
}

TEST(Lifetime, WhatWasNotSeenToEndCountsAsLonger) {
  // One of 1 s, and three that went on after 0.5 s: of those no more is known.
  const MedianLifetime median = median_lifetime({{500ms, false}, {500ms, false}, {500ms, false}, {1s, true}});
  EXPECT_EQ(median.value, 1s);
  EXPECT_FALSE(median.at_least);
}

TEST(Lifetime, WhenMostWereNotSeenToEndTheMedianIsBeyondAllThatWasSeen) {
  const MedianLifetime median = median_lifetime({{1s, true}, {4900ms, false}, {4700ms, false}});
  EXPECT_EQ(median.value, 4900ms);
  EXPECT_TRUE(median.at_least);
}

}  // namespace
}  // namespace edagen
