#include "nights/figure_history.hpp"

#include <algorithm>

#include "nights/figure_case.hpp"
#include "nights/history.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_nights = 365;  // in which a level is sought

}  // namespace

bool was_told(const NightBefore& before, const std::string& figure, const Gate& gate) {
  return was_regression(*before.night, before.measurement->name, figure) &&
         (gate.since.empty() || before.night->judgement->since == gate.since);
}

FigureHistory figure_history(const std::vector<NightBefore>& nights, const NightFigure& figure, const LogSample& own,
                             const std::optional<LogSample>& reference, const Gate& gate) {
  FigureHistory made;
  std::vector<LogSample> values, references;
  for (const NightBefore& before : nights) {
    const auto its = sample_of(*before.measurement, figure.name, false);
    const auto beside = reference ? sample_of(*before.measurement, figure.name, true) : std::nullopt;
    if (!its || (reference && !beside)) continue;
    values.push_back(*its);
    if (beside) references.push_back(*beside);
    made.nights.push_back({.when = before.night->started_at,
                           .own = {},
                           .reference = std::nullopt,
                           .compared = {},
                           .was_regression = was_told(before, figure.name, gate)});
  }
  const auto excess = static_cast<std::ptrdiff_t>(values.size() - std::min(values.size(), most_nights));
  made.nights.erase(made.nights.begin(), made.nights.begin() + excess);
  values.erase(values.begin(), values.begin() + excess);
  if (reference) references.erase(references.begin(), references.begin() + excess);
  LogSample beside = reference.value_or(LogSample());
  made.own = own;
  pool_errors(values, made.own);
  pool_errors(references, beside);
  made.tonight = reference ? ratio(made.own, beside) : made.own;
  for (std::size_t i = 0; i < values.size(); ++i) {
    made.nights[i].own = made.nights[i].compared = values[i];
    if (!reference) continue;
    made.nights[i].reference = references[i];
    made.nights[i].compared = ratio(values[i], references[i]);
  }
  made.level = level_of(made.nights, log_of_loss(gate, figure.kind) / 2, higher_is_better(figure.kind));
  made.places = made.level.nights;
  if (made.places.size() > gate.nights)
    made.places.erase(made.places.begin(), made.places.end() - static_cast<std::ptrdiff_t>(gate.nights));
  for (const std::size_t place : made.places) made.used.push_back(made.nights[place].compared);
  if (made.used.size() >= least_nights) made.baseline = baseline_of(made.used);
  return made;
}

}  // namespace edagen
