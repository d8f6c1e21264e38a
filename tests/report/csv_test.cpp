#include "report/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "report/curve_text.hpp"
#include "support/hostile.hpp"

namespace edagen {
namespace {

/// All procs take part in each of its load points.
Result with_all_procs(const Curve& curve) {
  Result result = testing::sample_result(curve);
  result.procs = result.load_points.front().groups.front().procs;
  return result;
}

TEST(Csv, HasAHeadAndALineForEachPointWithTheKnownColumns) {
  const std::string text = csv_text(with_all_procs(testing::sample_curve()));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  for (const char* const column : {"Requested Op Rate", "Achieved Op Rate", "Avg Lat (ms)", "Total KBps", "Valid Run"})
    EXPECT_NE(text.find(column), std::string::npos) << column;
  EXPECT_NE(text.find("eda_mixed,posix,load point,,1,10,500,500.5,2.00"), std::string::npos) << text;
  EXPECT_NE(csv_text(with_all_procs(testing::sample_sweep())).find("posix,load point,io-depth 8,2,10,"),
            std::string::npos);
  EXPECT_NE(text.find("\"edagen --phase mixed, \"\"quoted\"\"\""), std::string::npos) << text;
}

/// Cells of a line (RFC 4180).
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') cells.back() += line[i++];
    else if (line[i] == '"') quoted = !quoted;
    else if (line[i] == ',' && !quoted) cells.emplace_back();
    else cells.back() += line[i];
  }
  return cells;
}

/// The cell of the first load point.
std::string cell_of(const Result& result, const std::string& name) {
  std::istringstream lines(csv_text(result));
  std::string head, line;
  std::getline(lines, head), std::getline(lines, line);
  const std::vector<std::string> heads = cells_of(head);
  const auto at = static_cast<std::size_t>(std::ranges::find(heads, name) - heads.begin());
  return at < heads.size() ? cells_of(line).at(at) : "no such column";
}

TEST(Csv, HasTheJobSetsClientsAndProcsThatTakePartInALoadPoint) {
  Result result = testing::sample_result(testing::single_point_curve());  // 10 clients, 10 job sets, 50 procs
  PointFigures& point = result.load_points.front();
  point.groups.front().procs = 20;  // as in a sweep of clients
  EXPECT_EQ(cell_of(result, "Business Metric (job sets)"), "4");
  EXPECT_EQ(cell_of(result, "Clients"), "4");
  EXPECT_EQ(cell_of(result, "Client Procs"), "20");
  result.job_sets = 200, result.procs = 1000;
  point.active_job_sets = 30, point.groups.front().procs = 150;
  EXPECT_EQ(cell_of(result, "Business Metric (job sets)"), "30");
  EXPECT_EQ(cell_of(result, "Clients"), "10") << "each has some of them";
  EXPECT_EQ(cell_of(result, "Client Procs"), "150");
  point.active_job_sets = 2, point.groups.front().procs = 10;
  EXPECT_EQ(cell_of(result, "Clients"), "2");
  point.groups.clear();
  EXPECT_EQ(cell_of(result, "Client Procs"), "1000") << "not known";
}

TEST(Csv, HasThePublishedColumnsOfTheDataset) {
  Result result = testing::sample_result(testing::single_point_curve());
  const auto cell = [&](const std::string& name) { return cell_of(result, name); };
  result.dataset.files = 64;
  result.dataset.bytes = 20 << 20;  // of 10 clients
  EXPECT_EQ(cell("Avg File Size KB"), "320.0");
  EXPECT_EQ(cell("Client Data Set MiB"), "2.0");
  EXPECT_EQ(cell("Start Data Set MiB"), "20.0");
  result.dataset.files = 0;
  EXPECT_EQ(cell("Avg File Size KB"), "");
}

TEST(Csv, TextFromElsewhereIsNoFormulaAndMakesNoLinesOrCells) {
  using namespace testing;
  for (const std::string& text : {csv_text(hostile_result()), csv_text(hostile_comparison())}) {
    EXPECT_TRUE(is_inert(text)) << text;
    std::istringstream lines(text);
    std::string head;
    std::getline(lines, head);
    const std::size_t columns = cells_of(head).size();
    std::size_t seen = 0;
    for (std::string line; std::getline(lines, line); ++seen) {
      const std::vector<std::string> cells = cells_of(line);
      EXPECT_EQ(cells.size(), columns) << line;
      for (const std::string& cell : cells) EXPECT_NE(cell.substr(0, 1), "=") << line;
    }
    EXPECT_EQ(seen, text.starts_with("Variant") ? 5u : 4u);
  }
  for (const std::string first : {"=1", "+1", "-1", "@SUM(A1)"}) {
    Result result = sample_result(single_point_curve());
    result.workload.name = first;
    EXPECT_NE(csv_text(result).find("\n'" + first + ","), std::string::npos) << csv_text(result);
  }
}

TEST(Csv, ARunOfAComparisonWithoutFiguresHasEmptyCells) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {run_figures(Result{}, false)});
  EXPECT_NE(csv_text(comparison).find("\na,/mnt/a,1,,,,,,no,nothing_measured,"), std::string::npos)
      << csv_text(comparison);
}

TEST(Csv, ALoadPointThatWasNotOverHasNoFiguresThatNobodyKnows) {
  Result result = testing::sample_result(testing::single_point_curve());
  PointFigures& point = result.load_points.back();
  point.purpose = Purpose::incomplete;
  point.requested_ops_per_sec = std::nullopt;
  point.errors.clear();
  point.intervals.front().errors = 3;
  std::istringstream lines(csv_text(result));
  std::string head, line;
  std::getline(lines, head), std::getline(lines, line);
  const std::vector<std::string> heads = cells_of(head), cells = cells_of(line);
  ASSERT_EQ(heads.size(), cells.size());
  std::map<std::string, std::string> named;
  for (std::size_t i = 0; i < heads.size(); ++i) named[heads[i]] = cells[i];
  for (const char* const unknown :
       {"Repeat", "Requested Op Rate", "P50 (ms)", "P95 (ms)", "P99 (ms)", "P99.9 (ms)", "Read KBps", "Write KBps"})
    EXPECT_EQ(named.at(unknown), "") << unknown;
  for (const char* const known : {"Achieved Op Rate", "Avg Lat (ms)", "Avg Service Lat (ms)", "MiB/s"})
    EXPECT_NE(named.at(known), "") << known;
  EXPECT_EQ(named.at("Errors"), "3") << "of its intervals";
}

TEST(Csv, ASweepThatWasKilledKeepsItsValues) {
  Result result = testing::sample_result(testing::sample_sweep());
  EXPECT_NE(csv_text(result).find(",load point,io-depth 8,2,"), std::string::npos) << csv_text(result);
  EXPECT_EQ(point_name(result, result.load_points.back()), "io-depth 8, repeat 2");
  result.series.reset();
  EXPECT_NE(csv_text(result).find(",load point,8,2,"), std::string::npos) << csv_text(result);
  EXPECT_EQ(point_name(result, result.load_points.back()), "sweep 8, repeat 2");
}

TEST(Csv, ASweepOfTheValue0AloneHasItsName) {
  Curve curve = testing::single_point_curve();
  curve.swept = Swept::read_percent;
  const Result result = testing::sample_result(curve);
  EXPECT_EQ(point_name(result, result.load_points.back()), "read-percent 0");
  EXPECT_NE(csv_text(result).find(",load point,read-percent 0,"), std::string::npos) << csv_text(result);
}

TEST(Csv, APointOfWhichNoOpWasTimedHasNoLatency) {
  Curve curve = testing::single_point_curve();
  curve.points[0].stats.ops.clear();
  const std::string text = csv_text(testing::sample_result(curve));
  EXPECT_NE(text.find(",1000,,,,,,,,,,,,2,"), std::string::npos) << "nor rates: no op ended\n" << text;
}

}  // namespace
}  // namespace edagen
