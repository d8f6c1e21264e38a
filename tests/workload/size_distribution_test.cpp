#include "edagen/parts/size_distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace edagen {
namespace {

double sampled_mean(const SizeDistribution& sizes, Bytes& least, Bytes& most) {
  Random random(5);
  double total = 0;
  least = sizes.max(), most = 0;
  constexpr int draws = 200'000;
  for (int i = 0; i < draws; ++i) {
    const Bytes size = sizes.sample(random);
    least = std::min(least, size), most = std::max(most, size);
    total += static_cast<double>(size);
  }
  return total / draws;
}

TEST(SizeDistribution, FixedSizesAreAlwaysTheSame) {
  Bytes least = 0, most = 0;
  EXPECT_DOUBLE_EQ(sampled_mean(SizeDistribution::fixed(16 * KiB), least, most), 16 * KiB);
  EXPECT_TRUE(SizeDistribution::fixed(1).is_fixed());
}

TEST(SizeDistribution, UniformSizesReachBothEnds) {
  Bytes least = 0, most = 0;
  const auto sizes = SizeDistribution::uniform(1, 100);
  EXPECT_NEAR(sampled_mean(sizes, least, most), 50.5, 0.3);
  EXPECT_EQ(least, 1);
  EXPECT_EQ(most, 100);
}

TEST(SizeDistribution, AWeightedListHasTheMeanOfItsSlots) {
  // The published front-end reads: 11.3 KiB on average.
  const auto reads = SizeDistribution::weighted(
      {{1, 511, 4}, {2048, 4095, 2}, {4096, 8191, 43}, {8192, 16383, 30}, {16384, 32767, 21}});
  Bytes least = 0, most = 0;
  EXPECT_NEAR(reads.mean() / KiB, 11.3, 0.15);
  EXPECT_NEAR(sampled_mean(reads, least, most), reads.mean(), 0.01 * reads.mean());
}

TEST(SizeDistribution, HalfOfTheLognormalSizesLieBelowTheMedian) {
  const auto sizes = SizeDistribution::lognormal(64 * KiB, 1.5, 1, 64 * MiB);
  Random random(6);
  int below = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Bytes size = sizes.sample(random);
    ASSERT_GE(size, 1);
    ASSERT_LE(size, 64 * MiB);
    below += size < 64 * KiB ? 1 : 0;
  }
  EXPECT_NEAR(below, 50'000, 700);
}

TEST(SizeDistribution, TheMeanOfLognormalSizesIsThatOfTheClampedOnes) {
  Bytes least = 0, most = 0;
  for (const auto& sizes :
       {SizeDistribution::lognormal(16 * KiB, 5, 1, MiB), SizeDistribution::lognormal(64 * KiB, 1.5, 32 * KiB, GiB),
        SizeDistribution::lognormal(MiB, 10, 4 * KiB, MiB)})
    EXPECT_NEAR(sampled_mean(sizes, least, most), sizes.mean(), 0.02 * sizes.mean());
}

TEST(SizeDistribution, LognormalSizesMayHaveAMedianOfOneByte) {
  Bytes least = 0, most = 0;
  EXPECT_LT(sampled_mean(SizeDistribution::lognormal(1, 0.5, 1, GiB), least, most), 2);
  EXPECT_LT(most, 100);
}

}  // namespace
}  // namespace edagen
