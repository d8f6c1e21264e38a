#include "report/comparison_text.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"

namespace edagen {
namespace {

ComparisonResult at_2ms() {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  return comparison;
}

TEST(ComparisonText, TheTableNamesTheTargetAndTheVerdict) {
  ComparisonResult comparison = at_2ms();
  add_variant(comparison, "regular", "/mnt/a", {{39'601, 692, Millis(2), 0}, {39'700, 693, Millis(2), 0}});
  add_variant(comparison, "large", "/mnt/b", {{652'260, 10'030, Millis(2), 1.5}, {652'300, 10'030, Millis(2), 1.5}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("Scenario  I/O rate at 2 ms  MiB/s at 2 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("regular             39,650            692"), std::string::npos) << text;
  EXPECT_NE(text.find("faster"), std::string::npos) << text;
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

TEST(ComparisonText, OneRunOfEachSaysNothingOfTheDifference) {
  ComparisonResult comparison = at_2ms();
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, "/mnt", {{39'601, 692, Millis(2), 0}});
  EXPECT_NE(comparison_text(comparison).find("needs more runs"), std::string::npos) << comparison_text(comparison);
}

}  // namespace
}  // namespace edagen
