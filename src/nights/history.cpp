#include "nights/history.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

const NightMeasurement* measurement_named(const Night& night, const std::string& name) {
  const auto found = std::ranges::find(night.measurements, name, &NightMeasurement::name);
  return found == night.measurements.end() ? nullptr : &*found;
}

bool has_figures(const NightMeasurement& measurement) {
  return std::ranges::any_of(measurement.runs,
                             [](const NightRun& run) { return !run.reference && !run.figures.empty(); });
}

std::optional<LogSample> sample_of(const NightMeasurement& measurement, const std::string& figure, bool reference) {
  LogSample sample;
  double runs = 0, squares = 0, stated = 0;
  std::vector<double> values;
  for (const NightRun& run : measurement.runs) {
    if (run.reference != reference) continue;
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (found == run.figures.end() || !found->value || !(*found->value > 0)) continue;
    values.push_back(std::log(*found->value));
    sample.value += values.back();
    stated += found->error * found->error;
    ++runs;
  }
  if (runs == 0) return std::nullopt;
  sample.value /= runs;
  for (const double value : values) squares += (value - sample.value) * (value - sample.value);
  if (stated == 0 && runs > 1) stated = squares / (runs - 1) * runs;  // of each run, as they differ
  sample.error = std::sqrt(stated) / runs;
  return sample;
}

LogSample ratio(const LogSample& own, const LogSample& reference) {
  return {own.value - reference.value, std::hypot(own.error, reference.error)};
}

bool was_regression(const Night& night, const std::string& measurement, const std::string& figure) {
  return night.judgement && std::ranges::any_of(night.judgement->figures, [&](const FigureVerdict& its) {
           return its.verdict == NightVerdict::regression && its.measurement == measurement && its.figure == figure;
         });
}

std::vector<FigureSeries> series_of(const std::vector<Night>& nights) {
  std::vector<FigureSeries> all;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (std::size_t at = 0; at < nights.size(); ++at)
    for (const NightMeasurement& measurement : nights[at].measurements)
      for (const NightRun& run : measurement.runs) {
        if (run.reference) continue;
        for (const NightFigure& figure : run.figures) {
          const auto [place, is_new] = places.try_emplace({measurement.name, figure.name}, all.size());
          if (is_new) all.push_back({measurement.name, figure.name, figure.kind, {}, {}, {}});
          FigureSeries& series = all[place->second];
          if (!series.nights.empty() && series.nights.back() == at) continue;  // of an earlier run of the night
          const auto sample = sample_of(measurement, figure.name, false);
          if (!sample) continue;
          series.nights.push_back(at);
          series.samples.push_back(*sample);
          if (const auto reference = sample_of(measurement, figure.name, true)) series.references.push_back(*reference);
        }
      }
  for (FigureSeries& series : all)
    if (series.references.size() != series.samples.size()) series.references.clear();
  return all;
}

}  // namespace edagen
