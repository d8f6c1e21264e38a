#include "report/factor_text.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "compare/factor_effects.hpp"
#include "report/comparison_text.hpp"

namespace edagen {
namespace {

/// Two factors that make each other's effect larger, in two repeats.
ComparisonResult sample_factors(double with_both) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  comparison.factors = {"nocto", "nconnect=8"};
  const auto runs = [](double rate) {
    return std::vector<RunFigures>{{rate, 10, Millis(2), 0, {}, 1}, {1.001 * rate, 10, Millis(2), 0, {}, 2}};
  };
  add_variant(comparison, "base", "vers=3", runs(1000), {}, {}, {}, {});
  add_variant(comparison, "nocto", "vers=3,nocto", runs(1330), {}, {}, {}, {"nocto"});
  add_variant(comparison, "nconnect=8", "vers=3,nconnect=8", runs(1000), {}, {}, {}, {"nconnect=8"});
  add_variant(comparison, "nocto + nconnect=8", "vers=3,nocto,nconnect=8", runs(with_both), {}, {}, {},
              {"nocto", "nconnect=8"});
  return comparison;
}

TEST(FactorText, SaysWhatAFactorDoesWithTheOtherAndWithoutItWhereThatDiffers) {
  const std::string text = comparison_text(sample_factors(1530));
  EXPECT_NE(text.find("Factors: I/O rate at 2 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("; with nocto: +13.9 % to +16.2 %, without it: no change shown (-1.0 % to +1.0 %)"),
            std::string::npos)
      << text;
}

TEST(FactorText, WhatAFactorDoesComesFirstAndOnce) {
  const std::string text = comparison_text(sample_factors(1530));
  const std::size_t answer = text.find("I/O rate at 2 ms by nconnect=8: +");
  EXPECT_LT(answer, text.find("nocto against base: ")) << text;
  EXPECT_LT(text.find(" (95 % confidence, from the runs of all combinations)\n", answer), text.find("\n\n")) << text;
  EXPECT_EQ(text.find("by nconnect=8", answer + 30), std::string::npos) << text;
  EXPECT_EQ(text.find("\n- I/O rate"), std::string::npos) << text;
}

TEST(FactorText, NamesInvalidRunsInPlaceOfMoreRepeats) {
  ComparisonResult comparison = sample_factors(1530);
  for (VariantFigures& variant : comparison.variants)
    for (RunFigures& run : variant.runs)
      if (run.repeat == 1) run.invalid = {Invalid::generator_paused};
  comparison.factor_effects = factor_effects(comparison);
  const std::string text = factor_text(comparison, "");
  EXPECT_EQ(comparison.factor_effects.at(0).invalid_runs, 4u);
  EXPECT_NE(text.find("none: invalid runs"), std::string::npos) << text;
  EXPECT_EQ(text.find("more repeats"), std::string::npos) << text;
  EXPECT_NE(text.find("- INVALID: 4 runs left out\n"), std::string::npos) << text;
  EXPECT_NE(text.find("by nocto: no change shown, as runs are invalid"), std::string::npos) << text;
}

TEST(FactorText, RunsThatAreInvalidForTheirTimesAloneAreSaidToCountInTheirRpcs) {
  ComparisonResult comparison = sample_factors(1530);
  for (VariantFigures& variant : comparison.variants)
    for (RunFigures& run : variant.runs) {
      run.rpcs_per_op = 1.2;
      if (run.repeat == 1) run.invalid = {Invalid::generator_limited};
    }
  comparison.factor_effects = factor_effects(comparison);
  ASSERT_EQ(comparison.factor_effects.size(), 2u);
  EXPECT_NE(factor_text(comparison, "").find("- runs that are INVALID only for their times count here"),
            std::string::npos)
      << factor_text(comparison, "");
}

TEST(FactorText, SaysNothingOfADependenceThatIsNotShown) {
  const std::string text = factor_text(sample_factors(1330), " at 2 ms");
  EXPECT_EQ(text.find("without it: "), std::string::npos) << text;
  EXPECT_NE(text.find("by nconnect=8: no change shown"), std::string::npos) << text;
}

TEST(FactorText, NamesWhatTheCombinationsDoNotTell) {
  ComparisonResult comparison = sample_factors(1330);
  comparison.variants.pop_back();
  comparison.factor_effects.clear();
  add_variant(comparison, "nocto + nconnect=8", "vers=3,nocto,nconnect=8", {}, {}, "the server has one connection", {},
              {"nocto", "nconnect=8"});
  const std::string text = comparison_text(comparison);
  EXPECT_NE(text.find("3 of 4 combinations have runs that can be used"), std::string::npos) << text;
  EXPECT_NE(text.find("(95 % confidence, from the runs of 3 of 4 combinations)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("all combinations"), std::string::npos) << text;
  EXPECT_NE(text.find("effects that these combinations do not show, and that are taken as none: nocto with nconnect=8"),
            std::string::npos)
      << text;
}

TEST(FactorText, WhereAnInteractionMayBeThatOfAnotherPairTheEffectsWithAndWithoutAFactorAreNotKnown) {
  ComparisonResult comparison = sample_factors(1530);
  EXPECT_EQ(factor_text(comparison, "").find("not known"), std::string::npos);
  comparison.factor_effects[0].pairs[0].aliases = {"sysctls with read_ahead_kib=512"};
  const std::string text = factor_text(comparison, "");
  EXPECT_NE(text.find("not known"), std::string::npos) << text;
  EXPECT_NE(text.find("cannot be told from sysctls with read_ahead_kib=512"), std::string::npos) << text;
  EXPECT_EQ(text.find("-1.0 % to +1.0 %"), std::string::npos) << "the effect of nconnect=8 without nocto" << text;
}

TEST(FactorText, EffectsOfWhichOneIsFarFromOneAreAllWrittenAsFactors) {
  const std::string text = factor_text(sample_factors(4000), "");
  EXPECT_NE(text.find("2.31x"), std::string::npos) << text;
  EXPECT_NE(text.find("0.99x to 1.01x"), std::string::npos) << "of nconnect=8 without nocto: " << text;
  EXPECT_EQ(text.find(" % to "), std::string::npos) << text;
}

TEST(FactorText, IsEmptyWithoutFactors) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "", {{1, 1, Millis(1), 0}});
  EXPECT_EQ(factor_text(comparison, ""), "");
}

}  // namespace
}  // namespace edagen
