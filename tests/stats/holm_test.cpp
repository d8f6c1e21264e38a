#include "stats/holm.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using Values = std::vector<double>;

TEST(Holm, SeveralProbabilitiesAreAdjustedForTheirNumber) {
  // 0.005 x 4, 0.01 x 3, 0.03 x 2 and 0.04 x 1 that is raised to the one before.
  const Values adjusted = holm_adjusted(Values{0.01, 0.04, 0.03, 0.005});
  const Values expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
  EXPECT_EQ(holm_adjusted(Values{0.9, 0.8}), (Values{1, 1}));
  EXPECT_EQ(holm_adjusted(Values{0.04}), Values{0.04});
  EXPECT_TRUE(holm_adjusted(Values{}).empty());
}

}  // namespace
}  // namespace edagen
