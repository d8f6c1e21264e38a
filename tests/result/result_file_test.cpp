#include "result/result_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <fstream>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/terminal.hpp"
#include "result/journal.hpp"
#include "support/error_of.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace testing;

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(ResultFile, AResultIsReadBackAsItWasWritten) {
  const TemporaryDirectory folder;
  const Document document = to_json(sample_result(sample_curve()));
  EXPECT_EQ(to_json(read_result(folder.write("r.json", document.dump()))), document);
}

TEST(ResultFile, TheJournalOfAFinishedRunAddsUpToItsResult) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  const CurvePoint point = sample_point();
  journal.header(sample_header());
  journal.interval(0, Phase::measure, interval_figures(point.stats.intervals[0]));
  journal.point(0, point_figures(point));
  Result result = sample_result(single_point_curve());
  result.notes = {"the command of --before-point failed before 1 of 1 load point: these may not be what was meant"};
  journal.end(result);
  EXPECT_EQ(to_json(read_result(journal.path())), to_json(result));
}

TEST(ResultFile, AJournalGivesItsLoadPointsInTheOrderOfAResult) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  std::size_t number = 0;
  for (const double rate : {1500.0, 500.0, 1000.0}) journal.point(number++, point_figures(sample_point(rate)));
  journal.end(sample_result(Curve{}));
  std::vector<double> rates;
  for (const PointFigures& point : read_result(journal.path()).load_points)
    rates.push_back(point.requested_ops_per_sec.value());
  EXPECT_EQ(rates, (std::vector<double>{500, 1000, 1500})) << "as demonstrated.load_point counts them";
}

TEST(ResultFile, OfAJournalInWhichLoadPointsAreMissingAnswersStayAndDemonstrationsDoNot) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  for (const std::size_t number : {0u, 2u}) journal.point(number, point_figures(sample_point(1000)));  // a full disk
  const Result whole = sample_result(sample_curve());
  ASSERT_TRUE(whole.at_latency_target.at(0).demonstrated);
  journal.end(whole);
  const Result read = read_result(journal.path());
  EXPECT_EQ(read.load_points.size(), 2u);
  EXPECT_EQ(read.at_latency_target.at(0).ops_per_sec, whole.at_latency_target[0].ops_per_sec);
  EXPECT_FALSE(read.at_latency_target[0].demonstrated);
}

TEST(ResultFile, ADemonstrationThatIsNoneOfTheLoadPointsIsRefused) {
  const TemporaryDirectory folder;
  Document result = to_json(sample_result(sample_curve()));
  result["at_latency_target"][0]["demonstrated"]["load_point"] = 3;
  EXPECT_THROW(read_result(folder.write("r.json", result.dump())), Error);
}

TEST(ResultFile, TheJournalOfAKilledRunGivesWhatItsIntervalsSay) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  const CurvePoint point = sample_point();
  journal.header(sample_header());
  journal.interval(0, Phase::warmup, interval_figures(point.stats.intervals[0]));
  for (const Interval& interval : point.stats.intervals)
    journal.interval(0, Phase::measure, interval_figures(interval));
  const std::string text = text_of(journal.path()) + "{\"type\":\"interv";  // killed while writing
  const Result result = read_result(folder.write("cut.jsonl", text));
  EXPECT_EQ(result.status, Status::incomplete);
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_NEAR(result.load_points[0].achieved_ops_per_sec, 1000.5, 0.01);
  EXPECT_NEAR(result.load_points[0].latency.response.mean.count(), 2, 1e-6);
  EXPECT_NE(result_text(result).find("INVALID: interrupted"), std::string::npos);
}

TEST(ResultFile, OfAWindowThatIsMeasuredAgainTheJournalOfAKilledRunGivesTheSecondAlone) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  IntervalFigures interval = interval_figures(sample_point().stats.intervals[0]);
  const auto measure = [&](double start, double ops_per_sec) {
    interval.start = Seconds(start);
    interval.ops_per_sec = ops_per_sec;
    journal.interval(0, Phase::measure, interval);
  };
  for (const double start : {0.0, 1.0, 2.0}) measure(start, 3000);
  for (const double start : {0.0, 1.0}) measure(start, 1000);
  const PointFigures point = read_result(journal.path()).load_points.at(0);
  EXPECT_EQ(point.intervals.size(), 2u);
  EXPECT_EQ(point.seconds, Seconds(2));
  EXPECT_EQ(point.achieved_ops_per_sec, 1000);
}

TEST(ResultFile, AJournalWhoseLoadPointFoundNoRoomGivesWhatItsIntervalsSay) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  const CurvePoint point = sample_point();
  for (const Interval& interval : point.stats.intervals)
    journal.interval(0, Phase::measure, interval_figures(interval));
  journal.end(sample_result(single_point_curve()));
  const Result result = read_result(journal.path());
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_EQ(result.load_points[0].purpose, Purpose::incomplete);
  EXPECT_NEAR(result.load_points[0].achieved_ops_per_sec, 1000.5, 0.01);
  EXPECT_EQ(result.status, Status::incomplete);
}

TEST(ResultFile, AJournalWithAnEndAndWithoutItsLoadPointsIsIncomplete) {
  const TemporaryDirectory folder;
  for (const bool counted : {true, false}) {  // by its end; by those of older versions not
    Journal journal(folder / "j.jsonl");
    journal.header(sample_header());
    journal.end(sample_result(single_point_curve()));
    std::string text = text_of(journal.path());
    const std::string count = ",\"load_points\":1";
    const std::size_t at = text.find(count);
    ASSERT_NE(at, std::string::npos) << text;
    if (!counted) text.erase(at, count.size());
    const Result result = read_result(folder.write("read.jsonl", text));
    EXPECT_EQ(result.status, Status::incomplete);
    EXPECT_EQ(result_text(result),
              "This journal is incomplete: its load points are missing: their lines were not written\n");
  }
}

TEST(ResultFile, AJournalWithoutItsLastLoadPointsSaysSo) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  journal.point(0, point_figures(sample_point(500)));
  journal.end(sample_result(sample_curve()));
  const Result result = read_result(journal.path());
  EXPECT_EQ(result.notes.back(), "load points are missing: their lines were not written");
  EXPECT_FALSE(result.at_latency_target.at(0).demonstrated);
}

TEST(ResultFile, ALoadPointThatAKillCutShortKeepsTheRateThatWasAskedFor) {
  const TemporaryDirectory folder;
  const auto begin = [&](Journal& journal) {
    journal.header(sample_header());
    journal.point_begins(0, 1500);
    journal.point(0, point_figures(sample_point(1500)));
  };
  const auto measure = [](Journal& journal) {
    journal.interval(1, Phase::measure, interval_figures(sample_point().stats.intervals[0]));
  };
  Journal open(folder / "open.jsonl"), closed(folder / "closed.jsonl"), older(folder / "older.jsonl");
  for (Journal* const journal : {&open, &closed, &older}) begin(*journal);
  open.point_begins(1, 2250.5), measure(open);
  closed.point_begins(1, std::nullopt), measure(closed);
  measure(older);
  const PointFigures cut = read_result(open.path()).load_points.at(0);
  EXPECT_EQ(cut.purpose, Purpose::incomplete);
  EXPECT_EQ(cut.requested_ops_per_sec, 2250.5);
  for (const Journal* const journal : {&closed, &older}) {
    const std::vector<PointFigures> points = read_result(journal->path()).load_points;
    ASSERT_EQ(points.size(), 2u);
    EXPECT_FALSE(points[0].requested_ops_per_sec);
    EXPECT_EQ(points[1].requested_ops_per_sec, 1500) << "which begins no other";
  }
}

TEST(ResultFile, IntervalsOfALoadPointWhoseBeginFoundNoRoomDoNotGetTheRateOfTheOneBefore) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  const std::vector<Interval> intervals = sample_point().stats.intervals;
  journal.header(sample_header());
  journal.point_begins(0, 1500);
  journal.interval(0, Phase::measure, interval_figures(intervals[0]));
  // On a full disk: neither the first point nor the begin of the second.
  for (const Interval& interval : intervals) journal.interval(1, Phase::measure, interval_figures(interval));
  const Result result = read_result(journal.path());
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_EQ(result.load_points[0].intervals.size(), 2u);
  EXPECT_FALSE(result.load_points[0].requested_ops_per_sec);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes.back(), "load points are missing: their lines were not written");
}

TEST(ResultFile, IntervalsWithoutALatencyDoNotLowerThatOfAKilledRun) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  CurvePoint point = sample_point();
  Interval& last = point.stats.intervals.back();
  last.response_mean = last.service_mean = std::nullopt;
  last.response_p99 = std::nullopt;
  journal.header(sample_header());
  for (const Interval& interval : point.stats.intervals)
    journal.interval(0, Phase::measure, interval_figures(interval));
  const Result result = read_result(journal.path());
  EXPECT_NEAR(result.load_points.at(0).latency.response.mean.count(), 2, 1e-6);
  EXPECT_NEAR(result.load_points.at(0).latency.service.mean.count(), 1, 1e-6);
}

TEST(ResultFile, AKindOfOpsWithoutALatencyIsWrittenAndReadAsSuch) {
  const TemporaryDirectory folder;
  Curve curve = single_point_curve();
  curve.points[0].stats.ops.of(OpKind::unlink).count({});
  ++curve.points[0].stats.intervals.back().operations;
  ++curve.points[0].stats.groups.back().operations;
  const Document written = to_json(sample_result(curve));
  EXPECT_TRUE(written["load_points"][0]["ops"]["unlink"]["latency_ms"].is_null());
  const Result read = read_result(folder.write("r.json", written.dump()));
  EXPECT_FALSE(read.load_points.at(0).ops.at(OpKind::unlink).latency);
}

TEST(ResultFile, WhatIsNoResultIsRefused) {
  const TemporaryDirectory folder;
  EXPECT_THROW(read_result(folder / "gone.json"), Error);
  EXPECT_THROW(read_result(folder.write("a.json", "{}")), Error);
  EXPECT_THROW(read_result(folder.write("b.json", "{")), Error);
  EXPECT_THROW(read_result(folder.write("c.jsonl", "{\"type\":\"interval\"}\n")), Error);
  EXPECT_THROW(read_result(folder.write("d.jsonl", "")), Error);
}

/// A journal of a header, `lines`, and two measured seconds.
Result journal_with(const TemporaryDirectory& folder, const std::string& lines) {
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  std::ofstream(journal.path(), std::ios::app) << lines;
  Journal rest(folder / "rest.jsonl");
  for (const Interval& interval : sample_point().stats.intervals)
    rest.interval(0, Phase::measure, interval_figures(interval));
  std::ofstream(journal.path(), std::ios::app) << std::ifstream(rest.path()).rdbuf();
  return read_result(journal.path());
}

TEST(ResultFile, LinesOfAJournalThatAreBrokenAreLeftOutAndCounted) {
  const TemporaryDirectory folder;
  const std::string broken = R"(5
null
[]

{"type":5}
{"type":"interval","phase":"measure"}
{"type":"interval","phase":7}
{"type":"interval","phase":"measure","t":0,"seconds":0,"ops_per_sec":1,"mib_per_sec":1,"errors":0,"response_mean_ms":1,"service_mean_ms":1,"response_p99_ms":1}
{"type":"interval","phase":"measure","t":0,"seconds":1,"ops_per_sec":"1","mib_per_sec":1,"errors":0,"response_mean_ms":1,"service_mean_ms":1,"response_p99_ms":1}
{"type":"interval","phase":"measure","t":0,"seconds":1,"ops_per_sec":1,"mib_per_sec":1,"errors":0,"response_mean_ms":1,"service_mean_ms":1,"response_p99_ms":1,"ops":{"stat":{"operations":-1}}}
{"type":"interval","phase":"measure","t":0,"seconds":1,"ops_per_sec":1,"mib_per_sec":1,"errors":0,"response_mean_ms":1,"service_mean_ms":1,"response_p99_ms":1,"ops":7}
{"type":"point","purpose":"load point"}
{"type":"end","at_latency_target":{}}
{"type":"end","clients":7}
{"type":"inter{"type":"interval","phase":"measure"}
{"type":"unheard of"}
)";
  ::testing::internal::CaptureStdout();
  spdlog::set_default_logger(spdlog::stdout_color_st("result_file_test"));
  const Result result = journal_with(folder, broken + nested(50'000) + "\n");
  const std::string said = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(said.find("17 broken lines were left out, "), std::string::npos) << said;
  EXPECT_EQ(result.status, Status::incomplete);
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_NEAR(result.load_points[0].achieved_ops_per_sec, 1000.5, 0.01) << "of the two whole lines";
  EXPECT_NO_THROW(result_text(result));
}

TEST(ResultFile, AnIntervalOfImpossibleFiguresDoesNoHarm) {
  const TemporaryDirectory folder;
  std::string lines;
  for (int i = 0; i < 3; ++i)
    lines +=
        R"({"type":"interval","phase":"measure","t":0,"seconds":1e18,"ops_per_sec":1e18,"mib_per_sec":1e18,"errors":0,"response_mean_ms":1e18,"service_mean_ms":1,"response_p99_ms":1})"
        "\n";
  EXPECT_NO_THROW(result_text(journal_with(folder, lines)));
}

TEST(ResultFile, AJournalWithoutAUsableHeaderIsRefused) {
  const TemporaryDirectory folder;
  const auto refusal = [&](const std::string& text) {
    return error_of([&] { read_result(folder.write("h.jsonl", text)); }).substr(folder.path().size());
  };
  EXPECT_EQ(refusal(""), "/h.jsonl: is empty: its run ended before anything was measured");
  EXPECT_EQ(refusal("5\n{\"type\":\"end\"}\n"), "/h.jsonl: is not a journal: it has no header");
  EXPECT_TRUE(refusal("{\"type\":\"header\"}\n").starts_with("/h.jsonl:1#"));
  Document wrong = {{"type", "header"}};
  wrong.update(to_json(sample_header()));
  wrong["clients"] = "many";
  EXPECT_TRUE(refusal(wrong.dump()).starts_with("/h.jsonl:1#/clients: ")) << refusal(wrong.dump());
}

TEST(ResultFile, AResultWhoseMembersReferToNothingIsRefused) {
  const TemporaryDirectory folder;
  Document result = to_json(sample_result(sample_curve()));
  result["target"]["kind"] = "sim";
  EXPECT_THROW(read_result(folder.write("r.json", result.dump())), Error);
  result = to_json(sample_result(sample_sweep()));
  result["series"]["points"] = Document::array();
  EXPECT_THROW(read_result(folder.write("s.json", result.dump())), Error);
}

TEST(ResultFile, AFileOfEmptyLinesIsSoonSeenToBeNoJournal) {
  const testing::TemporaryDirectory folder;
  const std::string file = folder.write("j.jsonl", std::string(4'000'000, '\n'));
  EXPECT_THROW(read_result(file), Error);
}

TEST(ResultFile, AJournalIsReadHoweverLongItIs) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  const std::string head = text_of(journal.path());
  journal.point(0, point_figures(sample_point()));
  journal.end(sample_result(single_point_curve()));
  const std::string rest = text_of(journal.path()).substr(head.size());
  std::ofstream file(journal.path());
  file << head;
  for (int i = 1; i <= 3; ++i) file.seekp(std::streamoff{100} * i * MiB) << "\n";  // lines that are holes
  file << rest << std::flush;
  ASSERT_GT(std::filesystem::file_size(journal.path()), std::uintmax_t{256} * MiB);
  EXPECT_EQ(read_result(journal.path()).load_points.size(), 1u);
}

TEST(ResultFile, AJournalWithALineThatIsTooLongToBeOneIsRefused) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("j.jsonl", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_THROW(read_result(path), Error);
}

TEST(ResultFile, AResultWithManyLabelsIsReadAndWrittenAsItIs) {
  const TemporaryDirectory folder;
  Document document = to_json(sample_result(sample_curve()));
  for (int i = 0; i < 20'000; ++i)
    document["labels"].get_ref<Document::object_t&>().emplace_back(fmt::format("label-{:06}", i), "x");
  EXPECT_EQ(to_json(read_result(folder.write("r.json", document.dump()))), document);
}

}  // namespace
}  // namespace edagen
