#include "compare/factor_design.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace edagen {
namespace {

using Term = std::vector<std::size_t>;

double effect(const FactorTerm& term, const std::vector<double>& logs) {
  return std::inner_product(term.weights.begin(), term.weights.end(), logs.begin(), 0.0);
}

const FactorTerm& term_of(const FactorTerms& terms, const Term& factors) {
  for (const FactorTerm& term : terms.known)
    if (term.factors == factors) return term;
  throw std::logic_error("no such term");
}

TEST(FactorDesign, UpToFourFactorsAreCombinedInAllWaysBeginningWithoutAny) {
  for (std::size_t factors = 1; factors <= 4; ++factors) {
    const std::vector<FactorLevels> all = factor_combinations(factors);
    EXPECT_EQ(all.front(), 0u);
    EXPECT_EQ(std::set<FactorLevels>(all.begin(), all.end()).size(), std::size_t{1} << factors);
  }
}

TEST(FactorDesign, MoreFactorsTakeSixteenCombinationsThatTellEachEffectFromAllInteractionsOfTwo) {
  for (std::size_t factors = 5; factors <= most_factors; ++factors) {
    const std::vector<FactorLevels> all = factor_combinations(factors);
    EXPECT_EQ(std::set<FactorLevels>(all.begin(), all.end()).size(), 16u);
    EXPECT_EQ(all.front(), 0u);
    const FactorTerms terms = factor_terms(factors, all);
    EXPECT_TRUE(terms.unknown.empty());
    for (std::size_t factor = 0; factor < factors; ++factor) {
      const FactorTerm& term = term_of(terms, {factor});
      for (std::size_t i = 0; i < factors; ++i)
        for (std::size_t j = i + 1; j < factors; ++j) {
          std::vector<double> logs;
          for (const FactorLevels levels : all)
            logs.push_back(is_in_force(levels, i) && is_in_force(levels, j) ? 1 : 0);
          const double own = factor == i || factor == j ? 0.5 : 0;  // the half of an interaction that is its average
          EXPECT_NEAR(effect(term, logs), own, 1e-12)
              << factors << " factors: " << factor << ", " << i << " with " << j;
        }
    }
  }
}

TEST(FactorDesign, FiveFactorsTellEachInteractionOfTwoAndSixNameThoseThatTheyDoNotTell) {
  for (const FactorTerm& term : factor_terms(5, factor_combinations(5)).known) EXPECT_TRUE(term.aliases.empty());
  const FactorTerms six = factor_terms(6, factor_combinations(6));
  std::size_t pairs = 0;
  for (const FactorTerm& term : six.known)
    if (term.factors.size() == 2) pairs += 1 + term.aliases.size();
  EXPECT_EQ(pairs, 15u);
  EXPECT_EQ(term_of(six, {0, 1}).aliases, (std::vector<Term>{{2, 4}}));
}

TEST(FactorDesign, EffectsAndInteractionsAreThoseThatMadeTheFigures) {
  const std::vector<FactorLevels> all = factor_combinations(3);
  std::vector<double> logs;
  for (const FactorLevels levels : all) {
    const double a = is_in_force(levels, 0), b = is_in_force(levels, 1), c = is_in_force(levels, 2);
    logs.push_back(7 + 0.3 * a - 0.2 * b + 0.1 * a * b + 0 * c);
  }
  const FactorTerms terms = factor_terms(3, all);
  EXPECT_EQ(terms.known.size(), 6u);
  EXPECT_NEAR(effect(term_of(terms, {0}), logs), 0.35, 1e-12) << "0.3 without b, 0.4 with it";
  EXPECT_NEAR(effect(term_of(terms, {1}), logs), -0.15, 1e-12);
  EXPECT_NEAR(effect(term_of(terms, {2}), logs), 0, 1e-12);
  EXPECT_NEAR(effect(term_of(terms, {0, 1}), logs), 0.1, 1e-12);
  EXPECT_NEAR(effect(term_of(terms, {0, 2}), logs), 0, 1e-12);
}

TEST(FactorDesign, WithoutOneCombinationOfTwoTheInteractionIsUnknownAndEachEffectIsTheOneAlone) {
  const FactorTerms terms = factor_terms(2, {0, 1, 2});
  EXPECT_EQ(terms.unknown, (std::vector<Term>{{0, 1}}));
  EXPECT_NEAR(effect(term_of(terms, {0}), {1, 1.5, 4}), 0.5, 1e-12);
  EXPECT_NEAR(effect(term_of(terms, {1}), {1, 1.5, 4}), 3, 1e-12);
}

TEST(FactorDesign, WithoutOneCombinationOfThreeFactorsAllEffectsAreStillKnown) {
  std::vector<FactorLevels> all = factor_combinations(3);
  all.erase(all.begin() + 5);
  std::vector<double> logs;
  for (const FactorLevels levels : all)
    logs.push_back(is_in_force(levels, 0) * 0.3 + is_in_force(levels, 1) * is_in_force(levels, 2) * 0.2);
  const FactorTerms terms = factor_terms(3, all);
  EXPECT_TRUE(terms.unknown.empty());
  EXPECT_NEAR(effect(term_of(terms, {0}), logs), 0.3, 1e-9);
  EXPECT_NEAR(effect(term_of(terms, {1, 2}), logs), 0.2, 1e-9);
  EXPECT_NEAR(effect(term_of(terms, {0, 1}), logs), 0, 1e-9);
}

TEST(FactorDesign, AFactorThatIsNeverOrAlwaysInForceIsUnknown) {
  EXPECT_EQ(factor_terms(2, {0, 1}).unknown, (std::vector<Term>{{1}, {0, 1}}));
  EXPECT_EQ(factor_terms(1, {1}).unknown, (std::vector<Term>{{0}}));
  EXPECT_TRUE(factor_terms(1, {}).known.empty());
}

}  // namespace
}  // namespace edagen
