#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(Utf8, HasAColumnForEachCodePoint) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("äb▁"), 3u);
  EXPECT_EQ(code_points_of("äb▁"), 3u);
}

TEST(Utf8, HasTwoColumnsForAWideCharacter) {
  EXPECT_EQ(columns_of("/mnt/容量"), 9u);
  EXPECT_EQ(columns_of("볼륨ボリューム"), 14u);
  EXPECT_EQ(columns_of("💾"), 2u);
  EXPECT_EQ(code_points_of("/mnt/容量"), 7u);
  EXPECT_EQ(columns_of(std::string_view("容").substr(0, 2)), 1u) << "cut off within a character";
}

TEST(Utf8, IsCutBetweenCodePoints) {
  EXPECT_EQ(size_of_columns("äb▁c", 1), 2u);
  EXPECT_EQ(size_of_columns("äb▁c", 3), 6u);
  EXPECT_EQ(size_of_columns("äb▁c", 9), 7u);
  EXPECT_EQ(size_of_columns("äb", 0), 0u);
}

TEST(Utf8, IsCutBeforeAWideCharacterThatHasNoRoom) {
  EXPECT_EQ(size_of_columns("a容量", 2), 1u);
  EXPECT_EQ(size_of_columns("a容量", 3), 4u);
  EXPECT_EQ(size_of_columns("a容量", 4), 4u);
  EXPECT_EQ(size_of_columns("a容量", 5), 7u);
}

}  // namespace
}  // namespace edagen
