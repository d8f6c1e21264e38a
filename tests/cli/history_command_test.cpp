#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/text_file.hpp"
#include "nights/history_file.hpp"
#include "nights/night_json.hpp"
#include "result/result_json.hpp"
#include "support/program.hpp"
#include "support/sample_nights.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;

/// A result of a curve whose time tells it apart, and its report.
void keep_result(const std::string& base, const std::string& time) {
  fs::create_directories(fs::path(base).parent_path());
  Result result = sample_result(sample_curve());
  result.started_at = time;
  std::ofstream(base + ".json") << dumped(to_json(result));
  std::ofstream(base + ".html") << "a report";
}

std::string page_of(const TemporaryDirectory& here, const std::string& page) {
  const Outcome outcome = edagen({"history", here / "h", "--html", page});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return read_text_file(page, 64 * MiB);
}

/// A night of five measurements with twenty figures each and a judgement of all of them, as curves of some loads have.
Night large_night(std::size_t at, Random& random) {
  Night night = sample_night(at, {});
  night.measurements.clear();
  night.judgement.emplace();
  night.judgement->verdict = NightVerdict::no_change;
  for (const char* const name : {"projects", "home", "scratch", "mail", "builds"}) {
    NightMeasurement measurement{name, {{"kernel", "6.1"}, {"workload", "eda_mixed"}}, {}, {}};
    NightRun run{night.started_at, fmt::format("results/x/{}-1.json", name), false, Status::complete, {}};
    for (int f = 0; f < 20; ++f) {
      const FigureKind kind = f == 0 ? FigureKind::rate : f < 8 ? FigureKind::latency : FigureKind::op_kind;
      const std::string figure = f == 0 ? "ops/s" : fmt::format("mean ms at {},000 ops/s", f);
      run.figures.push_back({figure, kind, 1000 * std::exp(0.01 * random.normal()), 0.002});
      FigureVerdict verdict;
      verdict.measurement = name, verdict.figure = figure, verdict.kind = kind;
      verdict.verdict = NightVerdict::no_change;
      verdict.value = run.figures.back().value, verdict.expected = 1000;
      verdict.change = *verdict.value / 1000 - 1;
      verdict.interval = {*verdict.change - 0.031, *verdict.change + 0.031};
      verdict.p = random.uniform(), verdict.smallest_visible = 0.041;
      verdict.between_nights = 0.0101, verdict.within_nights = 0.0021;
      verdict.nights = 30;
      night.judgement->figures.push_back(std::move(verdict));
    }
    measurement.runs.push_back(std::move(run));
    night.measurements.push_back(std::move(measurement));
  }
  return night;
}

TEST(HistoryCommand, OfAThousandNightsIsATableAndAPage) {
  const TemporaryDirectory here;
  Random random(1);
  std::string lines;
  for (std::size_t year = 0; year < 3; ++year)
    for (std::size_t at = 0; at < 336; ++at) {
      Night night = large_night(at, random);
      night.started_at.replace(0, 4, std::to_string(2021 + year));
      if (year == 2) *night.measurements[0].runs[0].figures[0].value *= 0.9;
      lines += dumped(to_json(night)) + "\n";
    }
  const Outcome outcome = edagen({"history", here.write("n.jsonl", lines), "--html", here / "page.html"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("since 2023-01-01T01:00:00Z: projects: ops/s -"), std::string::npos) << outcome.out;
  const std::string page = read_text_file(here / "page.html", 64 * MiB);
  for (const char* const reference : {"src=\"http", "href=\"http", "url(http", "@import", "/*RESULTS*/"})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
}

TEST(HistoryCommand, APageInTheDirectoryLinksToReportsThatAreStillThere) {
  const TemporaryDirectory here;
  auto nights = sample_history(3);
  nights[0].measurements[0].runs[0].file = "results/old/m-1.json";
  nights[2].measurements[0].runs[0].file = "results/new/m-1.json";
  keep_result(here / "h/results/new/m-1", "2031-01-01T00:00:00Z");
  for (const Night& night : nights) append_night(here / "h", night);
  fs::create_directory(here / "h/web");
  const std::string inside = page_of(here, here / "h/index.html"), below = page_of(here, here / "h/web/index.html");
  EXPECT_NE(inside.find("\"results/new/m-1.html\""), std::string::npos);
  EXPECT_NE(below.find("\"../results/new/m-1.html\""), std::string::npos);
  EXPECT_EQ(page_of(here, here / "elsewhere.html").find("m-1.html"), std::string::npos) << "it may be put anywhere";
  EXPECT_EQ(inside.find("results/old"), std::string::npos);
  EXPECT_EQ(inside.find("results/x"), std::string::npos);
  EXPECT_NE(inside.find("2031-01-01 00:00"), std::string::npos) << "its curve";
}

TEST(HistoryCommand, RepeatsOfOneLoadAreDrawnAsNoCurve) {
  const TemporaryDirectory here;
  Night night = sample_night(0, {sample_rate(1000)});
  night.measurements[0].runs[0].file = "results/new/m-1.json";
  keep_result(here / "h/results/new/m-1", "2031-01-01T00:00:00Z");
  append_night(here / "h", night);
  EXPECT_NE(page_of(here, here / "h/index.html").find("Curves of the last nights"), std::string::npos);
  Result repeats = sample_result(sample_curve());
  repeats.at_latency_target.clear();
  for (std::size_t i = 0; i < repeats.load_points.size(); ++i) repeats.load_points[i].repeat = i + 1;
  std::ofstream(here / "h/results/new/m-1.json") << dumped(to_json(repeats));
  EXPECT_EQ(page_of(here, here / "h/index.html").find("Curves of the last nights"), std::string::npos);
}

TEST(HistoryCommand, AnEditedResultIsNamedByItsPlaceInTheDirectory) {
  const TemporaryDirectory here;
  Night night = sample_night(0, {sample_rate(1000)});
  night.measurements[0].runs[0].file = "results/new/m-1.json";
  keep_result(here / "h/results/new/m-1", "2031-01-01T00:00:00Z");
  Document edited = Document::parse(json_text(sample_result(sample_curve())));
  edited["load_points"][0]["achieved_ops_per_sec"] = 1e6;
  std::ofstream(here / "h/results/new/m-1.json") << edited.dump();
  append_night(here / "h", night);
  const Outcome outcome = edagen({"history", here / "h", "--html", here / "h/index.html"});
  EXPECT_NE(outcome.err.find("results/new/m-1.json: this document was edited"), std::string::npos) << outcome.err;
}

TEST(HistoryCommand, ALineThatNamesAFileElsewhereHasItNeitherReadNorLinked) {
  const TemporaryDirectory here;
  keep_result(here / "secret/m-1", "2031-01-01T00:00:00Z");
  fs::create_directories(here / "h/results/links");
  fs::create_directory_symlink(here / "secret", here / "h/results/folder");
  for (const char* const ending : {".json", ".html"})
    fs::create_symlink(here / "secret/m-1" + ending, here / "h/results/links/m-1" + ending);
  auto nights = sample_history(5);
  const std::vector<std::string> files = {"results/../../secret/m-1.json", "results/folder/m-1.json",
                                          "results/links/m-1.json", here / "secret/m-1.json", "../secret/m-1.json"};
  for (std::size_t i = 0; i < files.size(); ++i) {
    nights[i].measurements[0].runs[0].file = files[i];
    append_night(here / "h", nights[i]);
  }
  const std::string page = page_of(here, here / "h/index.html");
  EXPECT_EQ(page.find("2031-01-01"), std::string::npos);
  EXPECT_EQ(page.find("m-1.html"), std::string::npos);
}

}  // namespace
}  // namespace edagen::testing
