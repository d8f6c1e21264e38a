#include "compare/factor_effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "compare/comparison.hpp"
#include "compare/factor_design.hpp"
#include "compare/run_figures.hpp"
#include "stats/distribution.hpp"
#include "stats/linear_model.hpp"

namespace edagen {
namespace {

/// What is compared of a run.
struct Figure {
  const char* name;
  double (*of)(const RunFigures&);
  bool (*is_usable)(const RunFigures&);
  double bias = 0;  ///< as of difference_of()
};

/// The logarithms of the combinations' figures, up to a common number, as the runs give them.
struct CombinationMeans {
  std::vector<FactorLevels> combinations;
  LinearModel model;  ///< the first coefficients are those of the combinations
};

FactorLevels levels_of(const VariantFigures& variant, const std::vector<std::string>& factors) {
  FactorLevels levels = 0;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (std::ranges::find(variant.factors, factors[i]) != variant.factors.end()) levels |= FactorLevels{1} << i;
  return levels;
}

std::optional<CombinationMeans> combination_means(const ComparisonResult& comparison, const Figure& figure) {
  struct Run {
    std::size_t combination;
    std::uint64_t repeat;
    double logarithm;
  };
  CombinationMeans means;
  std::vector<Run> runs;
  std::map<std::uint64_t, std::size_t> columns;  // by repeat; the first has none
  for (const VariantFigures& variant : comparison.variants) {
    if (variant.is_lower_bound()) continue;  // its other runs are those in which it was slower
    const std::size_t before = runs.size();
    for (const RunFigures& run : variant.runs)
      if (figure.is_usable(run) && figure.of(run) > 0)
        runs.push_back({means.combinations.size(), run.repeat, std::log(figure.of(run))});
    if (runs.size() > before) means.combinations.push_back(levels_of(variant, comparison.factors));
  }
  if (means.combinations.size() < 2) return std::nullopt;
  for (const Run& run : runs) columns.try_emplace(run.repeat, 0);
  std::size_t size = means.combinations.size() - 1;
  for (auto& [repeat, column] : columns) column = size++;
  std::vector<std::vector<double>> rows;
  std::vector<double> y;
  for (const Run& run : runs) {
    std::vector<double>& row = rows.emplace_back(size);
    row[run.combination] = 1;
    if (run.repeat != columns.begin()->first) row[columns.at(run.repeat)] = 1;
    y.push_back(run.logarithm);
  }
  std::optional<LinearModel> model = fit_linear_model(rows, y);
  if (!model) return std::nullopt;
  means.model = *std::move(model);
  return means;
}

/// `bias`: as of difference_of().
EffectFigures effect_of(const std::vector<double>& weights, const CombinationMeans& means, double confidence,
                        double bias) {
  double effect = 0, variance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    effect += weights[i] * means.model.coefficients[i];
    for (std::size_t j = 0; j < weights.size(); ++j) variance += weights[i] * weights[j] * means.model.covariance[i][j];
  }
  EffectFigures figures{.ratio = std::exp(effect)};
  if (means.model.degrees_of_freedom < 1) return figures;
  const double half_width = bias + student_quantile(confidence, means.model.degrees_of_freedom) *
                                       std::sqrt(std::max(0.0, variance) * means.model.residual_variance);
  const double low = std::exp(effect - half_width), high = std::exp(effect + half_width);
  if (is_informative(figures.ratio, low, high)) figures.confidence_95 = {low, high};
  return figures;
}

std::vector<double> sum_of(const std::vector<double>& one, double factor, const std::vector<double>& other) {
  std::vector<double> sum = one;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * other[i];
  return sum;
}

std::string pair_name(const std::vector<std::string>& factors, const std::vector<std::size_t>& term) {
  return term.size() == 1 ? factors[term[0]] : fmt::format("{} with {}", factors[term[0]], factors[term[1]]);
}

std::optional<FactorEffects> effects_on(const ComparisonResult& comparison, const Figure& figure) {
  const std::optional<CombinationMeans> means = combination_means(comparison, figure);
  if (!means) return std::nullopt;
  const std::vector<std::string>& factors = comparison.factors;
  const FactorTerms terms = factor_terms(factors.size(), means->combinations);
  std::map<std::size_t, const FactorTerm*> single;
  std::size_t intervals = 0;
  for (const FactorTerm& term : terms.known) {
    if (term.factors.size() == 1) single[term.factors[0]] = &term;
    intervals += term.factors.size() == 1 ? 1 : 5;
  }
  const double error = error_left(comparison.is_sliced(), comparison.alternation && comparison.alternation->until);
  const double confidence = 1 - error / static_cast<double>(std::max<std::size_t>(1, intervals));
  FactorEffects effects{.figure = figure.name,
                        .combinations = means->combinations.size(),
                        .planned = comparison.variants.size(),
                        .factors = {},
                        .pairs = {},
                        .unknown = {}};
  for (const FactorTerm& term : terms.known) {
    if (term.factors.size() == 1) {
      effects.factors.push_back({factors[term.factors[0]], effect_of(term.weights, *means, confidence, figure.bias)});
      continue;
    }
    FactorPairFigures& pair = effects.pairs.emplace_back();
    pair.first = factors[term.factors[0]];
    pair.second = factors[term.factors[1]];
    for (const auto& alias : term.aliases) pair.aliases.push_back(pair_name(factors, alias));
    pair.interaction = effect_of(term.weights, *means, confidence, 2 * figure.bias);
    const auto conditional = [&](std::size_t factor, double half) {
      return effect_of(sum_of(single.at(factor)->weights, half, term.weights), *means, confidence, figure.bias);
    };
    pair.first_without = conditional(term.factors[0], -0.5);
    pair.first_with = conditional(term.factors[0], 0.5);
    pair.second_without = conditional(term.factors[1], -0.5);
    pair.second_with = conditional(term.factors[1], 0.5);
  }
  for (const auto& term : terms.unknown) effects.unknown.push_back(pair_name(factors, term));
  return effects;
}

}  // namespace

std::vector<FactorEffects> factor_effects(const ComparisonResult& comparison) {
  std::vector<FactorEffects> all;
  if (comparison.factors.empty()) return all;
  const Figure compared = comparison.at_latency_target ? Figure{"ops_per_sec", rate_of, is_usable, bias_of_answers}
                                                       : Figure{"response_ms", response_of, is_usable};
  for (const Figure& figure : {compared, Figure{"rpcs_per_op", rpcs_of, has_usable_counts}})
    if (auto effects = effects_on(comparison, figure)) {
      for (const VariantFigures& variant : comparison.variants)
        effects->invalid_runs += static_cast<std::uint64_t>(
            std::ranges::count_if(variant.runs, [&](const RunFigures& run) { return !figure.is_usable(run); }));
      all.push_back(*std::move(effects));
    }
  return all;
}

}  // namespace edagen
