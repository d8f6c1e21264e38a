#include "compare/factor_effects.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "compare/comparison_result.hpp"
#include "compare/factor_design.hpp"
#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

/// Runs at a rate: the latency is the figure, which has no bias.
ComparisonResult comparison_of(std::size_t factors, std::uint64_t repeats,
                               const std::function<double(FactorLevels, std::uint64_t repeat)>& response,
                               const std::function<bool(FactorLevels)>& is_refused = {},
                               std::optional<double> until = {}) {
  ComparisonResult comparison;
  comparison.alternation = AlternationFigures{.reason = "tunings are mounted one after the other", .until = until};
  for (std::size_t i = 0; i < factors; ++i) comparison.factors.push_back(std::string(1, static_cast<char>('a' + i)));
  for (const FactorLevels levels : factor_combinations(factors)) {
    std::vector<std::string> in_force;
    std::string name = "base";
    for (std::size_t i = 0; i < factors; ++i)
      if (is_in_force(levels, i)) in_force.push_back(comparison.factors[i]), name += "+" + comparison.factors[i];
    std::vector<RunFigures> runs;
    const bool refused = is_refused && is_refused(levels);
    for (std::uint64_t repeat = 1; repeat <= repeats && !refused; ++repeat)
      runs.push_back({1000, 10, Millis(response(levels, repeat)), 0, {}, repeat});
    add_variant(comparison, name, "", std::move(runs), {}, {}, {}, in_force);
  }
  return comparison;
}

bool holds(const EffectFigures& effect, double log_ratio) {
  return std::log(*effect.confidence_95[0]) <= log_ratio && log_ratio <= std::log(*effect.confidence_95[1]);
}

TEST(FactorEffects, AreThoseThatMadeTheFiguresWhateverTheRepeatsHaveInCommon) {
  const ComparisonResult comparison = comparison_of(2, 3, [](FactorLevels levels, std::uint64_t repeat) {
    return std::pow(1.7, repeat) * (levels & 1 ? 0.5 : 1) * (levels & 2 ? 0.9 : 1) * (levels == 3 ? 1.2 : 1);
  });
  ASSERT_EQ(comparison.factor_effects.size(), 1u) << "no RPCs";
  const FactorEffects& effects = comparison.factor_effects[0];
  EXPECT_EQ(effects.figure, "response_ms");
  ASSERT_EQ(effects.pairs.size(), 1u);
  const FactorPairFigures& pair = effects.pairs[0];
  EXPECT_NEAR(pair.first_without.ratio, 0.5, 1e-9);
  EXPECT_NEAR(pair.first_with.ratio, 0.6, 1e-9);
  EXPECT_NEAR(pair.second_without.ratio, 0.9, 1e-9);
  EXPECT_NEAR(pair.second_with.ratio, 1.08, 1e-9);
  EXPECT_NEAR(pair.interaction.ratio, 1.2, 1e-9);
  EXPECT_NEAR(effects.factors[0].effect.ratio, std::sqrt(0.5 * 0.6), 1e-9);
  EXPECT_NEAR(*pair.interaction.confidence_95[0], 1.2, 1e-6) << "nothing else varies";
  EXPECT_TRUE(pair.interaction.is_shown());
}

TEST(FactorEffects, IntervalsAreWiderWhereRepeatsEndWithTheirPrecision) {
  const auto width = [](std::optional<double> until) {
    Random random(3);
    const auto response = [&](FactorLevels, std::uint64_t) { return 1 + 0.1 * random.uniform(); };
    const auto [low, high] = comparison_of(2, 6, response, {}, until).factor_effects[0].factors[0].effect.confidence_95;
    return std::log(*high / *low);
  };
  EXPECT_GT(width(0.02), 1.05 * width({})) << "as those of the ratios: 3 % in place of 5 %";
}

TEST(FactorEffects, IntervalsHoldAllTrueEffectsTogetherIn95Of100) {
  Random random(7);
  const double a = 0.04, b = -0.02, ab = 0.03;
  int held = 0, wrong_verdicts = 0;
  constexpr int comparisons = 600;
  for (int i = 0; i < comparisons; ++i) {
    std::map<std::uint64_t, double> common;
    for (std::uint64_t repeat = 1; repeat <= 4; ++repeat) common[repeat] = 0.2 * random.normal();
    const ComparisonResult comparison = comparison_of(3, 4, [&](FactorLevels levels, std::uint64_t repeat) {
      const double x = is_in_force(levels, 0), y = is_in_force(levels, 1);
      return std::exp(a * x + b * y + ab * x * y + common[repeat] + 0.02 * random.normal());
    });
    const FactorEffects& effects = comparison.factor_effects.at(0);
    const auto true_interaction = [&](const FactorPairFigures& pair) {
      return pair.first == "a" && pair.second == "b" ? ab : 0;
    };
    const std::map<std::string, double> average = {{"a", a + ab / 2}, {"b", b + ab / 2}, {"c", 0}};
    bool all = true, wrong = false;
    for (const FactorFigures& factor : effects.factors) all &= holds(factor.effect, average.at(factor.factor));
    for (const FactorPairFigures& pair : effects.pairs) {
      const double interaction = true_interaction(pair);
      all &= holds(pair.interaction, interaction);
      all &= holds(pair.first_without, average.at(pair.first) - interaction / 2);
      all &= holds(pair.second_with, average.at(pair.second) + interaction / 2);
      wrong |= interaction == 0 && pair.interaction.is_shown();
    }
    wrong |= effects.factors[2].effect.is_shown();
    held += all;
    wrong_verdicts += wrong;
  }
  EXPECT_GE(held, comparisons * 93 / 100);
  EXPECT_LE(held, comparisons * 99 / 100) << "intervals that are much too wide show nothing";
  EXPECT_LE(wrong_verdicts, comparisons * 5 / 100);
}

TEST(FactorEffects, ARefusedCombinationLeavesTheEffectsThatTheOthersTell) {
  const auto response = [](FactorLevels levels, std::uint64_t) { return levels & 1 ? 0.5 : 1.0; };
  const ComparisonResult comparison = comparison_of(2, 2, response, [](FactorLevels levels) { return levels == 3; });
  const FactorEffects& effects = comparison.factor_effects.at(0);
  EXPECT_EQ(effects.combinations, 3u);
  EXPECT_EQ(effects.planned, 4u);
  EXPECT_EQ(effects.unknown, (std::vector<std::string>{"a with b"}));
  EXPECT_NEAR(effects.factors[0].effect.ratio, 0.5, 1e-9);
}

TEST(FactorEffects, InvalidRunsAreLeftOut) {
  ComparisonResult comparison =
      comparison_of(1, 3, [](FactorLevels levels, std::uint64_t) { return levels ? 2.0 : 1; });
  comparison.variants[1].runs[2].response = Millis(500);
  comparison.variants[1].runs[2].invalid = {Invalid::unsteady};
  EXPECT_NEAR(factor_effects(comparison).at(0).factors[0].effect.ratio, 2, 1e-9);
}

TEST(FactorEffects, ACombinationOfWhichARunIsALowerBoundIsLeftOut) {
  ComparisonResult comparison =
      comparison_of(2, 3, [](FactorLevels levels, std::uint64_t) { return levels ? 2.0 : 1; });
  comparison.variants[3].runs[2].invalid = {Invalid::target_not_reached};
  EXPECT_EQ(factor_effects(comparison).at(0).combinations, 3u);
}

TEST(FactorEffects, OneRepeatGivesNoInterval) {
  const ComparisonResult comparison =
      comparison_of(2, 1, [](FactorLevels levels, std::uint64_t) { return 1.0 + levels; });
  const FactorEffects& effects = comparison.factor_effects.at(0);
  EXPECT_FALSE(effects.factors[0].effect.has_interval());
  EXPECT_FALSE(effects.factors[0].effect.is_shown());
}

TEST(FactorEffects, RpcsPerOpAreAFigureOfTheirOwnAndExact) {
  ComparisonResult comparison = comparison_of(1, 2, [](FactorLevels, std::uint64_t) { return 1.0; });
  for (VariantFigures& variant : comparison.variants)
    for (RunFigures& run : variant.runs) run.rpcs_per_op = variant.factors.empty() ? 1.5 : 0.3;
  const std::vector<FactorEffects> effects = factor_effects(comparison);
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[1].figure, "rpcs_per_op");
  EXPECT_NEAR(effects[1].factors[0].effect.ratio, 0.2, 1e-9);
  EXPECT_NEAR(*effects[1].factors[0].effect.confidence_95[1], 0.2, 1e-6);
}

TEST(FactorEffects, OfRpcsDoNotDependOnDelaysOfThisHost) {
  ComparisonResult comparison = comparison_of(1, 2, [](FactorLevels, std::uint64_t) { return 1.0; });
  for (VariantFigures& variant : comparison.variants)
    for (RunFigures& run : variant.runs) {
      run.rpcs_per_op = variant.factors.empty() ? 1.5 : 0.3;
      run.invalid = {Invalid::generator_limited, Invalid::window_short};
    }
  const std::vector<FactorEffects> effects = factor_effects(comparison);
  ASSERT_EQ(effects.size(), 1u) << "nothing is known of the response";
  EXPECT_NEAR(effects[0].factors[0].effect.ratio, 0.2, 1e-9);
  comparison.variants[0].runs[0].invalid = {Invalid::errors};
  comparison.variants[0].runs[1].invalid = {Invalid::errors};
  EXPECT_TRUE(factor_effects(comparison).empty());
}

TEST(FactorEffects, AComparisonWithoutFactorsHasNone) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "", {{1, 1, Millis(1), 0}});
  add_variant(comparison, "b", "", {{1, 1, Millis(1), 0}});
  EXPECT_TRUE(comparison.factor_effects.empty());
}

}  // namespace
}  // namespace edagen
