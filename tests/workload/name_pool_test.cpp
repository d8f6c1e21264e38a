#include "workload/name_pool.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(NamePool, TheInitialNamesExist) {
  const NamePool pool(70, 140);
  EXPECT_EQ(pool.count(), 70u);
  EXPECT_TRUE(pool.exists(69));
  EXPECT_FALSE(pool.exists(70));
}

TEST(NamePool, OnlyExistingNamesArePickedAsExistingAndOnlyFreeOnesAsFree) {
  NamePool pool(10, 20);
  Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    const auto there = pool.pick_existing(random);
    const auto free = pool.pick_free(random);
    ASSERT_TRUE(!there || pool.exists(*there));
    ASSERT_TRUE(!free || (!pool.exists(*free) && *free < 20));
    if (random.below(2) == 0 && there) pool.erase(*there);
    else if (free) pool.insert(*free);
  }
}

TEST(NamePool, AnEmptyPoolHasNothingToPickAndAFullOneNothingFree) {
  Random random(2);
  NamePool pool(1, 1);
  EXPECT_FALSE(pool.pick_free(random));
  pool.erase(0);
  EXPECT_FALSE(pool.pick_existing(random));
  EXPECT_EQ(pool.pick_free(random), 0u);
}

TEST(NamePool, TheLastFreeNameAndTheLastExistingOneAreFound) {
  Random random(3);
  NamePool pool(1000, 1000);
  pool.erase(777);
  EXPECT_EQ(pool.pick_free(random), 777u);
  NamePool one(1000, 2000);
  for (std::uint64_t i = 0; i < 1000; ++i)
    if (i != 123) one.erase(i);
  EXPECT_EQ(one.pick_existing(random), 123u);
}

}  // namespace
}  // namespace edagen
