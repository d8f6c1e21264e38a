#include "live/interval_csv.hpp"

#include <gtest/gtest.h>

#include "support/quiet_watch.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// The lines of one interval of a second, in which client i has i + 1 ops of as many ms.
std::vector<std::string> lines_of(const std::vector<std::string>& mounts, std::size_t clients) {
  const testing::TemporaryDirectory here;
  testing::QuietWatch watch;
  IntervalCsv csv({"--interval-csv", here / "i.csv"}, watch);
  Result header;
  for (const std::string& path : mounts) header.target.mounts.emplace_back().path = path;
  csv.observe(LoadBegan{header});
  csv.observe(WindowBegan{});
  IntervalStats stats(1);
  stats.clients.resize(clients);
  Interval interval{.length = 1s};
  for (std::size_t i = 0; i < clients; ++i)
    for (std::size_t op = 0; op <= i; ++op) {
      const Nanos time = std::chrono::milliseconds(i + 1);
      stats.ops.record(OpKind::stat, {time, time, 0ms}, {});
      stats.clients[i].counts.count({});
      stats.clients[i].time(OpKind::stat, time, time);
      ++interval.operations;
    }
  csv.observe(IntervalEnded{true, interval, stats});
  std::vector<std::string> lines;
  std::istringstream text(testing::text_of(here / "i.csv"));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line + ",");
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

TEST(IntervalCsv, OnSeveralMountsALineForEachFollowsThatOfAll) {
  const std::vector<std::string> lines = lines_of({"/mnt/a", "/mnt/b \"x\""}, 4);
  ASSERT_EQ(lines.size(), 4u);
  for (const std::string& line : lines) EXPECT_EQ(cells_of(line).size(), cells_of(lines[0]).size()) << line;
  EXPECT_EQ(cells_of(lines[0]).back(), "mount");
  EXPECT_EQ(cells_of(lines[1])[7], "10");
  EXPECT_EQ(cells_of(lines[1]).back(), "");
  EXPECT_EQ(cells_of(lines[2])[7], "4") << "clients 0 and 2";
  EXPECT_EQ(cells_of(lines[2])[12], "2.5") << "a mean of 1, 3, 3 and 3 ms";
  EXPECT_EQ(cells_of(lines[2]).back(), "\"/mnt/a\"");
  EXPECT_EQ(cells_of(lines[3])[7], "6");
  EXPECT_EQ(cells_of(lines[3]).back(), "\"/mnt/b \"\"x\"\"\"");
}

TEST(IntervalCsv, TextFromElsewhereIsOneCellAndNoFormula) {
  const std::vector<std::string> lines = lines_of({"=1+1", "a\n\033[2J"}, 2);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(cells_of(lines[2]).back(), "\"'=1+1\"");
  EXPECT_EQ(cells_of(lines[3]).back(), "\"a\\n\\x1b[2J\"");
}

TEST(IntervalCsv, APathIsWholeHoweverLongItIs) {
  const std::string begin = "/" + std::string(400, 'b'), end = std::string(200, 'e');
  const std::vector<std::string> lines = lines_of({begin + "/1/" + end, begin + "/2/" + end}, 2);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(cells_of(lines[2]).back(), "\"" + begin + "/1/" + end + "\"");
  EXPECT_EQ(cells_of(lines[3]).back(), "\"" + begin + "/2/" + end + "\"");
}

TEST(IntervalCsv, OneMountAndASimulatedVolumeHaveNoLinesOfTheirOwn) {
  EXPECT_EQ(lines_of({"/mnt/a"}, 3).size(), 2u);
  EXPECT_EQ(lines_of({}, 3).size(), 2u);
}

}  // namespace
}  // namespace edagen
