#include "stats/repeats.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace edagen {
namespace {

TEST(Repeats, FiguresAreThoseOfATextbook) {
  // Student, n = 10: mean 0.75, s = 1.789, 95 % interval half-width 2.262 s / sqrt(10) (the sleep data of "Student",
  // 1908).
  const std::vector<double> sleep = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  const RepeatFigures figures = repeat_figures(sleep);
  EXPECT_NEAR(figures.mean, 0.75, 1e-12);
  EXPECT_NEAR(figures.standard_deviation, 1.78901, 1e-5);
  EXPECT_NEAR(figures.median, 0.35, 1e-12);
  EXPECT_NEAR(figures.low, 0.75 - 1.27978, 1e-3);
  EXPECT_NEAR(figures.high, 0.75 + 1.27978, 1e-3);
}

TEST(Repeats, OneValueHasNoSpread) {
  const RepeatFigures figures = repeat_figures(std::vector<double>{5});
  EXPECT_EQ(figures.mean, 5);
  EXPECT_EQ(figures.median, 5);
  EXPECT_EQ(figures.low, 5);
  EXPECT_EQ(figures.standard_deviation, 0);
}

}  // namespace
}  // namespace edagen
