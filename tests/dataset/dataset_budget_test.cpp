#include "dataset/dataset_budget.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(DatasetBudget, IsATenthOfTheFreeSpaceOfEachVolumeByTheOneWithTheLeast) {
  EXPECT_DOUBLE_EQ(dataset_budget({{"a", 1000}}, 1), 100);
  EXPECT_DOUBLE_EQ(dataset_budget({{"a", 1000}, {"b", 400}, {"c", 5000}}, 3), 120);
  EXPECT_DOUBLE_EQ(dataset_budget({}, 1), 0);
}

TEST(DatasetBudget, AVolumeThatNoClientWorksOnAddsNoRoom) {
  EXPECT_DOUBLE_EQ(dataset_budget({{"a", 1000}, {"b", 1000}, {"c", 10}}, 1), 100);
  EXPECT_DOUBLE_EQ(dataset_budget({{"a", 1000}, {"b", 1000}, {"c", 10}}, 2), 200);
}

TEST(DatasetBudget, AVolumeThatOthersWriteToCountsOnceByItsFirstLook) {
  std::vector<MountSpace> shrinking, growing;
  for (int i = 0; i < 10; ++i) {
    shrinking.push_back({"a", 100'000 - 1000.0 * i});
    growing.push_back({"a", 100'000 + 70'000.0 * i});
  }
  EXPECT_DOUBLE_EQ(dataset_budget(shrinking, 10), 10'000);
  EXPECT_DOUBLE_EQ(dataset_budget(growing, 10), 10'000);
}

TEST(DatasetBudget, AMuchSmallerVolumeThatIsTakenForTheSameIsNotFilled) {
  EXPECT_DOUBLE_EQ(dataset_budget({{"a", 100'000}, {"a", 300}}, 2), 30);
  EXPECT_DOUBLE_EQ(dataset_budget({{"a", 300}, {"a", 100'000}}, 2), 30);
}

}  // namespace
}  // namespace edagen
