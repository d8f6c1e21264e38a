#include "report/comparison_reasons.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "report/comparison_text.hpp"

namespace edagen {
namespace {

TEST(ComparisonReasons, AWholeRunThatStalledIsNamedAsThatAndHasNoRemedyOfAnotherReason) {
  ComparisonResult at_a_rate, at_a_target;
  at_a_target.at_latency_target = "2ms";
  std::vector<RunFigures> runs;
  for (const double response : {0.1, 0.1, 17.0, 0.2})
    runs.push_back(RunFigures{1000, 1, Millis(response), 0, {}, runs.size() + 1});
  runs[2].invalid = {Invalid::achieved_rate_low};
  for (ComparisonResult* const comparison : {&at_a_rate, &at_a_target}) add_variant(*comparison, "a", "a", runs);
  const std::string text = invalid_runs_text(at_a_rate);
  EXPECT_EQ(text,
            "a: 1 of 4 runs INVALID: achieved_rate_low\n"
            "  INVALID: a, repeat 3 stalled (achieved_rate_low): mean response 17.0 ms, against 0.100 ms in the other "
            "repeats: look at what stopped the storage or this host then, or measure again\n");
  EXPECT_EQ(invalid_runs_text(at_a_target).find("stalled"), std::string::npos) << "each has a rate of its own";
  at_a_rate.variants[0].runs[2].invalid = {Invalid::generator_limited};
  EXPECT_NE(invalid_runs_text(at_a_rate).find("a quieter host"), std::string::npos) << "it was this host";
  at_a_rate.variants[0].runs[2].invalid = {Invalid::achieved_rate_low};
  for (RunFigures& run : at_a_rate.variants[0].runs) run.response = Millis(17);
  EXPECT_NE(invalid_runs_text(at_a_rate).find("a lower --rate"), std::string::npos) << "all are as slow";
}

TEST(ComparisonReasons, AValidRunThatStalledIsNamedAndNoWaitForProcs) {
  ComparisonResult comparison;
  std::vector<RunFigures> runs;
  for (const double response : {0.1, 17.0, 0.1}) {
    runs.push_back(RunFigures{1000, 1, Millis(response), 0, {}, runs.size() + 1});
    runs.back().work.emplace().service = Millis(0.08);
  }
  add_variant(comparison, "a", "a", runs);
  comparison.variants[0].last_run.emplace().procs = 2;
  EXPECT_TRUE(invalid_runs_text(comparison).starts_with("  a, repeat 2 stalled: mean response 17.0 ms, against 0.100"))
      << invalid_runs_text(comparison);
  EXPECT_EQ(busy_procs_text(comparison), "");
}

TEST(ComparisonReasons, SlicesThatStalledHaveOneLineWithTheirBlocks) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.unit = Alternation::slices, .reason = ""};
  std::vector<RunFigures> slices;
  for (const double response : {0.1, 0.1, 0.1, 300.0, 900.0, 0.1, 0.1, 0.1, 0.1, 0.1}) {
    slices.push_back(RunFigures{1000, 1, Millis(response), 0, {}, slices.size() + 1});
    slices.back().slice.emplace().block = 1 + (slices.size() - 1) / 2;
    slices.back().slice->start_seconds = 10 * static_cast<double>(slices.size() - 1);
  }
  slices[3].invalid = slices[4].invalid = {Invalid::achieved_rate_low, Invalid::ops_outstanding};
  add_variant(comparison, "a", "a", slices);
  EXPECT_EQ(
      invalid_runs_text(comparison),
      "a: 2 of 10 slices INVALID: achieved_rate_low, ops_outstanding\n"
      "  a: 2 of 10 slices stalled (in blocks 2, 3, the first of them 30 s after the comparison's first load): mean "
      "response up to 900 ms, against a median of 0.100 ms: look at what stopped the storage or this host then, or "
      "measure again\n");
}

TEST(ComparisonReasons, NeitherAnOverloadNorALateHostIsTakenForAWaitForProcs) {
  RunFigures run{1000, 1, Millis(1), 0};
  run.work.emplace().service = Millis(0.8);
  run.work->ops[OpKind::read_rand] = {.per_op = 1, .service = Millis(0.8)};
  RunFigures overload = run, late = run;
  overload.response = Millis(5000), overload.invalid = {Invalid::achieved_rate_low}, overload.repeat = 2;
  late.response = Millis(3), late.invalid = {Invalid::generator_limited};
  ComparisonResult comparison;
  add_variant(comparison, "a", "a", {run, overload});
  add_variant(comparison, "b", "b", {late});
  for (VariantFigures& variant : comparison.variants) variant.last_run.emplace().procs = 5;
  EXPECT_EQ(busy_procs_text(comparison), "");
  comparison.variants[0].runs[0].response = Millis(2);
  EXPECT_TRUE(busy_procs_text(comparison).starts_with("a: 60 % of the response is waiting: ops wait until their proc"))
      << busy_procs_text(comparison);
}

TEST(ComparisonReasons, LoadPointsThatWereAskedForHaveNoLongerSearchAsARemedy) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  for (const char* const name : {"a", "b"})
    add_variant(comparison, name, name, {RunFigures{1000, 1, Millis(1), 0, {Invalid::not_demonstrated}}});
  EXPECT_NE(invalid_runs_text(comparison).find("a longer search"), std::string::npos) << invalid_runs_text(comparison);
  for (VariantFigures& variant : comparison.variants) variant.last_run.emplace().load_points.resize(2);
  EXPECT_NE(invalid_runs_text(comparison).find(": what helps the load points that are invalid\n"), std::string::npos)
      << invalid_runs_text(comparison);
}

TEST(ComparisonReasons, AWholeRunWhoseOpsNeverReturnedIsNamedAsWhyTheComparisonFailed) {
  const RunFigures run{1000, 1, Millis(1), 0};
  RunFigures stuck = run;
  stuck.invalid = {Invalid::stuck_ops};
  ComparisonResult comparison;
  comparison.status = Status::failed;
  add_variant(comparison, "a", "a", {run});
  add_variant(comparison, "b", "b", {stuck});
  EXPECT_TRUE(comparison_text(comparison).starts_with("The comparison failed, as ops of b never returned. All that"))
      << comparison_text(comparison);
  comparison.repeats = 2;
  EXPECT_TRUE(
      comparison_text(comparison).starts_with("The comparison failed, as ops of b never returned. Of 2 repeats"))
      << comparison_text(comparison);
  comparison.failure = "b: ops never returned";
  EXPECT_EQ(comparison_text(comparison).find("as ops of b"), std::string::npos) << "it has its failure";
}

TEST(ComparisonReasons, WhatALateHostExplainsHasNoRemedyOfItsOwn) {
  using enum Invalid;
  ComparisonResult at_a_rate, at_a_target;
  at_a_target.at_latency_target = "2ms";
  const RunFigures overload{1000, 1, Millis(3), 0, {achieved_rate_low, generator_limited}},
      answer{1000, 1, Millis(3), 0, {generator_limited, not_demonstrated}};
  for (const char* const name : {"a", "b"}) {
    add_variant(at_a_rate, name, name, {overload, overload});
    add_variant(at_a_target, name, name, {answer, answer});
  }
  for (const ComparisonResult* const comparison : {&at_a_rate, &at_a_target}) {
    const std::string text = invalid_runs_text(*comparison);
    EXPECT_NE(text.find(": edagen began ops too late, which may be why\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("--rate"), std::string::npos) << text;
    EXPECT_EQ(text.find("--search-time"), std::string::npos) << text;
  }
  at_a_rate.variants[0].runs[0].invalid = {achieved_rate_low};
  EXPECT_NE(invalid_runs_text(at_a_rate).find(": a lower --rate, or more procs (--job-sets) if "), std::string::npos)
      << "not all of these runs were late: " << invalid_runs_text(at_a_rate);
}

ComparisonResult variants_of(const std::vector<RunFigures>& runs) {
  ComparisonResult comparison;
  comparison.host.cpus = 2;
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, name, runs);
  return comparison;
}

TEST(ComparisonReasons, WhoUsedTheProcessorsOfALateHostIsNamedWithTheRemedy) {
  RunFigures first{1000, 1, Millis(3), 0, {Invalid::generator_limited}};
  first.host_use = HostUse{.cpu_cores_used = 0.1, .host_busy = 0.75};
  RunFigures second = first;
  second.repeat = 2, second.host_use->host_busy = 0.85;
  const std::string others = invalid_runs_text(variants_of({first, second}));
  EXPECT_NE(others.find("  generator_limited: edagen began ops too late; other programs used 1.5 of this host's 2 "
                        "processors on average: take a quieter host\n"),
            std::string::npos)
      << others;
  for (RunFigures* const run : {&first, &second}) run->host_use = HostUse{.cpu_cores_used = 1.9, .host_busy = 0.97};
  const std::string edagen = invalid_runs_text(variants_of({first, second}));
  EXPECT_NE(
      edagen.find("; edagen used 1.9 of this host's 2 processors on average: take more processors, or more hosts\n"),
      std::string::npos)
      << edagen;
  first.host_use.reset(), second.host_use.reset();
  const std::string unknown = invalid_runs_text(variants_of({first, second}));
  EXPECT_NE(unknown.find("  generator_limited: edagen began ops too late: a quieter host or more processors\n"),
            std::string::npos)
      << unknown;
}

TEST(ComparisonReasons, RealTimePriorityIsARemedyOfALateHostWhereItWasRefused) {
  RunFigures run{1000, 1, Millis(3), 0, {Invalid::generator_limited}};
  run.host_use = HostUse{.cpu_cores_used = 0.1, .host_busy = 0.2};
  const std::string allowed = invalid_runs_text(variants_of({run}));
  EXPECT_NE(allowed.find(": a quieter host or more processors\n"), std::string::npos) << allowed;
  run.host_use->real_time_refused = true;
  const std::string refused = invalid_runs_text(variants_of({run}));
  EXPECT_NE(refused.find("; or real-time priority, which edagen was refused (ulimit -r, or run as root)\n"),
            std::string::npos)
      << refused;
}

TEST(ComparisonReasons, SlicesThatAreTooShortHaveTheRemedyOfSlices) {
  RunFigures run{1000, 1, Millis(3), 0, {Invalid::window_short}};
  ComparisonResult comparison = variants_of({run});
  EXPECT_NE(invalid_runs_text(comparison).find("a longer --warmup or --duration"), std::string::npos);
  comparison.alternation = AlternationFigures{.unit = Alternation::slices, .reason = ""};
  const std::string text = invalid_runs_text(comparison);
  EXPECT_NE(text.find(": longer slices (--slices), whole runs (--slices off), or a lower --rate where there is one\n"),
            std::string::npos)
      << text;
}

TEST(ComparisonReasons, ALimitOfTheContainersProcessorsIsNamedWithItsRemedy) {
  RunFigures run{1000, 1, Millis(3), 0, {Invalid::generator_limited, Invalid::generator_paused}};
  run.host_use = HostUse{.cpu_cores_used = 0.5, .host_busy = 0.03, .throttled_share = 0.4};
  const std::string text = invalid_runs_text(variants_of({run}));
  EXPECT_NE(text.find("; the limit of processors of this container held edagen up for 40 % of the time on average: "
                      "more processors for this container, or none that are limited\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("quieter host"), std::string::npos) << text;
  EXPECT_EQ(text.find("a host that is not suspended"), std::string::npos) << text;
}

TEST(ComparisonReasons, AnOverloadOfABusyHostHasTheHostsRemedyOnce) {
  RunFigures run{1000, 1, Millis(3), 0, {Invalid::achieved_rate_low, Invalid::ops_outstanding}};
  run.host_use = HostUse{.cpu_cores_used = 1.9, .host_busy = 0.97};
  const std::string text = invalid_runs_text(variants_of({run}));
  EXPECT_NE(text.find("; edagen used 1.9 of this host's 2 processors on average: take more processors, or more "
                      "hosts\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("of this host's"), text.rfind("of this host's")) << text;
  EXPECT_EQ(text.find("more procs"), std::string::npos) << text;
}

TEST(ComparisonReasons, OtherProgramsBesideFewOfTheLateRunsAreNotWhyAllWereLate) {
  std::vector<RunFigures> runs;
  for (const double busy : {1.0, 1.0, 0.3, 0.3, 0.3}) {
    RunFigures& run =
        runs.emplace_back(RunFigures{1000, 1, Millis(3), 0, {Invalid::generator_limited}, runs.size() + 1});
    run.host_use = HostUse{.cpu_cores_used = 0.1, .host_busy = busy};
  }
  EXPECT_EQ(invalid_runs_text(variants_of(runs)).find("other programs"), std::string::npos);
  for (RunFigures& run : runs) run.host_use->host_busy = 0.6;
  EXPECT_NE(invalid_runs_text(variants_of(runs)).find("other programs used 1.1 of"), std::string::npos);
}

TEST(ComparisonReasons, ABusyHostIsNamedForWhatItCanBringAboutAndLatenessForWhatFollows) {
  using enum Invalid;
  RunFigures run{1000, 1, Millis(3), 0, {unsteady}};
  run.host_use = HostUse{.cpu_cores_used = 0.1, .host_busy = 1};
  const std::string alone = invalid_runs_text(variants_of({run}));
  EXPECT_NE(alone.find("; other programs used 1.9 of this host's 2 processors on average: a longer --warmup"),
            std::string::npos)
      << alone;
  run.invalid = {generator_limited, unsteady};
  const std::string late = invalid_runs_text(variants_of({run}));
  EXPECT_NE(late.find("other programs used 1.9"), std::string::npos) << late;
  EXPECT_EQ(late.find("other programs"), late.rfind("other programs")) << late;
  EXPECT_NE(late.find(": edagen began ops too late, which may be why\n"), std::string::npos) << late;
}

TEST(ComparisonReasons, VariantsThatWereMeasuredLaterThanTheOthersAreNamed) {
  ComparisonResult comparison;
  for (const char* const name : {"a", "b"})
    add_variant(comparison, name, name, {RunFigures{1000, 1, Millis(1), 0, {}}});
  for (VariantFigures& variant : comparison.variants) variant.last_run.emplace().load_points.resize(1);
  EXPECT_EQ(later_windows_text(comparison), "");
  comparison.variants[1].last_run->load_points[0].first_window = Seconds(20);
  EXPECT_EQ(
      later_windows_text(comparison),
      comparison.variants[1].name +
          ": as the latency trended, a first window of 20 s does not count (last run)\n"
          "The other variants were measured sooner after their start, perhaps with colder caches: a longer --warmup "
          "measures all alike\n");
  comparison.variants[0].last_run->load_points[0].first_window = Seconds(20);
  EXPECT_EQ(later_windows_text(comparison).find("The other"), std::string::npos) << "there are two variants";
}

}  // namespace
}  // namespace edagen
