#include "nights/history.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {
namespace {

constexpr double largest_error = 10;  // of a logarithm; a file may say anything

}  // namespace

const NightMeasurement* measurement_named(const Night& night, const std::string& name) {
  const auto found = std::ranges::find(night.measurements, name, &NightMeasurement::name);
  return found == night.measurements.end() ? nullptr : &*found;
}

bool has_figures(const NightMeasurement& measurement) {
  return std::ranges::any_of(measurement.runs,
                             [](const NightRun& run) { return !run.reference && !run.figures.empty(); });
}

bool is_simulated(const NightMeasurement& measurement) {
  const auto volume = measurement.comparable.find("volume");
  return volume != measurement.comparable.end() && volume->second.starts_with("sim:");
}

bool same_run(const NightRun& one, const NightRun& other) {
  return one.started_at == other.started_at && one.reference == other.reference &&
         std::ranges::equal(one.figures, other.figures, [](const NightFigure& its, const NightFigure& mine) {
           return its.name == mine.name && its.value == mine.value;
         });
}

std::optional<LogSample> sample_of(const NightMeasurement& measurement, const std::string& figure, bool reference) {
  LogSample sample;
  double stating = 0;
  std::vector<double> values;
  for (const NightRun& run : measurement.runs) {
    if (run.reference != reference) continue;
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (found == run.figures.end() || !found->value || !(*found->value > 0)) continue;
    values.push_back(std::log(*found->value));
    sample.value += values.back();
    if (const double error = std::min(found->error, largest_error); error > 0)
      sample.stated += error * error, ++stating;
  }
  if (values.empty()) return std::nullopt;
  sample.runs = static_cast<double>(values.size());
  sample.value /= sample.runs;
  if (stating > 0) sample.stated /= stating;
  for (const double value : values) sample.squares += (value - sample.value) * (value - sample.value);
  if (sample.stated > 0) sample.error = std::sqrt(sample.stated / sample.runs);
  else if (sample.runs > 1) sample.error = std::sqrt(sample.squares / (sample.runs - 1) / sample.runs);
  return sample;
}

LogSample ratio(const LogSample& own, const LogSample& reference) {
  LogSample made{.value = own.value - reference.value, .error = std::hypot(own.error, reference.error)};
  made.runs = std::min(own.runs, reference.runs);
  const auto unsure = [](const LogSample& night) {
    return night.degrees_of_freedom > 0 ? std::pow(night.error, 4) / night.degrees_of_freedom : 0;
  };
  if (const double both = unsure(own) + unsure(reference); both > 0)
    made.degrees_of_freedom = std::pow(made.error, 4) / both;
  return made;
}

Unmet unmet_runs(const NightMeasurement& measurement, const std::string& figure) {
  Unmet found;
  for (const NightRun& run : measurement.runs) {
    const auto its = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (run.reference || its == run.figures.end()) continue;
    ++found.runs;
    found.unmet += its->value ? 0 : 1;
  }
  return found;
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
          if (is_new) all.push_back({measurement.name, figure.name, figure.kind, {}, {}, {}, false});
          FigureSeries& series = all[place->second];
          if (!series.nights.empty() && series.nights.back() == at) continue;  // of an earlier run of the night
          const auto sample = sample_of(measurement, figure.name, false);
          if (!sample) continue;
          series.nights.push_back(at);
          series.samples.push_back(*sample);
          series.references.push_back(sample_of(measurement, figure.name, true));
        }
      }
  std::erase_if(all, [](const FigureSeries& series) { return series.samples.empty(); });  // no night met the target
  for (FigureSeries& series : all)
    series.against_reference = 2 * std::ranges::count(series.references, true, &std::optional<LogSample>::has_value) >
                               std::ssize(series.references);
  return all;
}

}  // namespace edagen
