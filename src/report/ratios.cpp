#include "report/ratios.hpp"

#include <fmt/format.h>

#include "report/number_text.hpp"

namespace edagen {

bool is_bound(const VariantFigures& variant, const VariantFigures& baseline) {
  return variant.is_lower_bound() || baseline.is_lower_bound();
}

bool has_no_verdict(const ComparisonResult& comparison) {
  bool any = false;
  for (const VariantFigures& variant : comparison.variants)
    if (variant.against_first) {
      if (variant.against_first->verdict != Verdict::invalid_runs) return false;
      any = true;
    }
  return any;
}

bool is_too_wide(const AgainstFirst& against) {
  const auto& [low, high] = against.confidence_95;
  return against.verdict == Verdict::no_difference && high && *high > 4 * low.value_or(0);
}

Ratios::Ratios(const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  for (const VariantFigures& variant : comparison.variants) {
    if (!baseline || !has_ratio_to(*baseline, variant)) continue;
    const AgainstFirst& against = *variant.against_first;
    see(against.ratio);
    if (has_interval(against)) see(against.ratio, against.confidence_95);
  }
}

Ratios::Ratios(const FactorEffects& effects) {
  const auto see_effect = [this](const EffectFigures& effect) { see(effect.ratio, effect.confidence_95); };
  for (const FactorFigures& factor : effects.factors) see_effect(factor.effect);
  for (const FactorPairFigures& pair : effects.pairs)
    for (const EffectFigures* const effect :
         {&pair.interaction, &pair.first_without, &pair.first_with, &pair.second_without, &pair.second_with})
      see_effect(*effect);
}

void Ratios::see(double ratio, const Ends& interval) {
  see(ratio);
  for (const std::optional<double>& end : interval) see(end.value_or(ratio));
}

std::string Ratios::text(double ratio) const { return factors_ ? multiple_text(ratio) : signed_percent(ratio - 1); }

std::string Ratios::text(const Ends& interval) const {
  return fmt::format("{} to {}", text(interval[0].value_or(0)), text(*interval[1]));
}

}  // namespace edagen
