#include "base/usable_processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <thread>

namespace edagen {
namespace {

TEST(UsableProcessors, AreThoseThatAThreadIsBoundTo) {
  const std::vector<std::size_t> before = usable_processors();
  ASSERT_FALSE(before.empty());
  EXPECT_TRUE(std::ranges::is_sorted(before));
  EXPECT_EQ(usable_processor_count(), before.size());
  std::vector<std::size_t> bound;
  std::size_t count = 0;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(before.back(), &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
    bound = usable_processors();
    count = usable_processor_count();
  }).join();
  EXPECT_EQ(bound, std::vector<std::size_t>{before.back()});
  EXPECT_EQ(count, 1u);
}

}  // namespace
}  // namespace edagen
