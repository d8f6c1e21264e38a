#include "stats/outliers.hpp"

#include <gtest/gtest.h>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

using Places = std::vector<std::size_t>;

TEST(Outliers, TheExampleOfRosnerHasThree) {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17.3: 54 values, three outliers at 5 %.
  const std::vector<double> values = {
      -0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56, 1.58, 1.65, 1.69, 1.70,
      1.76,  1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10, 2.14, 2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.40,
      2.47,  2.54, 2.62, 2.64, 2.90, 2.92, 2.92, 2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01};
  EXPECT_EQ(outliers_of(values, 10, 0.05), (Places{51, 52, 53}));
}

TEST(Outliers, TwoOfThemDoNotHideEachOther) {
  EXPECT_EQ(outliers_of(std::vector<double>{1, 50, 1.1, 0.9, 1.05, 49, 0.95, 1, 1.02, 0.98}, 3, 0.01), (Places{1, 5}));
}

TEST(Outliers, FewOrEqualValuesHaveNone) {
  EXPECT_TRUE(outliers_of(std::vector<double>{1, 1, 1, 1, 9}, 2, 0.05).empty());
  EXPECT_TRUE(outliers_of(std::vector<double>(20, 1.0), 5, 0.05).empty());
}

TEST(Outliers, NormalValuesHaveOneAsOftenAsIsSaid) {
  Random random(1);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> values(20);
    for (double& value : values) value = random.normal();
    if (!outliers_of(values, 5, 0.05).empty()) ++found;
  }
  EXPECT_GT(found, 40);
  EXPECT_LT(found, 140);
}

}  // namespace
}  // namespace edagen
