#include "nights/figure_history.hpp"

#include <algorithm>

#include "nights/figure_comparison.hpp"
#include "nights/history.hpp"
#include "nights/references.hpp"

namespace edagen {
namespace {

constexpr std::ptrdiff_t max_nights = 365;  // in which the level is sought

bool has_reference(const NightMeasurement& measurement, const std::string& figure) {
  return std::ranges::any_of(reference_numbers(measurement),
                             [&](std::size_t number) { return sample_of(measurement, figure, number).has_value(); });
}

}  // namespace

bool was_reported(const NightBefore& before, const std::string& figure, const Gate& gate) {
  return was_regression(*before.night, before.measurement->name, figure) &&
         (gate.since.empty() || before.night->judgement->since == gate.since);
}

FigureHistory figure_history(const std::vector<NightBefore>& nights, const NightMeasurement& tonight,
                             const NightFigure& figure, const LogSample& own, bool by_ratio, const Gate& gate) {
  FigureHistory made;
  const double resolution = by_ratio ? resolution_of_ratio(figure.kind) : resolution_of(figure.kind);
  std::vector<NightBefore> compared;
  for (const NightBefore& before : nights)
    if (sample_of(*before.measurement, figure.name) && (!by_ratio || has_reference(*before.measurement, figure.name)))
      compared.push_back(before);
  if (std::ssize(compared) > max_nights) compared.erase(compared.begin(), compared.end() - max_nights);
  std::vector<LogSample> values;
  std::vector<const NightMeasurement*> measurements;
  for (const NightBefore& before : compared) {
    values.push_back(*sample_of(*before.measurement, figure.name));
    measurements.push_back(before.measurement);
  }
  measurements.push_back(&tonight);
  made.own = own;
  pool_errors(values, made.own);
  ReferenceSeries series{std::vector<std::optional<LogSample>>(measurements.size())};
  if (by_ratio) series = reference_series(measurements, figure.name);
  const auto& references = series.samples;
  made.reference = references.back();
  made.reference_is_robust = series.is_robust();
  made.tonight = made.reference ? ratio(made.own, *made.reference) : made.own;
  for (std::size_t i = 0; i < compared.size(); ++i)
    if (!by_ratio || references[i])
      made.nights.push_back({.own = values[i],
                             .reference = references[i],
                             .compared = references[i] ? ratio(values[i], *references[i]) : values[i],
                             .was_regression = was_reported(compared[i], figure.name, gate),
                             .invalid = is_invalid(*compared[i].measurement, figure.name)});
  made.level = level_of(made.nights, log_of_loss(gate, figure.kind) / 2, higher_is_better(figure.kind), resolution);
  made.places = made.level.nights;
  if (made.places.size() > gate.nights)
    made.places.erase(made.places.begin(), made.places.end() - static_cast<std::ptrdiff_t>(gate.nights));
  for (const std::size_t place : made.places) made.used.push_back(made.nights[place].compared);
  if (made.used.size() >= min_nights) made.baseline = baseline_of(made.used, resolution);
  return made;
}

}  // namespace edagen
