#include "edagen/report/journal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "edagen/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(Journal, EachLineIsInTheFileAsSoonAsItIsAppended) {
  const testing::TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.append("header", {{"schema", "edagen.result/1"}});
  journal.append("interval", {{"t", 0}});
  std::ifstream file(journal.path());
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, R"({"type":"header","schema":"edagen.result/1"})");
  std::getline(file, line);
  EXPECT_EQ(line, R"({"type":"interval","t":0})");
}

TEST(Journal, AFileThatCannotBeMadeIsRefused) {
  EXPECT_THROW(Journal("/nonexistent/j.jsonl"), Error);
  EXPECT_THROW(Journal("/tmp"), Error);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Journal, ALineForWhichThereWasNoRoomLeavesNoPartAndLaterLinesAreWrittenAgain) {
  const testing::TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.append("header", {{"n", 0}});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 60;  // as a full file system: what fits is written, then there is an error
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  journal.append("interval", {{"text", std::string(200, 'x')}});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(std::filesystem::file_size(journal.path()), 24u);
  journal.append("interval", {{"n", 2}});
  EXPECT_EQ(lines_of(journal.path()), (std::vector<std::string>{R"({"type":"header","n":0})", R"({"type":"interval","n":2})"}));
}

TEST(Journal, APathThatIsNotUtf8CanBeWritten) {
  const testing::TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.append("header", {{"path", "/mnt/\xff"}});
  EXPECT_EQ(lines_of(journal.path()).at(0), "{\"type\":\"header\",\"path\":\"/mnt/\xef\xbf\xbd\"}");
}

TEST(Journal, InTheDefaultPlaceEachIsAFileOfItsOwn) {
  const testing::TemporaryDirectory folder;
  ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  Journal one = Journal::in_default_place(), other = Journal::in_default_place();
  ::unsetenv("XDG_STATE_HOME");
  one.append("header", {{"n", 1}});
  other.append("header", {{"n", 2}});
  EXPECT_TRUE(one.path().starts_with(folder / "edagen/")) << one.path();
  EXPECT_EQ(lines_of(one.path()).at(0), R"({"type":"header","n":1})");
  EXPECT_EQ(lines_of(other.path()).at(0), R"({"type":"header","n":2})");
}

}  // namespace
}  // namespace edagen
