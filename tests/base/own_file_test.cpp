#include "base/own_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "edagen/error.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

TEST(OwnDirectory, IsRefusedWhenOthersMayWriteThere) {
  const TemporaryDirectory here;
  EXPECT_NO_THROW(OwnDirectory(here.path()));
  for (const mode_t mode : {0777, 0775, 01777, 0757}) {
    ::chmod(here.path().c_str(), mode);
    EXPECT_THROW(OwnDirectory(here.path()), Error) << std::oct << mode;
  }
}

TEST(OwnDirectory, OfAnotherUserIsRefused) {
  if (::geteuid() != 0) EDAGEN_SKIP("needs root, to give a directory away");
  const TemporaryDirectory here;
  ASSERT_EQ(::chown(here.path().c_str(), 12345, 12345), 0);
  EXPECT_THROW(OwnDirectory(here.path()), Error);
}

TEST(OwnDirectory, BeneathAnotherIsMadeForItsOwnerAloneWhateverTheUmaskIs) {
  const TemporaryDirectory here;
  const OwnDirectory above(here.path());
  const mode_t before = ::umask(0);
  const OwnDirectory made(above, "results");
  ::umask(before);
  EXPECT_EQ(mode_of(here / "results"), mode_t{0755});
  EXPECT_THROW(OwnDirectory(above, "results", true), Error) << "it is not new";
}

TEST(OwnDirectory, BeneathAnotherFollowsNoLink) {
  const TemporaryDirectory here, elsewhere;
  fs::create_directory_symlink(elsewhere.path(), here / "results");
  EXPECT_THROW(OwnDirectory(OwnDirectory(here.path()), "results"), Error);
}

TEST(OwnDirectory, GivesOnlyFilesThatNobodyElseCanHavePutThere) {
  const TemporaryDirectory here;
  const OwnDirectory own(here.path());
  fs::create_symlink(here.write("victim", ""), here / "link");
  fs::create_hard_link(here / "victim", here / "hard");
  ASSERT_EQ(::mkfifo((here / "fifo").c_str(), 0600), 0);
  ::chmod(here.write("shared", "").c_str(), 0666);
  for (const char* const name : {"link", "hard", "fifo", "shared"})
    EXPECT_THROW(own.open(name, O_RDWR | O_CREAT), Error) << name;
  EXPECT_FALSE(own.open("none", O_RDWR));
  EXPECT_TRUE(own.open("new", O_RDWR | O_CREAT));
  EXPECT_EQ(mode_of(here / "new"), mode_t{0600}) << "who may read a lock may hold it";
}

}  // namespace
}  // namespace edagen
