#include "report/comparison_reasons.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"

namespace edagen {
namespace {

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
    EXPECT_NE(text.find(": that this host began ops too late may be why\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("--rate"), std::string::npos) << text;
    EXPECT_EQ(text.find("--search-time"), std::string::npos) << text;
  }
  at_a_rate.variants[0].runs[0].invalid = {achieved_rate_low};
  EXPECT_NE(invalid_runs_text(at_a_rate).find(": a lower --rate, or more procs (--job-sets)\n"), std::string::npos)
      << "not all of these runs were late: " << invalid_runs_text(at_a_rate);
}

}  // namespace
}  // namespace edagen
