#include "compare/comparison_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "edagen/error.hpp"
#include "result/journal.hpp"
#include "result/result_json.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

ComparisonResult read(const std::string& path) { return std::get<ComparisonResult>(read_any_result(path)); }

/// Two variants without runs, as a journal's first line has them.
ComparisonResult header() {
  ComparisonResult comparison = sample_comparison({});
  comparison.variants.clear();
  comparison.finished_at.reset();
  comparison.status = Status::running;
  add_variant(comparison, "a", "/mnt/a", {});
  add_variant(comparison, "b", "/mnt/b", {});
  return comparison;
}

void add_run(Journal& journal, std::size_t variant, double rate, std::size_t repeat = 0) {
  journal.run(variant, repeat);
  journal.header(sample_header());
  journal.point(0, point_figures(sample_point(rate, Purpose::load_point, 0)));
  Result end = sample_header();
  end.status = Status::complete;
  end.finished_at = end.started_at;
  journal.end(end);
}

TEST(ComparisonFile, ADocumentIsReadBackAsItWasWritten) {
  const TemporaryDirectory folder;
  for (const auto& at : {std::optional<std::string>("2ms"), std::optional<std::string>()}) {
    const Document document = to_json(sample_comparison(at));
    EXPECT_EQ(to_json(read(folder.write("c.json", document.dump()))), document);
  }
}

TEST(ComparisonFile, ResultsAreReadAsTheyAre) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("r.json", to_json(sample_result(sample_curve())).dump());
  EXPECT_TRUE(std::holds_alternative<Result>(read_any_result(path)));
}

TEST(ComparisonFile, AJournalGivesTheRunsThatEndedAndWhatTheyShow) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.comparison(header());
  add_run(journal, 0, 1000);
  add_run(journal, 1, 2000);
  journal.staleness(1, StalenessFigures{});
  journal.run(1, 1);
  journal.header(sample_header());  // killed in the middle
  std::ofstream(journal.path(), std::ios::app) << "{\"type\":\"po";
  const ComparisonResult comparison = read(journal.path());
  EXPECT_EQ(comparison.status, Status::incomplete);
  ASSERT_EQ(comparison.variants.size(), 2u);
  ASSERT_EQ(comparison.variants[0].runs.size(), 1u);
  ASSERT_EQ(comparison.variants[1].runs.size(), 1u);
  EXPECT_NEAR(comparison.variants[0].runs[0].ops_per_sec, 1000, 1);
  EXPECT_NEAR(comparison.variants[1].mean_ops_per_sec, 2000, 1);
  EXPECT_TRUE(comparison.variants[1].staleness);
  EXPECT_TRUE(comparison.variants[1].against_first);
  ASSERT_TRUE(comparison.variants[1].last_run);
  EXPECT_EQ(comparison.variants[1].last_run->load_points.size(), 1u);
}

TEST(ComparisonFile, AKilledComparisonWhoseSlicesWereNotPossibleIsOneOfWholeRuns) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  ComparisonResult begun = header();
  begun.alternation = AlternationFigures{.unit = Alternation::slices, .reason = "all variants can be up at once"};
  begun.repeats.reset();
  journal.comparison(begun);
  for (const std::size_t repeat : {0u, 1u, 2u})
    for (const std::size_t variant : {0u, 1u}) add_run(journal, variant, variant == 0 ? 1000 : 2000, repeat);
  const ComparisonResult comparison = read(journal.path());
  EXPECT_FALSE(comparison.is_sliced());
  EXPECT_EQ(comparison.variants[1].against_first->pairs, 3u);
}

TEST(ComparisonFile, AJournalSaysWhatWasRefusedAndWhy) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.comparison(header());
  journal.run(0, 0);  // did not begin
  journal.refused(0, "Protocol not supported");
  add_run(journal, 1, 1000);
  const ComparisonResult comparison = read(journal.path());
  EXPECT_EQ(comparison.variants[0].refused, "Protocol not supported");
  EXPECT_TRUE(comparison.variants[0].runs.empty());
  EXPECT_EQ(comparison.variants[1].runs.size(), 1u);
}

TEST(ComparisonFile, AJournalThatEndedSaysHow) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.comparison(header());
  add_run(journal, 0, 1000);
  ComparisonResult end = header();
  end.status = Status::interrupted;
  end.finished_at = end.started_at;
  journal.comparison_end(end);
  EXPECT_EQ(read(journal.path()).status, Status::interrupted);
}

TEST(ComparisonFile, RunsOfAJournalArePairedByTheirRepeatAlsoWhenOneIsBroken) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  ComparisonResult begun = header();
  begun.at_latency_target = "2ms";
  begun.repeats = 3;
  journal.comparison(begun);
  for (const std::size_t repeat : {0u, 1u, 2u}) {
    const double rate = 1000 * std::pow(2.0, static_cast<double>(repeat));
    add_run(journal, 0, rate, repeat);
    if (repeat == 1) journal.run(1, repeat), std::ofstream(journal.path(), std::ios::app) << "{\"type\":\"hea\n";
    else add_run(journal, 1, 1.5 * rate, repeat);
  }
  const ComparisonResult comparison = read(journal.path());
  ASSERT_EQ(comparison.variants[1].runs.size(), 2u);
  EXPECT_EQ(comparison.variants[1].runs[1].repeat, 3u);
  EXPECT_NEAR(comparison.variants[1].against_first->ratio, 1.5, 0.01);
  ASSERT_EQ(comparison.missing_runs().size(), 1u) << "which it says";
  EXPECT_EQ(comparison.missing_runs()[0].variant, "b");
  EXPECT_EQ(comparison.missing_runs()[0].first, 2u);
  EXPECT_EQ(comparison.missing_runs()[0].last, 2u);
}

TEST(ComparisonFile, ARunOfAVariantThatIsNotThereIsLeftOut) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.comparison(header());
  add_run(journal, 7, 1000);
  EXPECT_TRUE(read(journal.path()).variants[0].runs.empty());
}

TEST(ComparisonFile, ARunWhoseRepeatIsBeyondAllNumbersIsLeftOut) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.comparison(header());
  add_run(journal, 0, 1000, std::numeric_limits<std::size_t>::max());
  add_run(journal, 1, 1000);
  const ComparisonResult comparison = read(journal.path());
  EXPECT_TRUE(comparison.variants[0].runs.empty());
  EXPECT_EQ(comparison.variants[1].runs.size(), 1u);
}

TEST(ComparisonFile, MoreFactorsThanCanBeCombinedAreRefused) {
  const TemporaryDirectory folder;
  ComparisonResult comparison = sample_comparison({});
  for (int factor = 0; factor < 9; ++factor) comparison.factors.push_back(std::to_string(factor));
  EXPECT_THROW(read(folder.write("c.json", to_json(comparison).dump())), Error);
}

TEST(ComparisonFile, WhatIsNoComparisonIsRefused) {
  const TemporaryDirectory folder;
  EXPECT_THROW(read_any_result(folder.write("a.json", R"({"schema":"edagen.compare/1"})")), Error);
  EXPECT_THROW(read_any_result(folder.write("b.jsonl", R"({"type":"comparison","schema":"edagen.compare/1"})")), Error);
  EXPECT_THROW(read_any_result(folder.write("c.jsonl", "{\"type\":\"comparison\",")), Error);
}

}  // namespace
}  // namespace edagen
