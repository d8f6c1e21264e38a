#include "report/ratios.hpp"

#include <fmt/format.h>

#include <optional>

#include "report/number_text.hpp"

namespace edagen {

bool is_bound(const VariantFigures& variant, const VariantFigures& baseline) {
  return variant.is_lower_bound() || baseline.is_lower_bound();
}

bool is_too_wide(const AgainstFirst& against) {
  const auto& [low, high] = against.confidence_95;
  return against.verdict == Verdict::no_difference && high && *high > 4 * low.value_or(0);
}

Ratios::Ratios(const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.has_ratio() || !baseline || is_bound(variant, *baseline)) continue;
    const AgainstFirst& against = *variant.against_first;
    see(against.ratio);
    if (!has_interval(against)) continue;
    see(against.confidence_95[0].value_or(against.ratio));
    see(*against.confidence_95[1]);
  }
}

Ratios::Ratios(const FactorEffects& effects) {
  for (const FactorFigures& factor : effects.factors) see(factor.effect);
  for (const FactorPairFigures& pair : effects.pairs)
    for (const EffectFigures* const effect :
         {&pair.interaction, &pair.first_without, &pair.first_with, &pair.second_without, &pair.second_with})
      see(*effect);
}

void Ratios::see(const EffectFigures& effect) {
  see(effect.ratio);
  for (const std::optional<double>& end : effect.confidence_95) see(end.value_or(effect.ratio));
}

std::string Ratios::text(double ratio) const {
  if (!factors_) return signed_percent(ratio - 1);
  return (ratio >= 0.1 && ratio < 9.995 ? fmt::format("{:.2f}", ratio) : value_text(ratio)) + "x";
}

std::string Ratios::text(const AgainstFirst& against) const {
  return fmt::format("{} to {}", text(against.confidence_95[0].value_or(0)), text(*against.confidence_95[1]));
}

std::string Ratios::text(const EffectFigures& effect) const {
  return fmt::format("{} to {}", text(effect.confidence_95[0].value_or(0)), text(*effect.confidence_95[1]));
}

}  // namespace edagen
