#include "report/repeats_text.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"

namespace edagen {
namespace {

RunFigures run_of(std::uint64_t repeat, double rate, double response, std::vector<Invalid> invalid = {}) {
  return {rate, 1, Millis(response), 0, std::move(invalid), repeat};
}

TEST(RepeatsText, EachRepeatOfEachVariantHasItsFigure) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {run_of(1, 1000, 2), run_of(2, 1001, 2.1)});
  add_variant(comparison, "b", "/mnt/b", {run_of(1, 2000, 1), run_of(2, 2001, 1.5, {Invalid::unsteady})});
  EXPECT_EQ(repeats_text(comparison, ""),
            "\nmean ms  repeat 1  repeat 2\na            2.00      2.10\nb            1.00    (1.50)\n"
            "in brackets: invalid runs\n");
  EXPECT_NE(repeats_text(comparison, " at 2 ms").find("\na                 1,000     1,001\n"), std::string::npos)
      << repeats_text(comparison, " at 2 ms");
}

TEST(RepeatsText, ARunStandsInTheColumnOfItsRepeatAlsoWhereOthersAreMissing) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {run_of(1, 1000, 2), run_of(3, 1001, 2.1)});
  add_variant(comparison, "b", "/mnt/b", {run_of(2, 2000, 1), run_of(3, 2001, 1.5)});
  EXPECT_EQ(repeats_text(comparison, ""),
            "\nmean ms  repeat 1  repeat 2  repeat 3\na            2.00         -      2.10\n"
            "b               -      1.00      1.50\n");
}

TEST(RepeatsText, LowRatesAreNotRoundedToWholeOps) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {run_of(1, 3.12, 2), run_of(2, 0.42, 2)});
  EXPECT_NE(repeats_text(comparison, " at 2 ms").find("\na                   3.1      0.42\n"), std::string::npos)
      << repeats_text(comparison, " at 2 ms");
}

TEST(RepeatsText, OfManyRepeatsThereAreTheLowestTheMedianAndTheHighest) {
  ComparisonResult comparison;
  std::vector<RunFigures> runs;
  for (std::uint64_t i = 9; i > 0; --i) runs.push_back(run_of(10 - i, 100, static_cast<double>(i)));
  add_variant(comparison, "a", "/mnt/a", runs);
  const std::string table = "\nmean ms  lowest  median  highest\na          1.00    5.00     9.00\n";
  EXPECT_EQ(repeats_text(comparison, ""), table);
  comparison.variants.front().runs.front().invalid = {Invalid::unsteady};
  EXPECT_EQ(repeats_text(comparison, ""), table + "invalid runs are among them\n");
  comparison.variants.front().runs[2].invalid = {Invalid::ops_outstanding};  // 7 ms or more
  EXPECT_NE(repeats_text(comparison, "").find("\na          1.00    5.00   > 9.00\n"), std::string::npos)
      << repeats_text(comparison, "");
}

TEST(RepeatsText, OfSingleRunsThereIsNothingToAdd) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {run_of(1, 1000, 2)});
  add_variant(comparison, "refused", "/mnt/b", {});
  EXPECT_EQ(repeats_text(comparison, ""), "");
}

}  // namespace
}  // namespace edagen
