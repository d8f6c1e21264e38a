#include "nightly/night_store.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "edagen/error.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory, testing::text_of;

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

/// A history, and nights of a measurement "m" that write as a run does.
class Store : public ::testing::Test {
 protected:
  Store() {
    plan_.directory = here_ / "history";
    plan_.keep_results = 1;
  }
  /// The folder of the night, in which files of two runs are.
  std::string night() {
    NightStore store(plan_);
    Night night;
    night.started_at = store.tonight();
    night.measurements.push_back({"m", {}, {}, {}});
    std::string folder;
    for (const std::size_t run : {1u, 2u}) {
      const NightStore::RunFiles files = store.begin_run("m", 0, run);
      folder = fs::path(files.path).parent_path().string();
      for (const char* const ending : {".json", ".html"}) put(files.path + ending, "x");
    }
    store.keep(night);
    return folder;
  }

  TemporaryDirectory here_;
  NightPlan plan_;
};

TEST_F(Store, MakesRoomOfWhatANightWroteAndOfNothingElse) {
  const std::string first = night();
  for (const char* const name : {"my-analysis.html", "notes.json", "m-1-notes.json", "m-10.json", "m-1.json.bak",
                                 "m-1.json.1x.part", "old.jsonl", "x.part"})
    put(first + "/" + name, "mine");
  put(first + "/m-2.json.4711.part", "of a run that was killed");
  night();
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(first)) left.insert(entry.path().filename().string());
  EXPECT_EQ(left, (std::set<std::string>{"my-analysis.html", "notes.json", "m-1-notes.json", "m-10.json",
                                         "m-1.json.bak", "m-1.json.1x.part", "old.jsonl", "x.part"}));
}

TEST_F(Store, RemovesAFolderInWhichNothingElseIs) {
  const std::string first = night();
  night();
  EXPECT_FALSE(fs::exists(first));
}

TEST_F(Store, TakesANightWhoseLineWasTooOldToBeKeptForNoneThatDidNotEnd) {
  plan_.keep_results = 10;
  plan_.keep_nights = 1;
  for (int i = 0; i < 3; ++i) night();
  EXPECT_EQ(text_of(here_ / "history/nights.jsonl").find("incomplete"), std::string::npos);
  const NightStore store(plan_);
  EXPECT_EQ(store.nights().size(), 1u);
}

TEST_F(Store, MakesRoomOfNightsOfAnEarlierVersionByTheirLines) {
  fs::create_directories(here_ / "history/results/2026-01-31T01-00-00Z");
  const std::string folder = here_ / "history/results/2026-01-31T01-00-00Z/";
  for (const char* const name : {"edagen.night", "m-1.json", "m-1.html", "mine.html"}) put(folder + name, "");
  Night old;
  old.started_at = "2026-01-31T01:00:00Z";
  old.measurements.push_back({"m",
                              {},
                              {},
                              {{.started_at = old.started_at,
                                .file = "results/2026-01-31T01-00-00Z/m-1.json",
                                .reference = false,
                                .status = Status::complete,
                                .figures = {},
                                .invalid = {}}}});
  append_night(here_ / "history", old);
  night();
  night();
  EXPECT_FALSE(fs::exists(folder + "m-1.json"));
  EXPECT_FALSE(fs::exists(folder + "m-1.html"));
  EXPECT_TRUE(fs::exists(folder + "mine.html"));
}

TEST_F(Store, IsRefusedInADirectoryWhereOthersMayWrite) {
  night();
  for (const std::string& path : {here_ / "history", here_ / "history/results"}) {
    ::chmod(path.c_str(), 0777);
    EXPECT_THROW(NightStore{plan_}, Error) << path;
    ::chmod(path.c_str(), 0755);
  }
  EXPECT_NO_THROW(NightStore{plan_});
}

TEST_F(Store, IsRefusedInADirectoryOfAnotherUser) {
  if (::geteuid() != 0) EDAGEN_SKIP("needs root, to give a directory away");
  fs::create_directories(here_ / "history/results");
  ASSERT_EQ(::chown((here_ / "history").c_str(), 12345, 12345), 0);
  EXPECT_THROW(NightStore{plan_}, Error);
  EXPECT_TRUE(fs::is_empty(here_ / "history/results")) << "nothing is touched";
}

TEST_F(Store, FollowsNoLinkInItsDirectory) {
  const std::string victim = here_.write("victim", "precious");
  for (const char* const name : {"nights.jsonl", "lock"}) {
    fs::create_directories(here_ / "history");
    for (const std::string& target : {victim, here_ / "none"}) {
      fs::remove(here_ / "history" + "/" + name);
      fs::create_symlink(target, here_ / "history" + "/" + name);
      EXPECT_THROW(NightStore{plan_}, Error) << name;
      fs::remove(here_ / "history" + "/" + name);
    }
  }
  EXPECT_EQ(text_of(victim), "precious");
  EXPECT_FALSE(fs::exists(here_ / "none"));
}

TEST_F(Store, GoesOnInItsDirectoryWhenAnotherTakesItsPlace) {
  NightStore store(plan_);
  const NightStore::RunFiles files = store.begin_run("m", 0, 1);
  fs::rename(here_ / "history", here_ / "moved");
  fs::create_directory(here_ / "history");
  const std::string victim = here_.write("victim", "precious");
  fs::create_symlink(victim, here_ / "history/nights.jsonl");
  Night night;
  night.started_at = store.tonight();
  store.keep(night);
  EXPECT_EQ(text_of(victim), "precious");
  EXPECT_TRUE(fs::exists(here_ / "moved/nights.jsonl"));
  EXPECT_GE(files.folder, 0);
}

TEST_F(Store, HasALockThatNobodyElseCanOpenAlsoOneOfAnEarlierVersion) {
  night();
  EXPECT_EQ(mode_of(here_ / "history/lock"), mode_t{0600});
  ::chmod((here_ / "history/lock").c_str(), 0644);
  night();
  EXPECT_EQ(mode_of(here_ / "history/lock"), mode_t{0600});
}

TEST_F(Store, IsForItsUserAloneWhateverTheUmaskIs) {
  const mode_t before = ::umask(0);
  const std::string folder = night();
  ::umask(before);
  for (const std::string& path : {here_ / "history", here_ / "history/results", folder})
    EXPECT_EQ(mode_of(path), mode_t{0755}) << path;
  EXPECT_EQ(mode_of(here_ / "history/nights.jsonl"), mode_t{0644});
}

}  // namespace
}  // namespace edagen
