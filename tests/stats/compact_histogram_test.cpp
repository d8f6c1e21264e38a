#include "edagen/parts/compact_histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(CompactHistogram, PercentilesOfNearlyEqualValuesAreRightWithinSixPercentAndTheMeanIsExact) {
  for (const Nanos only : {1ns, 15ns, 16ns, 17ns, 999ns, 123'456ns, Nanos(2ms), Nanos(70s), Nanos(3h)}) {
    CompactHistogram histogram;
    histogram.record(only / 3);
    for (int i = 0; i < 99; ++i) histogram.record(only);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(99).count()), static_cast<double>(only.count()),
                0.0625 * static_cast<double>(only.count()));
    EXPECT_LE(histogram.percentile(100), histogram.max());
    const double sum = 99 * static_cast<double>(only.count()) + static_cast<double>((only / 3).count());
    EXPECT_DOUBLE_EQ(histogram.mean().count(), sum / 100);
  }
}

TEST(CompactHistogram, PercentilesOfSmoothValuesAreInterpolatedWithinABucket) {
  Random random(2);
  CompactHistogram histogram;
  for (int i = 0; i < 100'000; ++i) histogram.record(Nanos(static_cast<std::int64_t>(2e6 * random.exponential())));
  for (const auto& [percent, exact] : {std::pair(50.0, 2e6 * std::log(2)), {99.0, 2e6 * std::log(100)}})
    EXPECT_NEAR(static_cast<double>(histogram.percentile(percent).count()), exact, 0.025 * exact) << percent;
}

TEST(CompactHistogram, APercentileThatIsTheLargestValueIsExact) {
  CompactHistogram histogram;
  histogram.record(190'500ns);
  histogram.record(190'600ns);
  EXPECT_EQ(histogram.percentile(99), 190'600ns);
  EXPECT_LT(histogram.percentile(50), 190'600ns);
}

TEST(CompactHistogram, TheMeanIsRightHoweverLongAllOpsTookTogether) {
  // The ops of 100,000 procs that always have one in flight take a thousand years together in less than four days.
  constexpr Nanos century = std::chrono::hours(24 * 365 * 100);
  CompactHistogram histogram;
  for (int i = 0; i < 10; ++i) histogram.record(century);
  EXPECT_DOUBLE_EQ(histogram.mean().count(), NanosF(century).count());
}

TEST(CompactHistogram, AnEmptyOneHasZerosAndNegativeTimesCountAsZero) {
  CompactHistogram histogram;
  EXPECT_EQ(histogram.percentile(99), 0ns);
  EXPECT_EQ(histogram.mean(), NanosF(0));
  histogram.record(-5ns);
  EXPECT_EQ(histogram.count(), 1u);
  EXPECT_EQ(histogram.percentile(50), 0ns);
}

TEST(CompactHistogram, MergedOnesAreAsIfOneHadCountedAllInAnyOrder) {
  Random random(1);
  CompactHistogram all, low, high, upward, downward;
  for (int i = 0; i < 1000; ++i) {
    const Nanos fast(static_cast<std::int64_t>(1000 * random.exponential())),
        slow(static_cast<std::int64_t>(1e9 * random.exponential()));
    all.record(fast);
    all.record(slow);
    low.record(fast);
    high.record(slow);
  }
  upward.merge(low);
  upward.merge(high);
  downward.merge(high);
  downward.merge(CompactHistogram());
  downward.merge(low);
  EXPECT_EQ(upward, all);
  EXPECT_EQ(downward, all);
  EXPECT_EQ(upward.percentile(75), all.percentile(75));
  EXPECT_FALSE(low == high);
}

TEST(CompactHistogram, AClearedOneEqualsAFreshOneThoughItKeepsItsMemory) {
  CompactHistogram histogram;
  histogram.record(5ms);
  histogram.clear();
  EXPECT_EQ(histogram, CompactHistogram());
  histogram.record(1us);
  CompactHistogram fresh;
  fresh.record(1us);
  EXPECT_EQ(histogram, fresh);
}

}  // namespace
}  // namespace edagen
