#include "edagen/parts/alias_table.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(AliasTable, IndexesAreDrawnWithTheirWeights) {
  const std::vector<double> weights = {39, 15, 0.5, 0.5, 45};
  const AliasTable table(weights);
  Random random(3);
  std::vector<int> counts(weights.size());
  constexpr int draws = 1'000'000;
  for (int i = 0; i < draws; ++i) ++counts[table.sample(random)];
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(counts[i], draws * weights[i] / 100, 2500) << i;
}

TEST(AliasTable, AWeightOfZeroIsNeverDrawn) {
  const AliasTable table(std::vector<double>{0, 3, 0});
  Random random(4);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(table.sample(random), 1u);
}

}  // namespace
}  // namespace edagen
