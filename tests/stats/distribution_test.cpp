#include "stats/distribution.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace edagen {
namespace {

TEST(StudentQuantile,
     IsThatOfTheTables) {  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, with more digits
  EXPECT_NEAR(student_quantile(0.95, 1), 12.706204736, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 2), 4.302652730, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 3), 3.182446305, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 5), 2.570581836, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 19), 2.093024054, 1e-6);
  EXPECT_NEAR(student_quantile(0.99, 10), 3.169272673, 1e-6);
  EXPECT_NEAR(student_quantile(0.99, 4), 4.604094871, 1e-6);
}

TEST(StudentQuantile, ApproachesTheNormalOne) {
  EXPECT_GT(student_quantile(0.95, 1000), normal_quantile(0.95));
  EXPECT_NEAR(student_quantile(0.95, 10'000'000), normal_quantile(0.95), 1e-6);
}

TEST(StudentQuantile, CountsNoDegreeOfFreedomAsOne) { EXPECT_EQ(student_quantile(0.95, 0), student_quantile(0.95, 1)); }

TEST(NormalQuantile, IsThatOfTheTables) {
  EXPECT_NEAR(normal_quantile(0.90), 1.644853627, 1e-6);
  EXPECT_NEAR(normal_quantile(0.95), 1.959963985, 1e-6);
  EXPECT_NEAR(normal_quantile(0.99), 2.575829304, 1e-6);
}

TEST(Distribution, TheProbabilityOfAQuantileIsWhatIsLeft) {
  for (const int df : {1, 2, 5, 30}) EXPECT_NEAR(student_two_sided_p(student_quantile(0.95, df), df), 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(student_two_sided_p(0, 4), 1);
  EXPECT_DOUBLE_EQ(student_two_sided_p(-3, 4), student_two_sided_p(3, 4));
  EXPECT_DOUBLE_EQ(student_two_sided_p(std::numeric_limits<double>::infinity(), 4), 0);
}

TEST(Distribution, OneSidedQuantilesTakeFractionsOfDegreesOfFreedom) {
  EXPECT_NEAR(student_upper_quantile(0.025, 10), student_quantile(0.95, 10), 1e-9);
  EXPECT_NEAR(student_upper_p(student_upper_quantile(0.01, 4.5), 4.5), 0.01, 1e-12);
  EXPECT_GT(student_upper_quantile(0.01, 4.5), student_upper_quantile(0.01, 5));
  EXPECT_DOUBLE_EQ(student_upper_p(0, 3), 0.5);
}

}  // namespace
}  // namespace edagen
