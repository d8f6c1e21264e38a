#include "result/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "support/file_size_limit.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

IntervalFigures interval() { return interval_figures(testing::sample_point().stats.intervals.front()); }

TEST(Journal, EachLineIsInTheFileAsSoonAsItIsWritten) {
  const testing::TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(testing::sample_header());
  journal.interval(3, Phase::warmup, interval());
  const std::vector<std::string> lines = lines_of(journal.path());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with(R"({"type":"header","schema":"edagen.result/1",)")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(R"({"type":"interval","point":3,"phase":"warmup","t":0.0,)")) << lines[1];
}

TEST(Journal, AFileThatCannotBeMadeIsRefused) {
  EXPECT_THROW(Journal("/nonexistent/j.jsonl"), Error);
  EXPECT_THROW(Journal("/tmp"), Error);
}

TEST(Journal, AFileThatAnotherRunWritesIsRefusedAndKeepsItsLines) {
  const testing::TemporaryDirectory folder;
  const std::string path = folder / "j.jsonl";
  Journal journal(path);
  journal.interval(0, Phase::warmup, interval());
  const std::string error = testing::error_of([&] { const Journal other(path); });
  EXPECT_EQ(error, "journal " + path + ": is being written by another run (another file)");
  EXPECT_EQ(lines_of(path).size(), 1u);
}

TEST(Journal, ALineForWhichThereWasNoRoomLeavesNoPartAndLaterLinesAreWrittenAgain) {
  const testing::TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.interval(0, Phase::warmup, interval());
  const auto whole = std::filesystem::file_size(journal.path());
  {
    const testing::FileSizeLimit limit(whole + 20);
    journal.interval(1, Phase::warmup, interval());
  }
  EXPECT_EQ(std::filesystem::file_size(journal.path()), whole);
  journal.interval(2, Phase::warmup, interval());
  const std::vector<std::string> lines = lines_of(journal.path());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[1].starts_with(R"({"type":"interval","point":2,)")) << lines[1];
}

TEST(Journal, InTheDefaultPlaceEachIsAFileOfItsOwn) {
  const testing::TemporaryDirectory folder;
  ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  Journal one = Journal::in_default_place(), other = Journal::in_default_place();
  ::unsetenv("XDG_STATE_HOME");
  one.interval(1, Phase::warmup, interval());
  other.interval(2, Phase::warmup, interval());
  EXPECT_TRUE(one.path().starts_with(folder / "edagen/")) << one.path();
  EXPECT_TRUE(lines_of(one.path()).at(0).starts_with(R"({"type":"interval","point":1,)"));
  EXPECT_TRUE(lines_of(other.path()).at(0).starts_with(R"({"type":"interval","point":2,)"));
}

TEST(Journal, ThoseThatRunsHaveLeftBehindAreKnownAndNoneThatIsInUseOrEmpty) {
  const testing::TemporaryDirectory folder;
  ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  EXPECT_TRUE(Journal::left_behind().empty());
  std::string left;
  {
    Journal killed = Journal::in_default_place();
    killed.interval(1, Phase::warmup, interval());
    left = killed.path();
    EXPECT_TRUE(Journal::left_behind().empty()) << "it is in use";
  }
  const Journal empty = Journal::in_default_place();
  EXPECT_EQ(Journal::left_behind(), std::vector<std::string>{left});
  ::unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace edagen
