#include "stats/linear_model.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(LinearModel, FindsTheCoefficientsOfRowsWithoutErrors) {
  const auto model = fit_linear_model({{1, 0, 2}, {1, 1, 0}, {1, 2, 5}, {1, 3, 1}}, std::vector<double>{8, 1, 15, 2});
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->coefficients[0], 2, 1e-9);
  EXPECT_NEAR(model->coefficients[1], -1, 1e-9);
  EXPECT_NEAR(model->coefficients[2], 3, 1e-9);
  EXPECT_NEAR(model->residual_variance, 0, 1e-12);
}

TEST(LinearModel, OfALineHasItsTextbookErrors) {
  // x = 1 to 5, y = 2 x + errors of 1, -1, 0, -1, 1: slope 2, residual variance 4 / 3, variance of the slope / 10.
  const auto model = fit_linear_model({{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}}, std::vector<double>{3, 3, 6, 7, 11});
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->coefficients[0], 0, 1e-9);
  EXPECT_NEAR(model->coefficients[1], 2, 1e-9);
  EXPECT_NEAR(model->residual_variance, 4.0 / 3, 1e-9);
  EXPECT_NEAR(model->covariance[1][1], 0.1, 1e-9);
  EXPECT_NEAR(model->covariance[0][0], 1.0 / 5 + 9.0 / 10, 1e-9);
}

TEST(LinearModel, IsNoneWhereRowsDoNotDetermineTheCoefficients) {
  EXPECT_FALSE(fit_linear_model({{1, 2}, {2, 4}, {3, 6}}, std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(fit_linear_model({{1, 2}}, std::vector<double>{1}));
  EXPECT_FALSE(fit_linear_model({}, std::vector<double>{}));
}

TEST(LinearModel, WithoutDegreesOfFreedomHasNoVariance) {
  const auto model = fit_linear_model({{1, 0}, {1, 1}}, std::vector<double>{5, 7});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->degrees_of_freedom, 0);
  EXPECT_EQ(model->residual_variance, 0);
}

TEST(LinearModel, TheInverseTimesTheMatrixIsOne) {
  const std::vector<std::vector<double>> matrix = {{4, 2, 0.5}, {2, 3, 1}, {0.5, 1, 2}};
  const auto inverse = inverse_of(matrix);
  ASSERT_TRUE(inverse);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < 3; ++k) product += matrix[i][k] * (*inverse)[k][j];
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-12);
    }
}

}  // namespace
}  // namespace edagen
