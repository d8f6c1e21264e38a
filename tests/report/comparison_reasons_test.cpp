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

}  // namespace
}  // namespace edagen
