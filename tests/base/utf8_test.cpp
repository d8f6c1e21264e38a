#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(Utf8, HasAColumnForEachCodePoint) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("äb▁"), 3u);
}

TEST(Utf8, IsCutBetweenCodePoints) {
  EXPECT_EQ(size_of_columns("äb▁c", 1), 2u);
  EXPECT_EQ(size_of_columns("äb▁c", 3), 6u);
  EXPECT_EQ(size_of_columns("äb▁c", 9), 7u);
  EXPECT_EQ(size_of_columns("äb", 0), 0u);
}

}  // namespace
}  // namespace edagen
