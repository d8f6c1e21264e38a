#include "compare/comparison_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "edagen/parts/random.hpp"
#include "result/result_json.hpp"
#include "support/document_schema.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(ComparisonResult, VariantsAreComparedWithTheFirstByTheirRatesAtTheTarget) {
  const ComparisonResult comparison = sample_comparison("2ms");
  EXPECT_FALSE(comparison.variants[0].against_first);
  EXPECT_NEAR(comparison.variants[1].against_first->ratio, 16.45, 0.05);
  EXPECT_EQ(comparison.variants[1].against_first->verdict, Verdict::faster);
  EXPECT_DOUBLE_EQ(comparison.variants[1].mean_ops_per_sec, 652'280);
}

TEST(ComparisonResult, VariantsAreComparedByTheirLatenciesAtARate) {
  const ComparisonResult comparison = sample_comparison(std::nullopt);
  EXPECT_NEAR(comparison.variants[1].against_first->ratio, 2, 1e-9);
  EXPECT_EQ(comparison.variants[1].against_first->verdict, Verdict::slower);
}

TEST(ComparisonResult, RunsAreComparedWithThoseOfTheSameRepeat) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants.clear();
  const auto run = [](double rate, std::uint64_t repeat) { return RunFigures{rate, 1, Millis(1), 0, {}, repeat}; };
  add_variant(comparison, "a", "/mnt/a", {run(100, 1), run(200, 2), run(400, 3)});
  add_variant(comparison, "b", "/mnt/b", {run(110, 1), run(440, 3), run(5000, 4)});
  EXPECT_NEAR(comparison.variants[1].against_first->ratio, 1.1, 1e-9);
}

TEST(ComparisonResult, VariantsWithoutARepeatThatBothHaveAreNotCompared) {
  ComparisonResult comparison;
  const auto run = [](std::uint64_t repeat) { return RunFigures{100, 1, Millis(1), 0, {}, repeat}; };
  add_variant(comparison, "a", "/mnt/a", {run(1)});
  add_variant(comparison, "b", "/mnt/b", {run(2)});
  EXPECT_FALSE(comparison.variants[1].against_first) << "no ratio of 1 that nobody measured";
}

TEST(ComparisonResult, WhoseRepeatsHaveNothingInCommonHasNoIntervalAndCanBeReadBack) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants.clear();
  const auto run = [](double rate, std::uint64_t repeat) { return RunFigures{rate, 1, Millis(1), 0, {}, repeat}; };
  add_variant(comparison, "a", "/mnt/a", {run(1, 1), run(30'000, 2)});
  add_variant(comparison, "b", "/mnt/b", {run(40'000, 1), run(2, 2)});
  EXPECT_FALSE(comparison.variants[1].against_first->confidence_95[1]) << "from next to nothing to any number";
  EXPECT_NO_THROW(from_checked_json<ComparisonResult>(to_json(comparison), "document"));
}

TEST(ComparisonResult, ARatioOfOneRepeatHasNoInterval) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {{100, 1, Millis(1), 0}});
  add_variant(comparison, "b", "/mnt/b", {{100, 1, Millis(2), 0}});
  const Document document = to_json(comparison);
  EXPECT_NEAR(document["variants"][1]["against_first"]["ratio"].get<double>(), 2, 1e-9);
  EXPECT_EQ(document["variants"][1]["against_first"]["confidence_95"].dump(), "[null,null]");
}

TEST(ComparisonResult, RunsThatWerePlannedAndAreNotThereAreMissingAndTheDocumentSaysWhich) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants.clear();
  const auto run = [](std::uint64_t repeat) { return RunFigures{100, 1, Millis(1), 0, {}, repeat}; };
  add_variant(comparison, "all", "/mnt/a", {run(1), run(2), run(3), run(4), run(5), run(6)});
  add_variant(comparison, "some", "/mnt/b", {run(5), run(2), run(2), run(7)});
  add_variant(comparison, "none", "/mnt/c", {});
  add_variant(comparison, "refused", "vers=3", {run(1)}, {}, "Protocol not supported");
  comparison.status = Status::interrupted;
  EXPECT_TRUE(comparison.missing_runs().empty()) << "of an older version nobody knows";
  EXPECT_TRUE(to_json(comparison)["repeats"].is_null());
  comparison.repeats = 6;
  const Document document = to_json(comparison);
  EXPECT_EQ(document["repeats"], 6);
  EXPECT_EQ(
      document["missing_runs"].dump(),
      R"([{"variant":"some","first_repeat":1,"last_repeat":1},{"variant":"some","first_repeat":3,"last_repeat":4},)"
      R"({"variant":"some","first_repeat":6,"last_repeat":6},{"variant":"none","first_repeat":1,"last_repeat":6}])");
  check_document<ComparisonResult>(nlohmann::json(document));
  EXPECT_EQ(to_json(from_json<ComparisonResult>(document)), document);
  comparison.repeats = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(comparison.missing_runs().back().last, *comparison.repeats) << "whatever a document says";
  comparison.status = Status::running;
  EXPECT_TRUE(comparison.missing_runs().empty()) << "they are still to come";
}

TEST(ComparisonResult, FiguresAreThoseAtTheTargetOrOfThePoint) {
  EXPECT_EQ(run_figures(sample_result(sample_curve()), true).ops_per_sec, 39'601);
  const Result single = sample_result(single_point_curve());
  EXPECT_NEAR(run_figures(single, false).response.count(), 2, 0.01);
  EXPECT_EQ(run_figures(single, false).invalid, std::vector{Invalid::errors});
}

TEST(ComparisonResult, ATargetThatNoLoadMeetsOrNoneReachesMakesARunInvalid) {
  Curve curve = sample_curve();
  curve.answers[0].limit = RateLimit::procs;
  curve.answers[0].invalid = {Invalid::target_not_reached};
  EXPECT_EQ(run_figures(sample_result(curve), true).invalid, std::vector{Invalid::target_not_reached});
  curve.answers[0].met = false;
  curve.answers[0].invalid = {Invalid::no_load_meets_target};
  EXPECT_EQ(run_figures(sample_result(curve), true).invalid, std::vector{Invalid::no_load_meets_target});
  EXPECT_EQ(run_figures(Result{}, true).invalid, std::vector{Invalid::nothing_measured});
}

TEST(ComparisonResult, WhatARunDoesNotHaveIsNullInTheDocumentAndSoIsItsMean) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants.clear();
  VariantRun last = variant_run(sample_result(single_point_curve()));
  last.load_points.push_back({Purpose::load_point, 0, {}, {Invalid::nothing_measured}});
  add_variant(comparison, "unmet", "/mnt/a", {{0, 0, Millis(3), 0, {Invalid::no_load_meets_target}}});
  add_variant(comparison, "nothing", "/mnt/b", {run_figures(Result{}, true), {100, 1, Millis(2), 0, {}, 2}}, {}, {},
              last);
  add_variant(comparison, "none", "/mnt/c", {});
  const Document document = to_json(comparison), unmet = document["variants"][0], nothing = document["variants"][1],
                 none = document["variants"][2];
  for (const std::string name : {"ops_per_sec", "mib_per_sec", "rpcs_per_op"}) {
    for (const Document& run : {unmet["runs"][0], nothing["runs"][0]}) EXPECT_TRUE(run[name].is_null()) << run;
    for (const Document& variant : {unmet, nothing, none}) EXPECT_TRUE(variant["mean_" + name].is_null()) << variant;
  }
  EXPECT_EQ(unmet["runs"][0]["response_ms"], 3);
  EXPECT_EQ(unmet["mean_response_ms"], 3);
  EXPECT_TRUE(nothing["runs"][0]["response_ms"].is_null());
  EXPECT_EQ(nothing["runs"][1]["ops_per_sec"], 100);
  EXPECT_TRUE(nothing["mean_response_ms"].is_null());
  EXPECT_TRUE(nothing["last_run"]["load_points"][1]["achieved_ops_per_sec"].is_null());
  EXPECT_TRUE(nothing["last_run"]["load_points"][1]["statistic_ms"].is_null());
  check_document<ComparisonResult>(nlohmann::json(document));
  EXPECT_EQ(to_json(from_json<ComparisonResult>(document)), document);
}

std::vector<RunFigures> runs_of(const std::vector<double>& rates) {
  std::vector<RunFigures> runs;
  for (const double rate : rates) runs.push_back({rate, 1, Millis(1), 0, {}, runs.size() + 1});
  return runs;
}

TEST(ComparisonResult, SeveralVariantsAreSeldomToldApartByChance) {
  // Nine variants that do not differ, five runs each: without adjusting one in three comparisons would show something.
  Random random(7);
  int told = 0;
  for (int i = 0; i < 400; ++i) {
    ComparisonResult comparison;
    comparison.at_latency_target = "2ms";
    for (int variant = 0; variant < 10; ++variant) {
      std::vector<double> rates;
      for (int run = 0; run < 5; ++run) rates.push_back(1000 + 100 * random.normal());
      add_variant(comparison, std::to_string(variant), "", runs_of(rates));
    }
    told += std::ranges::any_of(comparison.variants, [](const VariantFigures& variant) {
      return variant.against_first && variant.against_first->verdict != Verdict::no_difference;
    });
  }
  EXPECT_LT(told, 40) << "5 % of 400 are 20";
}

TEST(ComparisonResult, IntervalsAreWiderAndVerdictsHarderWithMoreVariants) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  add_variant(comparison, "first", "", runs_of({1000, 1010, 990}));
  add_variant(comparison, "a little more", "", runs_of({1030, 1050, 1040}));
  const AgainstFirst alone = *comparison.variants[1].against_first;
  EXPECT_EQ(alone.verdict, Verdict::faster);
  for (const char* const name : {"c", "d", "e"}) add_variant(comparison, name, "", runs_of({1000, 990, 1010}));
  const AgainstFirst among = *comparison.variants[1].against_first;
  EXPECT_EQ(among.verdict, Verdict::no_difference);
  EXPECT_NEAR(*among.p_holm, 4 * *alone.p_holm, 1e-9);
  EXPECT_LT(*among.confidence_95[0], *alone.confidence_95[0]);
  EXPECT_GT(*among.confidence_95[1], *alone.confidence_95[1]);
  EXPECT_DOUBLE_EQ(among.ratio, alone.ratio);
}

TEST(ComparisonResult, AVariantThatCanHaveNoVerdictMakesNoIntervalWiderAndNoVerdictHarder) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  add_variant(comparison, "first", "", runs_of({1000, 1010, 990}));
  add_variant(comparison, "a little more", "", runs_of({1030, 1050, 1040}));
  const AgainstFirst alone = *comparison.variants[1].against_first;
  std::vector<RunFigures> late = runs_of({1000, 990, 1010}), bound = late;
  late[1].invalid = {Invalid::generator_limited};
  bound[2].invalid = {Invalid::target_not_reached};
  add_variant(comparison, "late", "", late);
  add_variant(comparison, "bound", "", bound);
  const AgainstFirst beside = *comparison.variants[1].against_first;
  EXPECT_EQ(comparison.variants[2].against_first->verdict, Verdict::invalid_runs);
  EXPECT_EQ(comparison.variants[3].against_first->verdict, Verdict::invalid_runs);
  EXPECT_EQ(beside.verdict, Verdict::faster);
  EXPECT_EQ(beside.p_holm, alone.p_holm);
  EXPECT_EQ(beside.confidence_95, alone.confidence_95);
}

TEST(ComparisonResult, WhatWasRefusedIsARowAndTheNextIsTheBaseline) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  add_variant(comparison, "nconnect=8", "vers=3,nconnect=8", {}, {}, "did not take effect");
  EXPECT_EQ(comparison.baseline(), nullptr);
  add_variant(comparison, "b", "", runs_of({1000, 1010}));
  add_variant(comparison, "c", "", runs_of({2000, 2020}));
  EXPECT_EQ(comparison.baseline(), &comparison.variants[1]);
  EXPECT_FALSE(comparison.variants[0].against_first);
  EXPECT_FALSE(comparison.variants[1].against_first);
  EXPECT_NEAR(comparison.variants[2].against_first->ratio, 2, 1e-9);
  EXPECT_FALSE(comparison.valid());
}

TEST(ComparisonResult, AVariantWhoseTargetNoLoadMeetsHasNothingToCompare) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  add_variant(comparison, "first", "", runs_of({1000, 1010}));
  add_variant(comparison, "never", "", runs_of({0, 0}));
  add_variant(comparison, "not always", "", runs_of({1000, 0}));
  add_variant(comparison, "always", "", runs_of({1000, 1020}));
  EXPECT_FALSE(comparison.variants[1].against_first);
  EXPECT_FALSE(comparison.variants[2].against_first);
  EXPECT_TRUE(comparison.variants[3].against_first);
}

TEST(ComparisonResult, HasNoVerdictWhereARunOfEitherSideIsInvalid) {
  const auto verdict = [](std::vector<Invalid> of_first, std::vector<Invalid> of_second) {
    std::vector<RunFigures> first = runs_of({1000, 1010, 990}), second = runs_of({2000, 2020, 1980});
    first[1].invalid = std::move(of_first);
    second[2].invalid = std::move(of_second);
    ComparisonResult comparison;
    comparison.at_latency_target = "2ms";
    add_variant(comparison, "first", "", std::move(first));
    add_variant(comparison, "second", "", std::move(second));
    return std::pair(comparison.variants[1].against_first->verdict, comparison.variants[1].against_first->ratio);
  };
  EXPECT_EQ(verdict({}, {}).first, Verdict::faster);
  EXPECT_EQ(verdict({Invalid::target_not_reached}, {}), std::pair(Verdict::invalid_runs, 0.0)) << "of a lower bound";
  EXPECT_EQ(verdict({}, {Invalid::generator_limited}).first, Verdict::invalid_runs);
  EXPECT_NEAR(verdict({}, {Invalid::generator_limited}).second, 2, 0.01) << "two pairs can be used";
}

TEST(ComparisonResult, ARatioAndTheMeansAreOfTheRunsThatCanBeUsedAsTheEffectsOfFactorsAre) {
  std::vector<RunFigures> second = runs_of({880, 700, 745});
  second[1].invalid = second[2].invalid = {Invalid::generator_limited};
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  comparison.factors = {"nocto"};
  add_variant(comparison, "base", "", runs_of({1000, 1000, 1000}));
  add_variant(comparison, "nocto", "", second, {}, {}, {}, {"nocto"});
  const VariantFigures& variant = comparison.variants[1];
  EXPECT_EQ(variant.against_first->verdict, Verdict::invalid_runs) << "one pair is too few";
  EXPECT_NEAR(variant.against_first->ratio, 0.88, 1e-9) << "and not of all pairs";
  EXPECT_NEAR(variant.mean_ops_per_sec, 880, 1e-9);
  EXPECT_NEAR(comparison.factor_effects.at(0).factors.at(0).effect.ratio, 0.88, 1e-9);
}

TEST(ComparisonResult, TheMeanOfRatesOfWhichSomeAreLowerBoundsHasThem) {
  std::vector<RunFigures> runs = runs_of({400, 800, 900});
  runs[1].invalid = {Invalid::target_not_reached};
  runs[2].invalid = {Invalid::generator_limited};
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  add_variant(comparison, "a", "", runs);
  EXPECT_NEAR(comparison.variants[0].mean_ops_per_sec, 600, 1e-9) << "the run that reached it was the slower one";
}

TEST(ComparisonResult, HasNoRatioOfRunsOfWhichNoPairCanBeUsedAndItsDocumentHasNull) {
  std::vector<RunFigures> first = runs_of({1000, 1010}), second = runs_of({5, 6});
  for (RunFigures& run : second) run.invalid = {Invalid::achieved_rate_low};
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  comparison.started_at = "2026-01-31T12:00:00Z";
  comparison.status = Status::complete;
  add_variant(comparison, "first", "", std::move(first));
  add_variant(comparison, "second", "", std::move(second));
  EXPECT_EQ(comparison.variants[1].against_first->usable_pairs, 0u);
  EXPECT_FALSE(comparison.variants[1].has_ratio());
  const Document document = to_json(comparison);
  EXPECT_TRUE(document["variants"][1]["against_first"]["ratio"].is_null());
  EXPECT_NO_THROW(check_document<ComparisonResult>(nlohmann::json(document)));
  EXPECT_EQ(to_json(from_json<ComparisonResult>(document)), document);
}

TEST(ComparisonResult, ALastRunHasItsLoadPointsAndTheOpsOfTheOneThatIsCompared) {
  Result result = sample_result(sample_curve());
  result.load_points[1].ops.at(OpKind::read_rand).latency->response.mean = Millis(7);
  const VariantRun run = variant_run(result);
  EXPECT_EQ(run.target.mounts.front().path, "/mnt/a");
  EXPECT_EQ(run.load_points.size(), 3u);
  EXPECT_EQ(run.at_latency_target.size(), 1u);
  EXPECT_EQ(run.op_response.at(OpKind::read_rand), Millis(7)) << "of the demonstration";
  result.load_points.clear(), result.at_latency_target.clear();
  EXPECT_TRUE(variant_run(result).op_response.empty());
}

TEST(ComparisonResult, ARunHasHowBusyTheHostWasThatAloneMadeItsLoad) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  EXPECT_FALSE(run_figures(result, false).host_use) << "not known";
  point.host_busy = 0.75, point.cpu_cores_used = 0.1, point.throttled_share = 0.2;
  point.real_time_refused = true;
  const std::optional<HostUse> use = run_figures(result, false).host_use;
  ASSERT_TRUE(use);
  EXPECT_EQ(use->host_busy, 0.75);
  EXPECT_EQ(use->cpu_cores_used, 0.1);
  EXPECT_EQ(use->throttled_share, 0.2);
  EXPECT_TRUE(use->real_time_refused);
  point.hosts.resize(2);
  EXPECT_FALSE(run_figures(result, false).host_use) << "several hosts";
  point.hosts.clear();
  result.target.kind = TargetKind::sim;
  EXPECT_FALSE(run_figures(result, false).host_use) << "a simulated volume";
}

TEST(ComparisonResult, ARunWhoseRateIsALowerBoundHasWhyAndALimitOfTheHostIsNone) {
  Result result = sample_result(sample_curve());
  EXPECT_TRUE(run_figures(result, true).bounds.empty());
  result.at_latency_target[0].limit = RateLimit::highest_rate;
  EXPECT_EQ(run_figures(result, true).bounds, std::vector{BoundCause::points});
  result.at_latency_target[0].limit = RateLimit::host;
  EXPECT_TRUE(run_figures(result, true).bounds.empty());
}

TEST(ComparisonResult, IsValidWhenAllItsRunsAre) {
  ComparisonResult comparison = sample_comparison("2ms");
  EXPECT_TRUE(comparison.valid());
  add_variant(comparison, "c", "/mnt/c", {{39'700, 693, Millis(2), 0, {Invalid::unsteady}}});
  EXPECT_FALSE(comparison.valid());
}

TEST(ComparisonResult, AsJsonItFollowsTheSchemaAndIsReadBackTheSame) {
  for (const auto& at : {std::optional<std::string>("2ms"), std::optional<std::string>()}) {
    ComparisonResult comparison = sample_comparison(at);
    add_variant(comparison, "once", "sim:large", {{1, 2, Millis(3), 0, {Invalid::target_not_reached}}});
    add_variant(comparison, "never", "vers=9", {}, {}, "mount s:/x: Protocol not supported");
    comparison.variants[1].staleness->data = {.looks = 9,
                                              .stale = 3,
                                              .stale_share = 0.3,
                                              .periods = 2,
                                              .unended = 1,
                                              .stale_for_p50 = std::nullopt,
                                              .stale_for_max = Millis(4900)};
    comparison.variants[0].runs[0].host_use = HostUse{.cpu_cores_used = 0.25, .host_busy = 0.75};
    const Document document = to_json(comparison);
    EXPECT_NO_THROW(check_document<ComparisonResult>(nlohmann::json(document)));
    EXPECT_EQ(to_json(from_json<ComparisonResult>(document)), document);
  }
}

TEST(ComparisonResult, AVerdictIsOfThePairsThatCanBeUsed) {
  const auto compared = [](std::size_t invalid_runs, Invalid reason) {
    std::vector<double> rates;
    for (int i = 0; i < 10; ++i) rates.push_back(1000 + i);
    std::vector<RunFigures> first = runs_of(rates), second = runs_of(rates);
    for (RunFigures& run : second) run.ops_per_sec *= 0.81;
    for (std::size_t i = 0; i < invalid_runs; ++i) second[i].invalid = {reason}, second[i].ops_per_sec = 5;
    ComparisonResult comparison;
    comparison.at_latency_target = "2ms";
    add_variant(comparison, "first", "", std::move(first));
    add_variant(comparison, "second", "", std::move(second));
    return *comparison.variants[1].against_first;
  };
  const AgainstFirst some = compared(6, Invalid::generator_limited);
  EXPECT_EQ(some.verdict, Verdict::slower);
  EXPECT_EQ(some.pairs, 10u);
  EXPECT_EQ(some.usable_pairs, 4u);
  EXPECT_NEAR(some.ratio, 0.81, 1e-9) << "runs that are left out are in no figure";
  EXPECT_EQ(compared(8, Invalid::generator_limited).verdict, Verdict::invalid_runs) << "2 pairs are too few";
  EXPECT_EQ(compared(1, Invalid::target_not_reached).verdict, Verdict::invalid_runs) << "the mean is a lower bound";
  EXPECT_EQ(compared(10, Invalid::imprecise).usable_pairs, 10u) << "their scatter is in the interval";
  EXPECT_EQ(compared(10, Invalid::not_demonstrated).usable_pairs, 10u);
}

}  // namespace
}  // namespace edagen
