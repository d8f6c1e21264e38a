#include "report/verdict_text.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "report/comparison_page.hpp"
#include "report/comparison_text.hpp"

namespace edagen {
namespace {

/// Variants a and b, each with these runs.
ComparisonResult two_variants(const std::vector<RunFigures>& a, const std::vector<RunFigures>& b) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", a);
  add_variant(comparison, "b", "/mnt/b", b);
  return comparison;
}

RunFigures run_at_rate(double response, std::uint64_t repeat, const std::vector<Invalid>& invalid = {}) {
  return {1000, 4, Millis(response), 0, invalid, repeat};
}

TEST(VerdictText, ARatioOfRunsThatAreAllInvalidStandsNowhere) {
  const std::vector<Invalid> overload = {Invalid::achieved_rate_low};
  const ComparisonResult comparison = two_variants({run_at_rate(500, 1, overload), run_at_rate(501, 2, overload)},
                                                   {run_at_rate(0.1, 1), run_at_rate(0.1, 2)});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("b against a: mean response: no verdict, as runs are invalid: 0 of 2 pairs of runs can be "
                      "used\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  -  none: runs of a are invalid  "), std::string::npos) << text;
  EXPECT_EQ(text.find("0.000"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"vs a\""), std::string::npos) << "nothing is explained that is not there: " << text;
  Document page = Document::array();
  add_comparison(page, comparison);
  EXPECT_EQ(page.dump().find(R"("chart":"ratios")"), std::string::npos);
}

TEST(VerdictText, ARatioOfTooFewPairsForAVerdictIsMarked) {
  const ComparisonResult comparison = two_variants(
      {run_at_rate(2, 1), run_at_rate(2, 2)}, {run_at_rate(2.2, 1), run_at_rate(2.2, 2, {Invalid::generator_limited})});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("b against a: mean response +10.0 % (INVALID): no verdict, as runs are invalid: 1 of 2 "
                      "pairs of runs can be used"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  INVALID +10.0 %  none: invalid runs  "), std::string::npos) << text;
  EXPECT_NE(text.find("repeat by repeat, from the pairs that can be used: b 1 of 2\n"), std::string::npos) << text;
}

TEST(VerdictText, WhichRunsAreLowerBoundsIsSaid) {
  const RunFigures bound = run_at_rate(2, 2, {Invalid::target_not_reached});
  const auto text = [](std::vector<RunFigures> a, std::vector<RunFigures> b) {
    for (std::vector<RunFigures>* const runs : {&a, &b})
      for (std::size_t i = 0; i < runs->size(); ++i) (*runs)[i].repeat = i + 1;
    ComparisonResult comparison;
    comparison.at_latency_target = "2ms";
    add_variant(comparison, "a", "/mnt/a", a);
    add_variant(comparison, "b", "/mnt/b", b);
    return comparison_text(comparison);
  };
  const RunFigures valid = run_at_rate(2, 1);
  const std::string one = text({valid, valid, valid}, {valid, bound, valid});
  EXPECT_NE(one.find("b against a: cannot be compared: the rate of b (repeat 2 of 3) is a lower bound, as the target "
                     "was not reached\n"),
            std::string::npos)
      << one;
  const std::string both = text({bound, bound, valid}, {bound, bound, bound});
  EXPECT_NE(both.find("b against a: cannot be compared: the rates of a (2 of 3 runs) and b are lower bounds, as the "
                      "target was not reached, and either may be higher\n"),
            std::string::npos)
      << both;
  EXPECT_EQ(both.find("\"vs a\""), std::string::npos) << "there is no ratio: " << both;
}

TEST(VerdictText, AVariantWithoutARunHasNoBlankCellsAndSaysThatItHasNone) {
  ComparisonResult comparison = two_variants({run_at_rate(2, 1)}, {});
  comparison.status = Status::interrupted;
  comparison.repeats = 3;
  const std::string text = comparison_text(comparison);
  const std::size_t row = text.find("\nb ");
  ASSERT_NE(row, std::string::npos) << text;
  EXPECT_NE(text.find("  -      -        -     -  none: no run\n", row), std::string::npos) << text;
  EXPECT_NE(text.find("these are missing: a 2 to 3; b 1 to 3."), std::string::npos) << text;
}

TEST(VerdictText, WhereSomePairsOfRunsCanBeUsedMoreRepeatsAreTheWayToAVerdict) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  const auto runs = [](const std::vector<Invalid>& of_last) {
    return std::vector<RunFigures>{{100, 1, Millis(2), 0, {}, 1}, {101, 1, Millis(2), 0, of_last, 2}};
  };
  add_variant(comparison, "a", "/mnt/a", runs({}));
  add_variant(comparison, "b", "/mnt/b", runs({Invalid::unsteady}));
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find(": 1 of 2 pairs of runs can be used, and more repeats (--repeat) may give a verdict\n"),
            std::string::npos)
      << text;
  comparison.alternation = AlternationFigures{.reason = "--slices off", .end = EndReason::time};
  EXPECT_NE(comparison_text(comparison).find(", and more time (--max-time) may give a verdict\n"), std::string::npos)
      << "--repeat does not go with --max-time";
}

TEST(VerdictText, OneRunOfEachHasNoIntervalAndIsToldSoInOneWay) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  for (const char* const name : {"a", "b"}) add_variant(comparison, name, "/mnt", {{39'601, 692, Millis(2), 0}});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("b against a: I/O rate at 2 ms 0.0 %; 1 run of each gives no interval: 2 or more repeats of "
                      "both do\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("none: too few repeats\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("no difference shown"), std::string::npos) << text;
  EXPECT_EQ(text.find("geometric"), std::string::npos) << "of one ratio: " << text;
}

TEST(VerdictText, AnIntervalThatTellsNothingIsNotShownAndHowManyRepeatsWouldTellIs) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {{100, 1, Millis(2), 0}, {100, 1, Millis(2), 0, {}, 2}});
  add_variant(comparison, "b", "/mnt/b", {{100, 1, Millis(1.7), 0}, {100, 1, Millis(2.3), 0, {}, 2}});
  ASSERT_LT(*comparison.variants[1].against_first->confidence_95[0], 0.2) << "the document has it";
  const std::string text = comparison_text(comparison);
  // A standard deviation of 0.214 of the logarithm: 1.96 / log(1.1) of it, squared, is 19; with Student's t it is 22.
  EXPECT_NE(text.find("b against a: mean response -1.1 %; 2 repeats cannot tell, as they vary too much: about "
                      "22 repeats would narrow the interval to ±10 %\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" none: too few repeats\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("confidence"), std::string::npos) << text;
  for (const char* const name : {"c", "d"})
    add_variant(comparison, name, "/mnt", {{100, 1, Millis(0.002), 0}, {100, 1, Millis(9), 0, {}, 2}});
  EXPECT_NE(comparison_text(comparison).find("; 2 repeats cannot tell, as they vary too much for an interval\n"),
            std::string::npos)
      << comparison_text(comparison);
  EXPECT_EQ(comparison_text(comparison).find("allow for the comparison"), std::string::npos) << "there is no interval";
}

TEST(VerdictText, HowManyRepeatsWouldTellAllowsForTheEndAtAPrecisionAsTheIntervalDoes) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.reason = "--slices off", .until = 0.02, .end = EndReason::time};
  add_variant(comparison, "a", "/mnt/a", {{100, 1, Millis(2), 0}, {100, 1, Millis(2), 0, {}, 2}});
  add_variant(comparison, "b", "/mnt/b", {{100, 1, Millis(1.7), 0}, {100, 1, Millis(2.3), 0, {}, 2}});
  // The standard deviation of the test above, with 97 % in place of 95 %: 2.17 / log(1.1) of it, squared, is 24.
  EXPECT_NE(comparison_text(comparison).find("; 2 repeats cannot tell, as they vary too much: about 27 repeats"),
            std::string::npos)
      << comparison_text(comparison);
}

TEST(VerdictText, HowManyRepeatsWouldTellFollowsFromThePairsThatCanBeUsed) {
  std::vector<RunFigures> a, b;
  for (std::uint64_t repeat = 1; repeat <= 6; ++repeat) {
    a.push_back({100, 1, Millis(2), 0, {}, repeat});
    b.push_back({100, 1, Millis(repeat % 2 == 0 ? 1 : 4), 0, {}, repeat});
    if (repeat > 3) b.back().invalid = {Invalid::generator_limited};
  }
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", a);
  add_variant(comparison, "b", "/mnt/b", b);
  // The logarithms of 2, 0.5 and 2 have a standard deviation of 0.80: 1.969 / log(1.1) times this, squared, is 273.
  EXPECT_NE(comparison_text(comparison).find("; 3 repeats cannot tell, as they vary too much: about 27"),
            std::string::npos)
      << comparison_text(comparison);
}

TEST(VerdictText, AStalledRepeatIsWhyRepeatsVary) {
  ComparisonResult comparison;
  const auto runs = [](double second) {
    std::vector<RunFigures> all;
    for (const double response : {1.0, second, 1.05})
      all.push_back(RunFigures{1000, 1, Millis(response), 0, {}, all.size() + 1});
    return all;
  };
  add_variant(comparison, "a", "a", runs(1.02));
  add_variant(comparison, "b", "b", runs(800));
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("3 repeats cannot tell, as repeats stalled: measure again\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  b, repeat 2 stalled: "), std::string::npos) << text;
}

}  // namespace
}  // namespace edagen
