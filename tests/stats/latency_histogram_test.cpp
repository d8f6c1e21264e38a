#include "edagen/parts/latency_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

TEST(LatencyHistogram, EveryValueIsToldWithinOnePercent) {
  for (double ns = 1; ns < 3.6e12; ns *= 1.0007) {
    LatencyHistogram histogram;
    const auto value = static_cast<std::int64_t>(ns);
    histogram.record(Nanos(value));
    for (const std::int64_t end : {0ll, 3'600'000'000'000ll}) histogram.record(Nanos(end));  // the ends are exact
    const auto told = static_cast<double>(histogram.percentile(50).count());
    ASSERT_NEAR(told, static_cast<double>(value), 0.008 * static_cast<double>(value)) << value;
  }
}

TEST(LatencyHistogram, PercentilesAreThoseOfTheSortedValues) {
  Random random(1);
  std::vector<std::int64_t> values;
  LatencyHistogram histogram;
  for (int i = 0; i < 100'000; ++i) {
    values.push_back(static_cast<std::int64_t>(std::exp(random.uniform() * 15 + 5)));
    histogram.record(Nanos(values.back()));
  }
  std::sort(values.begin(), values.end());
  for (const double percent : {0.1, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * 100'000)) - 1;
    const auto exact = static_cast<double>(values[rank]);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(percent).count()), exact, 0.01 * exact) << percent;
  }
  EXPECT_EQ(histogram.max().count(), values.back());
}

/// How far percentiles of a million values lie from those of the sorted values.
void expect_percentiles_of_the_sample(const std::function<double()>& draw) {
  std::vector<std::int64_t> values(1'000'000);
  LatencyHistogram histogram;
  for (std::int64_t& value : values) histogram.record(Nanos(value = static_cast<std::int64_t>(draw())));
  std::ranges::sort(values);
  // The bucket of p99.9 holds some dozens of values, which are not spread evenly.
  for (const auto& [percent, error] : {std::pair(50.0, 0.001), {99.0, 0.001}, {99.9, 0.003}}) {
    const auto exact = static_cast<double>(values[rank_of_percentile(values.size(), percent) - 1]);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(percent).count()), exact, error * exact) << percent;
  }
}

TEST(LatencyHistogram, PercentilesOfSmoothValuesAreInterpolatedWithinABucket) {
  Random random(4);
  expect_percentiles_of_the_sample([&] { return 2e6 * random.exponential(); });
  expect_percentiles_of_the_sample([&] { return 1e6 * std::exp(random.normal()); });
}

TEST(LatencyHistogram, EqualValuesAndValuesBelow128NsAreExact) {
  LatencyHistogram equal, small;
  for (int i = 0; i < 1000; ++i) {
    equal.record(Nanos(190'400));  // not the middle of its bucket
    small.record(Nanos(i / 8));
  }
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(equal.percentile(percent), Nanos(190'400)) << percent;
    EXPECT_EQ(small.percentile(percent), Nanos((10 * percent - 1) / 8)) << percent;
  }
}

TEST(LatencyHistogram, APercentileThatIsTheLargestValueIsExactAndNotBelowTheMean) {
  LatencyHistogram histogram;
  for (int count = 1; count < 100; ++count) {
    histogram.record(Nanos(190'363 + count));  // all at the upper end of a bucket
    ASSERT_EQ(histogram.percentile(99), histogram.max()) << count;
    ASSERT_GE(static_cast<double>(histogram.percentile(99).count()), histogram.mean()) << count;
  }
  histogram.record(Nanos(190'363));
  EXPECT_LT(histogram.percentile(99), histogram.max()) << "99 of 100 values do not exceed it";
}

TEST(LatencyHistogram, MeanAndMaximumAreExact) {
  LatencyHistogram histogram;
  for (const int value : {1, 1000, 999'999}) histogram.record(Nanos(value));
  EXPECT_DOUBLE_EQ(histogram.mean(), 1'001'000.0 / 3);
  EXPECT_EQ(histogram.max(), Nanos(999'999));
}

TEST(LatencyHistogram, MergingIsCountingTogether) {
  LatencyHistogram a, b, both;
  Random random(2);
  for (int i = 0; i < 10'000; ++i) {
    const Nanos value(static_cast<std::int64_t>(random.below(1'000'000'000)));
    (i % 3 == 0 ? a : b).record(value);
    both.record(value);
  }
  a.merge(b);
  EXPECT_EQ(a.count(), both.count());
  EXPECT_NEAR(a.mean(), both.mean(), 1e-6);
  for (int percent = 0; percent <= 100; ++percent) EXPECT_EQ(a.percentile(percent), both.percentile(percent));
}

TEST(LatencyHistogram, ValuesBeyondTheRangeCountAsItsEnds) {
  LatencyHistogram histogram;
  histogram.record(Nanos(-5));
  histogram.record(std::chrono::hours(5));
  EXPECT_EQ(histogram.percentile(1), Nanos(0));
  EXPECT_EQ(histogram.max(), std::chrono::hours(1));
}

TEST(LatencyHistogram, ClearedItIsAsNew) {
  LatencyHistogram histogram;
  histogram.record(Nanos(5));
  histogram.record(std::chrono::seconds(5));
  histogram.clear();
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.percentile(99), Nanos(0));
  for (const int value : {7, 9}) histogram.record(Nanos(value));
  EXPECT_EQ(histogram.percentile(1), Nanos(7));
  EXPECT_EQ(histogram.percentile(100), Nanos(9));
}

TEST(LatencyHistogram, ATwoMillisecondLimitCanBeTold) {
  LatencyHistogram histogram;
  for (int i = 0; i < 75; ++i) histogram.record(std::chrono::microseconds(1950));
  for (int i = 0; i < 25; ++i) histogram.record(std::chrono::microseconds(2050));
  EXPECT_DOUBLE_EQ(histogram.share_below(std::chrono::milliseconds(2)), 0.75);
}

TEST(LatencyHistogram, AllValuesAreBelowALimitThatIsNotBelowTheLargest) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.share_below(Nanos(1)), 0) << "there are none";
  for (int i = 0; i < 100; ++i) histogram.record(Nanos(9'240'000));  // in the bucket of the limits
  EXPECT_EQ(histogram.share_below(Nanos(9'240'000)), 1);
  EXPECT_LT(histogram.share_below(Nanos(9'239'999)), 1);
}

TEST(LatencyHistogram, TheShareBelowAPercentileIsThatPercentage) {
  Random random(5);
  LatencyHistogram histogram;
  Nanos least = Nanos::max(), last = Nanos(0);
  for (int i = 0; i < 1000; ++i) {
    const Nanos value(static_cast<std::int64_t>(2e6 * (0.1 + random.exponential())));
    least = std::min(least, value);
    histogram.record(value);
  }
  EXPECT_EQ(histogram.percentile(0), least);
  EXPECT_EQ(histogram.share_below(least - Nanos(1)), 0);
  for (int rank = 1; rank <= 1000; ++rank) {
    const Nanos value = histogram.percentile(rank / 10.0);
    ASSERT_GT(value, last) << rank;
    ASSERT_DOUBLE_EQ(histogram.share_below(value), rank / 1000.0);
    last = value;
  }
}

TEST(LatencyHistogram, APercentileIsAtMostALimitWhenSoManyValuesAreBelowIt) {
  Random random(3);
  LatencyHistogram histogram;
  for (int i = 0; i < 1000; ++i) histogram.record(Nanos(static_cast<std::int64_t>(2e6 * random.exponential())));
  for (const double percent : {50.0, 90.0, 99.0, 99.9, 100.0})
    for (double ns = 1e6; ns < 3e7; ns *= 1.0009) {  // far more limits than buckets
      const Nanos limit(static_cast<std::int64_t>(ns));
      const bool is_met = histogram.share_below(limit) >= percent / 100 - 1e-9;
      ASSERT_EQ(histogram.percentile(percent) <= limit, is_met) << "p" << percent << " and " << ns << " ns";
    }
}

}  // namespace
}  // namespace edagen
