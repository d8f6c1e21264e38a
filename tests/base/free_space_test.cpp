#include "base/free_space.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(FreeSpace, IsThatOfTheFileSystemOfAPath) {
  const testing::TemporaryDirectory directory;
  const auto space = free_space(directory.path());
  ASSERT_TRUE(space);
  ASSERT_TRUE(space->bytes);
  EXPECT_GT(*space->bytes, 0);
  EXPECT_LE(*space->bytes, static_cast<double>(std::filesystem::space(directory.path()).capacity));
}

TEST(FreeSpace, OfAFileSystemThatCountsNoBlocksIsNotKnown) {
  const auto space = free_space("/proc");
  ASSERT_TRUE(space);
  EXPECT_FALSE(space->bytes) << "a FUSE file system without statfs counts none either, and may have room";
}

TEST(FreeSpace, IsNotKnownWhereThereIsNoPath) {
  EXPECT_FALSE(free_space("/none/such"));
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace edagen
