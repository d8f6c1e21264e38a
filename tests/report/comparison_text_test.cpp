#include "report/comparison_text.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "support/hostile.hpp"

namespace edagen {
namespace {

ComparisonResult at_2ms() {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  return comparison;
}

TEST(ComparisonText, TheStatisticOfTheTargetIsNamedWithIt) {
  ComparisonResult comparison = at_2ms();
  EXPECT_EQ(target_text(comparison), " at 2 ms");
  comparison.at_latency_target = "10ms p99 service";
  EXPECT_EQ(target_text(comparison), " at 10 ms p99 service");
}

TEST(ComparisonText, AVariantWithoutARateSaysNone) {
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "a", "", {{0, 0, Millis(3), 0, {Invalid::no_load_meets_target}}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find(" none "), std::string::npos) << text;
}

TEST(ComparisonText, LowRatesAreNotRoundedToWholeOps) {
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "a", "/mnt/a", {{3.12, 1, Millis(2), 0}});
  add_variant(comparison, "b", "/mnt/b", {{3.74, 1, Millis(2), 0}});
  const std::string text = comparison_text(comparison);
  for (const char* const rate : {" 3.1 ", " 3.7 "}) EXPECT_NE(text.find(rate), std::string::npos) << text;
  EXPECT_TRUE(figure_text(comparison.variants[0].runs[0], true).starts_with("3.1 ops/s"));
}

TEST(ComparisonText, FiguresOfModelledVolumesAreSaidToBe) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {});
  const std::string simulated = "simulated: figures of a model, not of storage\n";
  EXPECT_EQ(comparison_text(comparison).find(simulated), std::string::npos);
  add_variant(comparison, "b", "sim:regular", {});
  EXPECT_TRUE(comparison_text(comparison).starts_with("b: " + simulated)) << comparison_text(comparison);
  comparison.variants.erase(comparison.variants.begin());
  EXPECT_TRUE(comparison_text(comparison).starts_with(simulated)) << comparison_text(comparison);
}

TEST(ComparisonText, ARunWithoutFiguresShowsNoZeros) {
  const RunFigures nothing = run_figures(Result{}, false);
  EXPECT_EQ(figure_text(nothing, true), "no rate at the target, INVALID: nothing_measured");
  EXPECT_EQ(figure_text(nothing, false), "no response, INVALID: nothing_measured");
  ComparisonResult comparison;
  add_variant(comparison, "a", "", {nothing});
  EXPECT_NE(comparison_text(comparison).find("  none   none     none"), std::string::npos)
      << comparison_text(comparison);
}

TEST(ComparisonText, ARowWithoutAValidRunIsInvalidTheBaselineToo) {
  ComparisonResult comparison = at_2ms();
  const RunFigures invalid{1000, 1, Millis(2), 0, {Invalid::imprecise}}, valid{1000, 1, Millis(2), 0};
  add_variant(comparison, "a", "/mnt/a", {invalid, invalid});
  add_variant(comparison, "b", "/mnt/b", {valid, valid});
  const std::string text = comparison_text(comparison);
  const std::size_t row = text.find("\na ");
  ASSERT_NE(row, std::string::npos) << text;
  const std::string line = text.substr(row, text.find('\n', row + 1) - row);
  EXPECT_NE(line.find("  INVALID  "), std::string::npos) << text;
  EXPECT_TRUE(line.ends_with("  0 of 2")) << text;
}

TEST(ComparisonText, TheTableNamesTheTargetAndTheVerdict) {
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "regular", "/mnt/a", {{39'601, 692, Millis(2), 0}, {39'700, 693, Millis(2), 0}});
  add_variant(comparison, "large", "/mnt/b", {{652'260, 10'030, Millis(2), 1.5}, {652'300, 10'030, Millis(2), 1.5}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("Scenario  I/O rate at 2 ms  MiB/s at 2 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("regular             39,650            692"), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("large against regular: I/O rate at 2 ms 16.5x (95 % confidence 16")) << text;
  EXPECT_NE(text.find("x): faster\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n2 runs of each; "), std::string::npos) << text;
}

TEST(ComparisonText, ASmallDifferenceIsInPercentAndSaysOfWhat) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {{100, 1, Millis(2), 0}, {100, 1, Millis(2), 0, {}, 2}});
  add_variant(comparison, "b", "/mnt/b", {{100, 1, Millis(2.2), 0}, {100, 1, Millis(2.2), 0, {}, 2}});
  const std::string text = comparison_text(comparison);
  EXPECT_TRUE(text.starts_with("b against a: mean response +10.0 % (")) << text;
  EXPECT_NE(text.find("  mean ms  "), std::string::npos) << text;
}

TEST(ComparisonText, ARowWithInvalidRunsSaysThatThereIsNoVerdict) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  add_variant(comparison, "c", "/mnt/c", {{80'000, 693, Millis(2), 0, {Invalid::unsteady}}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(
      text.find("c against regular: I/O rate at 2 ms: no verdict, as runs are invalid: 0 of 1 pair of runs can be "
                "used\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("  INVALID      0 of 1\n"), std::string::npos) << text;
}

TEST(ComparisonText, ARunThatIsInvalidIsSaidToBeSoAndWhy) {
  const RunFigures invalid = {39'700, 693, Millis(2), 0, {Invalid::unsteady}};
  EXPECT_NE(figure_text(invalid, true).find("at the target, INVALID: unsteady"), std::string::npos);
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "a", "/mnt/a", {{39'601, 692, Millis(2), 0, {}}});
  add_variant(comparison, "b", "/mnt/b", {invalid, {39'700, 693, Millis(2), 0, {}}});
  EXPECT_NE(comparison_text(comparison).find("b: 1 of 2 runs INVALID: unsteady\n"), std::string::npos)
      << comparison_text(comparison);
}

TEST(ComparisonText, ARefusedTuningIsARowWithTheReason) {
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "eight", "vers=3,nconnect=8", {}, {}, "did not take effect: nconnect=8");
  add_variant(comparison, "a", "vers=3", {{39'601, 692, Millis(2), 0, {}}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("\neight                    -              -     -  refused\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nruns: eight 0, a 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("eight: refused: did not take effect: nconnect=8\n"), std::string::npos) << text;
  EXPECT_NE(text.find("vs a"), std::string::npos) << text;
}

TEST(ComparisonText, SeveralComparisonsWithOneAreSaidToBeJudgedTogether) {
  ComparisonResult comparison = at_2ms();
  for (const char* const name : {"a", "b"})
    add_variant(comparison, name, "/mnt", {{100, 1, Millis(2), 0, {}}, {101, 1, Millis(2), 0, {}}});
  EXPECT_EQ(comparison_text(comparison).find("Holm"), std::string::npos);
  add_variant(comparison, "c", "/mnt", {{100, 1, Millis(2), 0, {}}, {102, 1, Millis(2), 0, {}}});
  EXPECT_NE(
      comparison_text(comparison).find("Intervals and verdicts allow for the comparison of 2 variants (docs/nfs.md)\n"),
      std::string::npos)
      << comparison_text(comparison);
}

TEST(ComparisonText, TextFromElsewhereIsShownAndNotObeyed) {
  const std::string text = comparison_text(testing::hostile_comparison());
  EXPECT_TRUE(testing::is_inert(text)) << text;
  EXPECT_NE(text.find("\\x1b[2J"), std::string::npos) << text;
}

TEST(ComparisonText, SaysWhichEdagenComparedWhenWhereAndOnWhat) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  comparison.edagen_version = "9.9";
  comparison.host.name = "loadhost", comparison.host.kernel = "6.1";
  comparison.started_at = "2026-01-31T12:00:00Z";
  comparison.labels = {{"storage", "filer A"}};
  comparison.variants[0].last_run->target.mounts.front().source = "filer:/vol";
  comparison.variants[0].last_run->target.mounts.front().fstype = "nfs";
  comparison.variants[1].last_run.reset();
  const std::string text = comparison_text(comparison);
  for (const char* const part :
       {"\nedagen 9.9 on loadhost (Linux 6.1, ", ", 2026-01-31T12:00:00Z\n",
        "\n  regular: /mnt/a  nfs filer:/vol  rw\n", "\n  large: /mnt/b\n", "\n  storage: filer A\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

TEST(ComparisonText, SaysWhichMeansTheFiguresOfSeveralRunsAre) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {{100, 1, Millis(1), 0}, {100, 1, Millis(4), 0, {}, 2}});
  add_variant(comparison, "b", "/mnt/b", {{100, 1, Millis(2), 0}, {100, 1, Millis(2), 0, {}, 2}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("\n2 runs of each; a row shows their arithmetic means, and \"vs a\" is the geometric mean of the "
                      "ratios, repeat by repeat\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.starts_with("b against a: mean response 0.0 %;"))
      << "of 2 and 1/2, though the means are 2.5 and 2 ms: " << text;
}

TEST(ComparisonText, OfUnequalNumbersOfRunsSaysHowManyARatioIsOf) {
  ComparisonResult comparison;
  const auto run = [](double response, std::uint64_t repeat) {
    return RunFigures{100, 1, Millis(response), 0, {}, repeat};
  };
  add_variant(comparison, "a", "/mnt/a", {run(1, 1), run(4, 2), run(4, 3)});
  add_variant(comparison, "b", "/mnt/b", {run(2, 1)});
  add_variant(comparison, "c", "/mnt/c", {run(2, 1), run(8, 2), run(8, 3)});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("\nruns: a 3, b 1, c 3; a row shows their arithmetic means, and \"vs a\" is the geometric mean "
                      "of the ratios, repeat by repeat, over those that both have: b 1\n"),
            std::string::npos)
      << text;
}

TEST(ComparisonText, RunsThatAreMissingAreNamedBeforeAnyRatio) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  comparison.repeats = 4;
  comparison.status = Status::running;
  EXPECT_TRUE(comparison_text(comparison).starts_with("large against regular: ")) << "nothing is missing yet";
  comparison.variants[1].runs.pop_back();
  add_variant(comparison, "none", "/mnt/c", {});
  add_variant(comparison, "refused", "vers=3", {}, {}, "Protocol not supported");
  comparison.status = Status::interrupted;
  EXPECT_TRUE(
      comparison_text(comparison)
          .starts_with("The comparison was interrupted. Of 4 repeats of each variant these are missing: regular "
                       "3 to 4; large 2 to 4; none 1 to 4. All that follows is of the runs that are there, not "
                       "of the whole plan.\n"))
      << comparison_text(comparison);
  for (const auto& [status, said] : {std::pair(Status::failed, "The comparison failed. Of 4 repeats"),
                                     {Status::incomplete, "The comparison did not come to its end. Of 4 repeats"}}) {
    comparison.status = status;
    EXPECT_TRUE(comparison_text(comparison).starts_with(said)) << comparison_text(comparison);
  }
  comparison.repeats = 2;
  comparison.variants.resize(1);
  EXPECT_EQ(comparison_text(comparison).find("missing"), std::string::npos) << comparison_text(comparison);
}

TEST(ComparisonText, ALowerBoundIsNotComparedAndSaysWhy) {
  const RunFigures bound = {80'000, 693, Millis(2), 0, {Invalid::target_not_reached}};
  EXPECT_TRUE(figure_text(bound, true).starts_with("at least 80,000 ops/s")) << figure_text(bound, true);
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "a", "/mnt/a", {bound});
  add_variant(comparison, "b", "/mnt/b", {bound});
  std::string text = comparison_text(comparison);
  EXPECT_TRUE(text.starts_with("a; b: 1 of 1 runs INVALID: target_not_reached\n")) << text;
  EXPECT_TRUE(
      text.find("\nb against a: cannot be compared: both rates are lower bounds, as the target was not reached, and "
                "either may be higher\n") != std::string::npos)
      << text;
  EXPECT_NE(text.find("> 80,000"), std::string::npos) << text;
  EXPECT_NE(text.find("  INVALID: lower bound      0 of 1\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("0.0 %"), std::string::npos) << text;
  add_variant(comparison, "c", "/mnt/c", {{40'000, 346, Millis(2), 0}});
  text = comparison_text(comparison);
  EXPECT_NE(
      text.find("c against a: cannot be compared: the rate of a is a lower bound, as the target was not reached\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("  none: lower bound  "), std::string::npos) << "the row of c, which is valid: " << text;
}

TEST(ComparisonText, AllRatiosOfAComparisonAreWrittenAlike) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  add_variant(comparison, "same", "/mnt/c", {{40'000, 692, Millis(2), 0}, {40'099, 693, Millis(2), 0, {}, 2}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("16.5x"), std::string::npos) << text;
  EXPECT_NE(text.find("same against regular: I/O rate at 2 ms 1.01x (95 % confidence 1.00x to "), std::string::npos)
      << text;
  EXPECT_EQ(text.find("+1."), std::string::npos) << text;
}

TEST(ComparisonText, WhereNoLoadMetTheTargetThereIsNoLowerBound) {
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "a", "/mnt/a", {{0, 0, Millis(3), 0, {Invalid::target_not_reached}}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("  INVALID      0 of 1\n"), std::string::npos) << text;
}

TEST(ComparisonText, AComparisonThatFailedBeginsWithWhy) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  comparison.failure = "host2 (rank 1) is lost";
  EXPECT_TRUE(comparison_text(comparison).starts_with("The comparison failed: host2 (rank 1) is lost\n"))
      << comparison_text(comparison);
  comparison = ComparisonResult{};
  comparison.failure = "host2 (rank 1) is lost";
  EXPECT_TRUE(comparison_text(comparison).starts_with("The comparison failed: host2 (rank 1) is lost\n\n"))
      << comparison_text(comparison);
}

TEST(ComparisonText, LowerBoundsAreInvalidInTheTableAndHaveTheRemedyOfTheirLimit) {
  ComparisonResult comparison = at_2ms();
  RunFigures bound{125, 1, Millis(0.1), 0, {Invalid::target_not_reached}};
  bound.bounds = {BoundCause::search_time};
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, {bound, bound});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("so that the rate is a lower bound: a longer search (--search-time)\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("more procs"), std::string::npos) << text;
  for (const char* const row : {"\na  ", "\nb  "}) {
    const std::size_t at = text.find(row);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_TRUE(text.substr(0, text.find('\n', at + 1)).ends_with("INVALID: lower bound      0 of 2")) << text;
  }
  for (VariantFigures& variant : comparison.variants)
    for (RunFigures& run : variant.runs) run.bounds = {BoundCause::points};
  EXPECT_NE(comparison_text(comparison).find("a lower bound: higher --points, or a search (without --points)\n"),
            std::string::npos)
      << comparison_text(comparison);
}

TEST(ComparisonText, AnOverloadHasOneRemedy) {
  using enum Invalid;
  ComparisonResult comparison;
  const RunFigures overloaded{15'000, 300, Millis(5000), 0, {achieved_rate_low, unsteady, ops_outstanding}};
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, {overloaded, overloaded});
  const std::string text = comparison_text(comparison);
  const std::size_t remedy = text.find("a lower --rate, or more procs (--job-sets) if the storage is not ");
  ASSERT_NE(remedy, std::string::npos) << text;
  EXPECT_EQ(text.find("a lower --rate", remedy + 1), std::string::npos) << text;
  EXPECT_EQ(text.find("a longer --warmup"), std::string::npos) << text;
  EXPECT_NE(text.find("more ops were due than ended, which may be why\n"), std::string::npos) << text;
}

TEST(ComparisonText, ResponsesThatCountOpsThatHadNotEndedAreMarkedAsLowerBounds) {
  ComparisonResult comparison;
  const RunFigures overloaded{15'000, 300, Millis(5000), 0, {Invalid::ops_outstanding}};
  RunFigures again = overloaded;
  again.repeat = 2;
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, {overloaded, again});
  const std::string text = comparison_text(comparison);
  EXPECT_TRUE(text.starts_with("a; b: 2 of 2 runs INVALID: ops_outstanding\n")) << "the answer comes first: " << text;
  EXPECT_NE(text.find("  > 5,000  "), std::string::npos) << text;
  EXPECT_NE(text.find("  (> 5,000)  (> 5,000)\n"), std::string::npos) << text;
  EXPECT_TRUE(figure_text(overloaded, false).starts_with("> 5,000 ms mean response")) << figure_text(overloaded, false);
  VariantFigures sliced;
  sliced.runs = {RunFigures{1000, 1, Millis(1), 0}, overloaded};
  for (RunFigures& run : sliced.runs) run.slice.emplace();
  EXPECT_FALSE(sliced.is_response_bound()) << "its mean is that of the valid slice";
}

TEST(ComparisonText, AComparisonThatWasInterruptedInItsFirstRunHasNoTable) {
  ComparisonResult comparison;
  comparison.status = Status::interrupted;
  comparison.repeats = 3;
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, {});
  const std::string text = comparison_text(comparison);
  EXPECT_TRUE(text.starts_with("The comparison was interrupted before a run had ended: there is nothing to compare.\n"))
      << text;
  EXPECT_EQ(text.find("Scenario"), std::string::npos) << text;
  add_variant(comparison, "c", "c", {{1000, 1, Millis(1), 0}});
  EXPECT_NE(comparison_text(comparison).find("Scenario"), std::string::npos);
}

TEST(ComparisonText, SlicesOfWhichNoBlockCanBeUsedHaveNoRatioAndMostlyInvalidOnesAreINVALID) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.unit = Alternation::slices, .reason = ""};
  std::vector<RunFigures> valid, invalid;
  for (std::uint64_t block = 1; block <= 4; ++block)
    for (std::vector<RunFigures>* const slices : {&valid, &invalid}) {
      slices->push_back(RunFigures{1000, 1, Millis(slices == &valid ? 1 : 500), 0, {}, block});
      slices->back().slice.emplace().block = block;
      if (slices == &invalid) slices->back().invalid = {Invalid::ops_outstanding};
    }
  add_variant(comparison, "a", "a", valid);
  add_variant(comparison, "b", "b", invalid);
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("b against a: mean response: no verdict, as "), std::string::npos) << text;
  const std::size_t table = text.find("Scenario");
  EXPECT_EQ(text.substr(table, text.find("slices alternated") - table).find('x'), std::string::npos) << text;
  EXPECT_NE(text.find("  INVALID"), std::string::npos) << text;
}

TEST(ComparisonText, MoreProcsAreNoRemedyForARateThatWasMissedWhileProcsWereIdle) {
  ComparisonResult comparison;
  RunFigures run{1000, 300, Millis(500), 0, {Invalid::achieved_rate_low}};
  run.work = WorkFigures{.service = Millis(1), .ops = {}, .rpcs = {}};
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, {run, run});
  for (VariantFigures& variant : comparison.variants) variant.last_run.emplace().procs = 100;
  EXPECT_NE(comparison_text(comparison).find(": a lower --rate\n"), std::string::npos) << comparison_text(comparison);
  for (VariantFigures& variant : comparison.variants) variant.last_run->procs = 1;
  EXPECT_NE(comparison_text(comparison)
                .find(": ops wait for busy procs: a lower --rate; or more procs (--job-sets), if service takes 1.00 ms "
                      "(b) on idle storage, too\n"),
            std::string::npos)
      << comparison_text(comparison);
  for (VariantFigures& variant : comparison.variants)
    for (RunFigures& each : variant.runs) each.work->service = each.response;  // they queue in the storage
  EXPECT_NE(comparison_text(comparison).find(": a lower --rate\n"), std::string::npos) << comparison_text(comparison);
}

TEST(ComparisonText, VariantsWhoseOpsWaitForTheirProcsAreNamed) {
  ComparisonResult comparison = at_2ms();
  RunFigures run{1000, 1, Millis(2), 0};
  run.work = WorkFigures{.service = Millis(0.8), .ops = {}, .rpcs = {}};
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, {run});
  for (VariantFigures& variant : comparison.variants) variant.last_run.emplace().procs = 5;
  const std::string both = "a, b: at least 60 % of the response is waiting: ops wait until their proc has ended";
  EXPECT_NE(comparison_text(comparison).find(both), std::string::npos) << comparison_text(comparison);
  comparison.variants[1].runs[0].work->service = Millis(1.9);
  EXPECT_NE(comparison_text(comparison).find("\na: 60 % of the response is waiting"), std::string::npos);
  comparison.variants[0].last_run->procs = 500;  // which are hardly busy: something else delays ops
  EXPECT_EQ(comparison_text(comparison).find("is waiting"), std::string::npos);
}

TEST(ComparisonText, InvalidRunsHaveNoInterval) {
  ComparisonResult comparison = at_2ms();
  const RunFigures invalid{1000, 1, Millis(2), 0, {Invalid::unsteady}};
  add_variant(comparison, "a", "a", {invalid, {1001, 1, Millis(2), 0, {Invalid::unsteady}, 2}});
  add_variant(comparison, "b", "b", {{5000, 1, Millis(2), 0}, {5003, 1, Millis(2), 0, {}, 2}});
  AgainstFirst against = *comparison.variants[1].against_first;
  EXPECT_FALSE(against.confidence_95[0] || against.confidence_95[1] || against.p_holm);
  against.confidence_95 = {4, 6};
  EXPECT_FALSE(has_interval(against)) << "of a document of an older version";
}

}  // namespace
}  // namespace edagen
