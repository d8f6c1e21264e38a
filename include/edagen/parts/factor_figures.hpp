// What a comparison of combinations of factors found of each factor.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "edagen/parts/fields.hpp"

namespace edagen {

/// A ratio of two figures, or of two such ratios.
struct EffectFigures {
  double ratio = 1;
  std::array<std::optional<double>, 2> confidence_95{};

  bool has_interval() const { return confidence_95[1].has_value(); }
  bool is_shown() const { return has_interval() && (*confidence_95[0] > 1 || *confidence_95[1] < 1); }
};
void fields(auto&& visit, Is<EffectFigures> auto& effect) {
  visit("ratio", effect.ratio);
  visit("confidence_95", effect.confidence_95,
        {.about = "of the ratio, together with those of all other effects on the figure (Bonferroni); null ends: one "
                  "repeat does not tell"});
  visit.derived("shown", effect.is_shown());
}

struct FactorFigures {
  std::string factor;
  EffectFigures effect;
};
void fields(auto&& visit, Is<FactorFigures> auto& factor) {
  visit("factor", factor.factor);
  visit("effect", factor.effect, {.about = "with the factor against without it, averaged over the other factors"});
}

struct FactorPairFigures {
  std::string first, second;
  std::vector<std::string> aliases;  ///< "c with d"
  EffectFigures interaction, first_without, first_with, second_without, second_with;
};
void fields(auto&& visit, Is<FactorPairFigures> auto& pair) {
  visit("first", pair.first);
  visit("second", pair.second);
  visit("aliases", pair.aliases,
        {.about = "interactions of other pairs that the combinations do not tell from this one: it is the product of "
                  "all of them"});
  visit("interaction", pair.interaction,
        {.about = "effect of the one with the other over its effect without the other; 1: they do not depend on each "
                  "other"});
  visit("first_without_second", pair.first_without);
  visit("first_with_second", pair.first_with);
  visit("second_without_first", pair.second_without);
  visit("second_with_first", pair.second_with);
}

/// The effects on one figure.
struct FactorEffects {
  std::string figure;
  std::uint64_t combinations = 0, planned = 0;
  std::vector<FactorFigures> factors;
  std::vector<FactorPairFigures> pairs;
  std::vector<std::string> unknown;
  std::uint64_t invalid_runs = 0;
};
void fields(auto&& visit, Is<FactorEffects> auto& effects) {
  visit("figure", effects.figure, {.words = {"ops_per_sec", "response_ms", "rpcs_per_op"}});
  visit("combinations", effects.combinations, {.about = "that were measured and are used"});
  visit("planned", effects.planned);
  visit("factors", effects.factors);
  visit("pairs", effects.pairs);
  visit("unknown", effects.unknown,
        {.about = "factors and pairs of which these combinations say nothing; interactions among them count as none"});
  visit("invalid_runs", effects.invalid_runs, later("that are left out of these effects"));
}

}  // namespace edagen
