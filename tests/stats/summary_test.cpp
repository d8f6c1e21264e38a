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

TEST(Median, OfAnEvenNumberIsTheMiddleOfTwo) {
  EXPECT_EQ(median_of({5, 1, 9}), 5);
  EXPECT_EQ(median_of({5, 1, 9, 6}), 5.5);
  EXPECT_EQ(median_of({7}), 7);
}

}  // namespace
}  // namespace edagen
