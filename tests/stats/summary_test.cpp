#include "stats/summary.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using Values = std::vector<double>;

TEST(Mean, OfNothingIsZero) {
  EXPECT_EQ(mean_of(Values{1, 2, 6}), 3);
  EXPECT_EQ(mean_of(Values{}), 0);
}

TEST(Variance, IsThatOfASample) {
  EXPECT_EQ(variance_of(Values{1, 2, 6}), 7);
  EXPECT_EQ(variance_of(Values{5}), 0);
}

TEST(Quantile, LiesBetweenNeighbours) {
  EXPECT_EQ(quantile_of({4, 3, 2, 1, 0}, 0.25), 1);
  EXPECT_EQ(quantile_of({3, 2, 1, 0}, 0.25), 0.75);
  EXPECT_EQ(quantile_of({3, 2, 1, 0}, 0), 0);
  EXPECT_EQ(quantile_of({3, 2, 1, 0}, 1), 3);
}

TEST(Median, OfAnEvenNumberIsTheMiddleOfTwo) {
  EXPECT_EQ(median_of({5, 1, 9}), 5);
  EXPECT_EQ(median_of({5, 1, 9, 6}), 5.5);
  EXPECT_EQ(median_of({7}), 7);
}

}  // namespace
}  // namespace edagen
