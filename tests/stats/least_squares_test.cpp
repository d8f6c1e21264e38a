#include "stats/least_squares.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace edagen {
namespace {

using Points = std::vector<WeightedPoint>;

TEST(LeastSquares, FindTheLineOfATextbook) {
  // Anscombe's first data set (The American Statistician 27, 1973): y = 3.0001 + 0.5001 x, residual sum of
  // squares 13.76.
  const Points points = {{10, 8.04}, {8, 6.95}, {13, 7.58},  {9, 8.81}, {11, 8.33}, {14, 9.96},
                         {6, 7.24},  {4, 4.26}, {12, 10.84}, {7, 4.82}, {5, 5.68}};
  const auto fit = least_squares(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, 0.50009, 1e-5);
  EXPECT_NEAR(fit->at_center - fit->slope * fit->center, 3.00009, 1e-5);
  EXPECT_NEAR(fit->residuals, 13.76269, 1e-5);
  EXPECT_NEAR(fit->spread, 110, 1e-9);
}

TEST(LeastSquares, WeighAPointLikeSoManyPoints) {
  const auto weighted = least_squares(Points{{0, 0, 1}, {1, 3, 2}, {2, 2, 1}});
  const auto repeated = least_squares(Points{{0, 0}, {1, 3}, {1, 3}, {2, 2}});
  ASSERT_TRUE(weighted && repeated);
  EXPECT_DOUBLE_EQ(weighted->slope, repeated->slope);
  EXPECT_DOUBLE_EQ(weighted->at_center, repeated->at_center);
  EXPECT_DOUBLE_EQ(weighted->residuals, repeated->residuals);
}

TEST(LeastSquares, HaveNoLineThroughOneX) {
  EXPECT_FALSE(least_squares(Points{}));
  EXPECT_FALSE(least_squares(Points{{1, 1}, {1, 2}}));
}

}  // namespace
}  // namespace edagen
