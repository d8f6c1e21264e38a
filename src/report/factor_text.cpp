#include "report/factor_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/ratios.hpp"

namespace edagen {
namespace {

std::string interval_text(const EffectFigures& effect, const FactorEffects& effects) {
  if (!effect.has_interval()) return effects.invalid_runs > 0 ? "none: invalid runs" : "none: needs more repeats";
  return Ratios(effects).text(effect.confidence_95);
}

/// "raises it by ..." as a phrase: what an effect does, with its interval.
std::string change_text(const EffectFigures& effect, const FactorEffects& effects) {
  if (!effect.has_interval())
    return effects.invalid_runs > 0 ? "no change shown, as runs are invalid"
                                    : fmt::format("{} (no interval)", Ratios(effects).text(effect.ratio));
  if (!effect.is_shown()) return fmt::format("no change shown ({})", interval_text(effect, effects));
  return interval_text(effect, effects);
}

/// What a factor does to the figure that is compared; RPCs per op explain it.
bool is_answer(const FactorEffects& effects, const FactorFigures& factor) {
  return effects.figure != "rpcs_per_op" && factor.effect.is_shown();
}

std::string sentence(const FactorFigures& factor, const FactorEffects& effects) {
  std::string depends;
  for (const FactorPairFigures& pair : effects.pairs) {
    const bool is_first = pair.first == factor.factor;
    if ((!is_first && pair.second != factor.factor) || !pair.interaction.is_shown() || !pair.aliases.empty()) continue;
    const std::string& other = is_first ? pair.second : pair.first;
    depends += fmt::format("; with {}: {}, without it: {}", other,
                           change_text(is_first ? pair.first_with : pair.second_with, effects),
                           change_text(is_first ? pair.first_without : pair.second_without, effects));
  }
  return fmt::format("{}: {}{}", factor.factor, change_text(factor.effect, effects), depends);
}

}  // namespace

std::string figure_name(const FactorEffects& effects, const std::string& target) {
  if (effects.figure == "rpcs_per_op") return "RPCs per op";
  return effects.figure == "ops_per_sec" ? "I/O rate" + target : "mean response";
}

TextTable factor_table(const FactorEffects& effects) {
  TextTable table({"factor", "effect", "95 % interval"});
  for (const FactorFigures& factor : effects.factors)
    table.add({factor.factor, Ratios(effects).text(factor.effect.ratio), interval_text(factor.effect, effects)});
  return table;
}

TextTable pair_table(const FactorEffects& effects) {
  TextTable table({"effect of", "and", "without it", "with it", "interaction"}, {0, 1});
  for (const FactorPairFigures& pair : effects.pairs) {
    const std::string interaction = interval_text(pair.interaction, effects);
    // The interaction may be that of another pair, and then these effects do not differ.
    const auto text = [&](const EffectFigures& effect) {
      return pair.aliases.empty() ? interval_text(effect, effects) : "not known";
    };
    table.add({pair.first, pair.second, text(pair.first_without), text(pair.first_with), interaction});
    table.add({pair.second, pair.first, text(pair.second_without), text(pair.second_with), interaction});
  }
  return table;
}

std::vector<std::string> factor_answers(const FactorEffects& effects, const std::string& figure) {
  const std::string combinations =
      effects.combinations < effects.planned ? fmt::format("{} of {}", effects.combinations, effects.planned) : "all";
  std::vector<std::string> answers;
  for (const FactorFigures& factor : effects.factors)
    if (is_answer(effects, factor))
      answers.push_back(fmt::format("{} by {} (95 % confidence, from the runs of {} combinations)", figure,
                                    sentence(factor, effects), combinations));
  return answers;
}

std::vector<std::string> factor_sentences(const FactorEffects& effects, const std::string& figure) {
  std::vector<std::string> sentences;
  for (const FactorFigures& factor : effects.factors)
    if (!is_answer(effects, factor)) sentences.push_back(fmt::format("{} by {}", figure, sentence(factor, effects)));
  for (const FactorPairFigures& pair : effects.pairs)
    if (!pair.aliases.empty())
      sentences.push_back(fmt::format("the interaction of {} with {} cannot be told from {}", pair.first, pair.second,
                                      fmt::join(pair.aliases, ", ")));
  if (effects.combinations < effects.planned)
    sentences.push_back(
        fmt::format("{} of {} combinations have runs that can be used", effects.combinations, effects.planned));
  if (effects.invalid_runs > 0)
    sentences.push_back(fmt::format("INVALID: {} left out", counted(effects.invalid_runs, "run")));
  if (!effects.unknown.empty())
    sentences.push_back(fmt::format("effects that these combinations do not show, and that are taken as none: {}",
                                    fmt::join(effects.unknown, "; ")));
  return sentences;
}

std::string factors_title(const FactorEffects& effects, const std::string& figure) {
  const bool any_interval =
      std::ranges::any_of(effects.factors, [](const FactorFigures& factor) { return factor.effect.has_interval(); });
  return fmt::format("Factors: {}, each averaged over the others{}", figure,
                     any_interval ? "; all intervals hold together with 95 %" : "");
}

std::string factor_text(const ComparisonResult& comparison, const std::string& target) {
  std::string text;
  for (const FactorEffects& effects : comparison.factor_effects) {
    const std::string figure = figure_name(effects, target);
    text += fmt::format("\n{}\n{}", factors_title(effects, figure), factor_table(effects).str());
    if (!effects.pairs.empty()) text += "\n" + pair_table(effects).str();
    for (const std::string& each : factor_sentences(effects, figure)) text += "- " + each + "\n";
    if (effects.figure == "rpcs_per_op" && effects.invalid_runs < comparison.factor_effects.front().invalid_runs)
      text += "- runs that are INVALID only for their times count here: RPCs are counted\n";
  }
  return text;
}

}  // namespace edagen
