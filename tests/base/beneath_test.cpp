#include "base/beneath.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>

#include "support/bind_mount.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

/// By openat2 and by steps: the same answers.
class BeneathTest : public ::testing::TestWithParam<decltype(&open_beneath)> {
 protected:
  BeneathTest() {
    fs::create_directories(top_ / "a/b");
    top_.write("a/b/file", "old");
    outside_.write("file", "foreign");
    directory_ = Descriptor(::open(top_.path().c_str(), O_RDONLY | O_DIRECTORY));
  }
  Descriptor open(const char* path, int flags, mode_t mode = 0) const {
    return GetParam()(directory_.get(), path, flags, mode);
  }
  int error_of(const char* path, int flags) const {
    errno = 0;
    EXPECT_FALSE(open(path, flags)) << path;
    return errno;
  }

  testing::TemporaryDirectory top_, outside_;
  Descriptor directory_;
};

TEST_P(BeneathTest, WhatLiesBelowIsOpenedMadeAndCutOffAsByOpenat) {
  EXPECT_TRUE(open("a/b/file", O_RDONLY));
  EXPECT_TRUE(open("a", O_PATH | O_DIRECTORY));
  EXPECT_TRUE(open("a/b/new", O_WRONLY | O_CREAT | O_EXCL, 0640));
  struct stat info {};
  EXPECT_EQ(::stat((top_ / "a/b/new").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u & ~0022u);
  EXPECT_TRUE(open("a/b/file", O_WRONLY | O_TRUNC));
  EXPECT_EQ(fs::file_size(top_ / "a/b/file"), 0u);
  EXPECT_EQ(error_of("a/none", O_RDONLY), ENOENT);
}

TEST_P(BeneathTest, NoComponentMayBeALink) {
  fs::create_directory_symlink(outside_.path(), top_ / "link");
  fs::create_symlink(outside_ / "file", top_ / "a/file");
  EXPECT_EQ(error_of("link/file", O_WRONLY), ELOOP);
  EXPECT_EQ(error_of("a/file", O_WRONLY | O_TRUNC), ELOOP);
  EXPECT_NE(error_of("link", O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(fs::file_size(outside_ / "file"), 7u);
}

TEST_P(BeneathTest, ThePathMayNotLeadOut) {
  EXPECT_EQ(error_of("a/../../x", O_RDONLY), EXDEV);
  EXPECT_EQ(error_of("..", O_RDONLY), EXDEV);
}

TEST_P(BeneathTest, NoComponentMayBeABindMountOfTheSameFileSystem) {
  const testing::BindMount directory(outside_.path(), top_ / "a/b");
  if (!directory.mounted()) EDAGEN_SKIP("mounting is not allowed");
  EXPECT_EQ(error_of("a/b/file", O_RDONLY), EXDEV);
  EXPECT_EQ(error_of("a/b", O_RDONLY | O_DIRECTORY), EXDEV);
}

TEST_P(BeneathTest, AFileThatIsBoundToAnotherIsNotCutOff) {
  const testing::BindMount file(outside_ / "file", top_ / "a/b/file");
  if (!file.mounted()) EDAGEN_SKIP("mounting is not allowed");
  EXPECT_EQ(error_of("a/b/file", O_WRONLY | O_TRUNC), EXDEV);
  EXPECT_EQ(fs::file_size(outside_ / "file"), 7u);
}

INSTANTIATE_TEST_SUITE_P(Ways, BeneathTest, ::testing::Values(&open_beneath, &open_beneath_by_steps),
                         [](const auto& param) { return param.param == &open_beneath ? "openat2" : "steps"; });

}  // namespace
}  // namespace edagen
