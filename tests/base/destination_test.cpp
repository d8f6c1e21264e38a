#include "base/destination.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

constexpr uid_t another_user = 12345;

/// A directory as /tmp is, in a directory of this user.
class SharedDirectory : public ::testing::Test {
 protected:
  SharedDirectory() {
    fs::create_directory(shared_);
    ::chmod(shared_.c_str(), 01777);
  }
  void SetUp() override {
    if (::geteuid() != 0) EDAGEN_SKIP("needs root, to make links of another user");
  }
  std::string link_of(uid_t user, const std::string& target, const std::string& name = "link") const {
    fs::create_symlink(target, shared_ + "/" + name);
    EXPECT_EQ(::lchown((shared_ + "/" + name).c_str(), user, user), 0);
    return shared_ + "/" + name;
  }
  static int error_of(const std::string& path) {
    try {
      destination_of(path);
      return 0;
    } catch (const std::system_error& error) {
      return error.code().value();
    }
  }

  TemporaryDirectory here_;
  std::string shared_ = here_ / "shared", file_ = here_.write("file", "precious");
};

TEST_F(SharedDirectory, ALinkOfAnotherUserIsNotFollowedWhateverItLeadsTo) {
  EXPECT_EQ(error_of(link_of(another_user, file_, "to-a-file")), EACCES);
  EXPECT_EQ(error_of(link_of(another_user, here_ / "none", "to-nothing")), EACCES);
  EXPECT_EQ(error_of(link_of(another_user, "/dev/null", "to-a-device")), EACCES);
  EXPECT_EQ(error_of(link_of(another_user, "/proc/self/fd/2", "to-a-descriptor")), EACCES);
}

TEST_F(SharedDirectory, ALinkToALinkOfAnotherUserIsNotFollowedEither) {
  const std::string of_another = link_of(another_user, file_);
  fs::create_symlink(of_another, here_ / "own");
  EXPECT_EQ(error_of(here_ / "own"), EACCES);
}

TEST_F(SharedDirectory, OwnLinksAndThoseOfTheDirectorysOwnerAreFollowed) {
  EXPECT_EQ(destination_of(link_of(::geteuid(), file_, "own")).path(), file_);
  ASSERT_EQ(::chown(shared_.c_str(), another_user, another_user), 0);
  EXPECT_EQ(destination_of(link_of(another_user, file_, "of-the-owner")).path(), file_);
}

TEST_F(SharedDirectory, InADirectoryThatIsNotStickyTheOwnerDecides) {
  ::chmod(shared_.c_str(), 0755);
  EXPECT_EQ(destination_of(link_of(another_user, file_)).path(), file_);
}

TEST(Destination, IsTheLastLinksEndAlsoWhenNothingIsThere) {
  const TemporaryDirectory here;
  fs::create_directory(here / "d");
  fs::create_symlink("d/two", here / "one");
  fs::create_symlink("../end", here / "d/two");
  EXPECT_EQ(destination_of(here / "one").path(), here / "end");
  EXPECT_FALSE(destination_of(here / "one").open(O_RDONLY));
  EXPECT_TRUE(destination_of(here / "one").open(O_WRONLY | O_CREAT, 0600));
  EXPECT_TRUE(fs::exists(here / "end"));
}

TEST(Destination, OfLinksInACircleIsAnError) {
  const TemporaryDirectory here;
  fs::create_symlink("b", here / "a");
  fs::create_symlink("a", here / "b");
  EXPECT_THROW(destination_of(here / "a"), std::system_error);
}

TEST(Destination, StaysInItsDirectoryWhenThePathLeadsElsewhereByThen) {
  const TemporaryDirectory here;
  fs::create_directory(here / "d");
  const Destination to = destination_of(here / "d/file");
  fs::rename(here / "d", here / "moved");
  fs::create_directory_symlink("/nonexistent", here / "d");
  EXPECT_TRUE(to.open(O_WRONLY | O_CREAT, 0600));
  EXPECT_TRUE(fs::exists(here / "moved/file"));
}

TEST(Destination, ALinkThatTakesThePlaceOfTheFileIsNotFollowed) {
  const TemporaryDirectory here;
  const std::string victim = here.write("victim", "precious");
  const Destination to = destination_of(here.write("file", ""));
  fs::remove(here / "file");
  fs::create_symlink(victim, here / "file");
  EXPECT_FALSE(to.open(O_WRONLY | O_TRUNC));
  EXPECT_EQ(fs::file_size(victim), 8u);
}

TEST(Destination, InADirectoryThatIsGivenIsTheLastNameOfThePath) {
  const TemporaryDirectory here;
  const Descriptor directory(::open(here.path().c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_EQ(destination_of("/nonexistent/file", directory.get()).path(), here / "file");
}

TEST(Destination, StandardOutputByItsNameInProcIsOpenedAsItIs) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const Descriptor reader(pipe[0]), writer(pipe[1]);
  const Destination to = destination_of("/proc/self/fd/" + std::to_string(writer.get()));
  EXPECT_TRUE(to.is_stream());
  EXPECT_TRUE(to.open(O_WRONLY));
}

}  // namespace
}  // namespace edagen
