#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "support/skip.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

Descriptor opened(const std::string& path) { return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY)); }

TEST(TemporaryFile, IsReadAndWrittenAndHasNoName) {
  const testing::TemporaryDirectory directory;
  const Descriptor file = temporary_file(opened(directory.path()).get());
  ASSERT_TRUE(file);
  EXPECT_EQ(::write(file.get(), "abc", 3), 3);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(TemporaryFile, LeavesNoNameWhereTheFileSystemHasNoNamelessFiles) {
  const testing::StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const Descriptor directory = opened(fs.path());
  {
    const Descriptor file = temporary_file(directory.get());
    ASSERT_TRUE(file);
    EXPECT_EQ(::write(file.get(), "abc", 3), 3);
  }
  // FUSE keeps a hidden name for a removed file that is open. It removes this name a moment after close(2) returns.
  for (int left = 1000; left > 0 && !std::filesystem::is_empty(fs.path()); --left)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(std::filesystem::is_empty(fs.path()));
}

}  // namespace
}  // namespace edagen
