#include "edagen/parts/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace edagen {
namespace {

TEST(Random, TheSameSeedGivesTheSameSequence) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  std::vector<int> counts(10);
  for (int i = 0; i < 100'000; ++i) ++counts[random.below(10)];
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_squared, 27.9);  // 9 degrees of freedom, 0.1 %
}

TEST(Random, ChancesAreKept) {
  Random random(2);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += random.chance_percent(15) ? 1 : 0;
  EXPECT_NEAR(hits, 15'000, 500);
  EXPECT_FALSE(random.chance_percent(0));
  EXPECT_TRUE(random.chance_percent(100));
}

TEST(Random, VariatesOfASeedStayTheSame) {
  Random random(7);
  EXPECT_NEAR(random.exponential(), 0.467600332791392, 1e-12);
  EXPECT_NEAR(random.normal(), -0.837071101694502, 1e-12);
}

TEST(Random, VariatesHaveTheirDistributionsMoments) {
  Random random(3);
  constexpr int count = 100'000;
  double exponential = 0, exponential_squares = 0, normal = 0, normal_squares = 0;
  for (int i = 0; i < count; ++i) {
    const double e = random.exponential(), n = random.normal();
    exponential += e / count, exponential_squares += e * e / count;
    normal += n / count, normal_squares += n * n / count;
  }
  EXPECT_NEAR(exponential, 1, 0.02);
  EXPECT_NEAR(exponential_squares, 2, 0.1);
  EXPECT_NEAR(normal, 0, 0.02);
  EXPECT_NEAR(normal_squares, 1, 0.03);
}

TEST(Random, SeedsOfDifferentPurposesDiffer) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t parent = 0; parent < 100; ++parent)
    for (std::uint64_t label = 0; label < 100; ++label) seeds.insert(derive_seed(parent, label));
  EXPECT_EQ(seeds.size(), 10'000u);
}

}  // namespace
}  // namespace edagen
