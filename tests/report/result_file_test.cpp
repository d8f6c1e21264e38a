#include "edagen/report/result_file.hpp"

#include <gtest/gtest.h>

#include "edagen/core/error.hpp"
#include "edagen/report/journal.hpp"
#include "edagen/report/terminal.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

Document header() {
  Document result = sample_result(Curve{});
  result["status"] = "running";
  for (const char* const later : {"at_latency_target", "ort_ms", "ort_variant"}) result.erase(later);
  return result;
}

Document numbered(Document body, const char* phase = nullptr) {
  Document line = {{"point", 0}};
  if (phase) line["phase"] = phase;
  line.update(body);
  return line;
}

TEST(ResultFile, AResultIsReadBackAsItWasWritten) {
  const TemporaryDirectory folder;
  const Document result = sample_result(sample_curve());
  EXPECT_EQ(read_result(folder.write("r.json", result.dump())), result);
}

TEST(ResultFile, TheJournalOfAFinishedRunAddsUpToItsResult) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  const CurvePoint point = sample_point();
  journal.append("header", header());
  journal.append("interval", numbered(interval_json(point.stats.intervals[0]), "measure"));
  journal.append("point", numbered(load_point_json(point)));
  journal.append("end", {{"status", "complete"}, {"finished_at", rfc3339_now()}});
  const Document result = read_result(journal.path());
  EXPECT_EQ(result["status"], "complete");
  ASSERT_EQ(result["load_points"].size(), 1u);
  EXPECT_EQ(result["load_points"][0], load_point_json(point));
}

TEST(ResultFile, AJournalGivesItsLoadPointsInTheOrderOfAResult) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.append("header", header());
  for (const double rate : {1500.0, 500.0, 1000.0}) journal.append("point", numbered(load_point_json(sample_point(rate))));
  journal.append("end", {{"status", "complete"}, {"finished_at", rfc3339_now()}});
  std::vector<double> rates;
  const Document result = read_result(journal.path());
  for (const Document& point : result["load_points"]) rates.push_back(point["requested_ops_per_sec"]);
  EXPECT_EQ(rates, (std::vector<double>{500, 1000, 1500})) << "as judged_load_point counts them";
}

TEST(ResultFile, AFullRunThatIsNoneOfTheLoadPointsIsRefused) {
  const TemporaryDirectory folder;
  Document result = sample_result(sample_curve());
  result["at_latency_target"][0]["judged_load_point"] = 3;
  EXPECT_THROW(read_result(folder.write("r.json", result.dump())), Error);
}

TEST(ResultFile, TheJournalOfAKilledRunGivesWhatItsIntervalsSay) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  const CurvePoint point = sample_point();
  journal.append("header", header());
  journal.append("interval", numbered(interval_json(point.stats.intervals[0]), "warmup"));
  for (const Interval& interval : point.stats.intervals)
    journal.append("interval", numbered(interval_json(interval), "measure"));
  std::string text = [&] {
    std::ostringstream all;
    all << std::ifstream(journal.path()).rdbuf();
    return all.str() + "{\"type\":\"interv";  // killed while writing
  }();
  const Document result = read_result(folder.write("cut.jsonl", text));
  EXPECT_EQ(result["status"], "incomplete");
  ASSERT_EQ(result["load_points"].size(), 1u);
  EXPECT_NEAR(result["load_points"][0]["achieved_ops_per_sec"].get<double>(), 1000, 0.01);
  EXPECT_NEAR(result["load_points"][0]["latency_ms"]["response"]["mean"].get<double>(), 2, 1e-6);
  EXPECT_NE(result_text(result).find("INVALID: interrupted"), std::string::npos);
}

TEST(ResultFile, WhatIsNoResultIsRefused) {
  const TemporaryDirectory folder;
  EXPECT_THROW(read_result(folder / "gone.json"), Error);
  EXPECT_THROW(read_result(folder.write("a.json", "{}")), Error);
  EXPECT_THROW(read_result(folder.write("b.json", "{")), Error);
  EXPECT_THROW(read_result(folder.write("c.jsonl", "{\"type\":\"interval\"}\n")), Error);
  EXPECT_THROW(read_result(folder.write("d.jsonl", "")), Error);
}

}  // namespace
}  // namespace edagen
