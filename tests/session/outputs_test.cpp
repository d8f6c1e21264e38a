#include "session/outputs.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "base/descriptor.hpp"
#include "edagen/error.hpp"
#include "support/file_size_limit.hpp"
#include "support/quiet_watch.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory, testing::text_of;

std::size_t files_in(const TemporaryDirectory& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(Outputs, AFileIsReplacedAsAWholeAndKeepsItsMode) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("r.json", "old and longer");
  fs::permissions(path, fs::perms(0640));
  write_text({"--json", path}, "new");
  EXPECT_EQ(text_of(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  EXPECT_EQ(files_in(folder), 1u) << "nothing is left beside it";
}

TEST(Outputs, ALinkStaysALink) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("r.json", "old");
  fs::create_symlink(path, folder / "link");
  write_text({"--json", folder / "link"}, "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(text_of(path), "new");
}

TEST(Outputs, ALinkToNothingMakesWhatItNames) {
  const TemporaryDirectory folder;
  testing::QuietWatch watch;
  fs::create_symlink("there.json", folder / "link");
  check_places({{"--json", folder / "link"}}, {}, {}, watch);
  write_text({"--json", folder / "link"}, "new");
  EXPECT_EQ(text_of(folder / "there.json"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

TEST(Outputs, ALinkOfAnotherUserInASharedDirectoryIsRefusedAndWhatItLeadsToIsNotTouched) {
  if (::geteuid() != 0) EDAGEN_SKIP("needs root, to make a link of another user");
  const TemporaryDirectory folder;
  testing::QuietWatch watch;
  const std::string victim = folder.write("victim", "precious");
  fs::create_directory(folder / "tmp");
  fs::permissions(folder / "tmp", fs::perms(01777));
  for (const std::string& target : {victim, folder / "none"}) {
    const Place place{"--json", folder / "tmp/link"};
    fs::create_symlink(target, place.path);
    ASSERT_EQ(::lchown(place.path.c_str(), 12345, 12345), 0);
    EXPECT_THROW(check_places({place}, {}, {}, watch), Error);
    EXPECT_THROW(check_places({place}, {}, {}, watch, false), Error);
    EXPECT_THROW(write_text(place, "new"), Error);
    fs::remove(place.path);
  }
  EXPECT_EQ(text_of(victim), "precious");
  EXPECT_EQ(files_in(folder), 2u);
}

TEST(Outputs, ABitThatGivesRightsIsNotKept) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("r.json", "old");
  for (const mode_t mode : {04755, 02755, 01644}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    write_text({"--json", path}, "new");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms(mode & 0777));
  }
}

TEST(Outputs, AFileInADirectoryThatIsOpenIsWrittenThereWhateverThePathLeadsTo) {
  const TemporaryDirectory folder;
  fs::create_directory(folder / "night");
  const Descriptor night(::open((folder / "night").c_str(), O_RDONLY | O_DIRECTORY));
  const Place place{"result", folder / "night/r.json", night.get()};
  fs::rename(folder / "night", folder / "moved");
  fs::create_directory(folder / "night");
  const std::string victim = folder.write("victim", "precious");
  fs::create_symlink(victim, place.path);
  write_text(place, "new");
  EXPECT_EQ(text_of(victim), "precious");
  EXPECT_EQ(text_of(folder / "moved/r.json"), "new");
}

TEST(Outputs, AFileWithTwoNamesOrTheLongestNameIsWrittenInPlace) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("r.json", "old"), longest = folder / std::string(255, 'x');
  fs::create_hard_link(path, folder / "other");
  write_text({"--json", path}, "new");
  EXPECT_EQ(text_of(folder / "other"), "new");
  write_text({"--json", longest}, "new");
  EXPECT_EQ(text_of(longest), "new");
}

TEST(Outputs, WhatCannotBeWrittenLeavesWhatWasThere) {
  if (!fs::exists("/dev/full")) GTEST_FAIL() << "this is no Linux";
  EXPECT_THROW(write_text({"--json", "/dev/full"}, "x"), Error);
  const TemporaryDirectory folder;
  EXPECT_THROW(write_text({"--json", folder / "none/r.json"}, "x"), Error);
  EXPECT_EQ(files_in(folder), 0u);
  const std::string path = folder.write("r.json", "old");
  {
    const testing::FileSizeLimit limit(8);
    EXPECT_THROW(write_text({"--json", path}, "more than there is room for"), Error);
  }
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(files_in(folder), 1u) << "and no part of the new one";
}

TEST(Outputs, APartThatAProcessOfTheSameNumberHasLeftIsNoReasonToWriteInPlace) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("r.json", "old");
  folder.write("r.json." + std::to_string(::getpid()) + ".part", "of a process that was killed");
  const testing::FileSizeLimit limit(8);
  EXPECT_THROW(write_text({"--json", path}, "more than there is room for"), Error);
  EXPECT_EQ(text_of(path), "old");
}

TEST(Outputs, OneThatFailsKeepsNoneOfTheOthers) {
  const TemporaryDirectory folder;
  testing::QuietWatch watch;
  const std::vector<Output<Result>> outputs = {
      {{"--json", folder / "none/r.json"}, [](const Result&) { return std::string("json"); }, true},
      {{"--csv", folder / "r.csv"}, [](const Result&) { return std::string("csv"); }, false}};
  EXPECT_FALSE(write_outputs(outputs, Result(), watch));
  EXPECT_EQ(text_of(folder / "r.csv"), "csv");
}

TEST(Outputs, TwoHardLinksOfOneFileAndASocketAreRefused) {
  const TemporaryDirectory folder;
  testing::QuietWatch watch;
  const std::string path = folder.write("r.json", "old");
  fs::create_hard_link(path, folder / "r.csv");
  EXPECT_THROW(check_places({{"--json", path}, {"--csv", folder / "r.csv"}}, {}, {}, watch), Error);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT((folder / "socket").size(), sizeof address.sun_path);
  (folder / "socket").copy(address.sun_path, sizeof address.sun_path - 1);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const bool touching : {true, false})
    EXPECT_THROW(check_places({{"--json", folder / "socket"}}, {}, {}, watch, touching), Error);
  EXPECT_EQ(text_of(path), "old");
}

TEST(Outputs, PlacesAreCheckedAndNothingIsMade) {
  const TemporaryDirectory folder;
  testing::QuietWatch watch;
  check_places({{"--json", folder / "r.json"}, {"--csv", folder / "r.csv"}}, {}, {}, watch);
  EXPECT_EQ(files_in(folder), 0u);
  const std::string workload = folder.write("w.json", "{}");
  fs::create_symlink(workload, folder / "link");
  const auto refused = [&](const std::vector<Place>& places) {
    check_places(places, {workload}, {folder.path()}, watch);
  };
  EXPECT_THROW(refused({{"--json", workload}}), Error) << "an input";
  EXPECT_THROW(refused({{"--json", folder / "link"}}), Error) << "an input by another name";
  EXPECT_THROW(refused({{"--json", folder / "a"}, {"--csv", folder / "./a"}}), Error) << "one file";
  EXPECT_THROW(refused({{"--json", "-"}, {"--csv", "-"}}), Error) << "stdout twice";
  EXPECT_THROW(refused({{"--json", folder / "edagen.data/r"}}), Error) << "in the dataset";
  EXPECT_THROW(refused({{"--json", folder / "none/r"}}), Error);
  EXPECT_EQ(text_of(workload), "{}");
}

}  // namespace
}  // namespace edagen
