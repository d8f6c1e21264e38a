// Nights as series of numbers.
#pragma once

#include "nights/baseline.hpp"
#include "nights/night.hpp"

namespace edagen {

/// nullptr: none.
const NightMeasurement* measurement_named(const Night& night, const std::string& name);
bool has_figures(const NightMeasurement& measurement);
/// Of a model, and not of storage.
bool is_simulated(const NightMeasurement& measurement);

/// Whether two lines or files tell of one run: the same figures, measured at the same time.
bool same_run(const NightRun& one, const NightRun& other);

/// The mean over a measurement's runs, or those of its reference, that have the figure; nullopt: none has.
std::optional<LogSample> sample_of(const NightMeasurement& measurement, const std::string& figure, bool reference);
/// Runs that have the figure, and those of them of which no load met the latency target.
struct Unmet {
  std::size_t runs = 0, unmet = 0;
};
Unmet unmet_runs(const NightMeasurement& measurement, const std::string& figure);
/// What was measured over its reference of the same night; once both have their errors (pool_errors).
LogSample ratio(const LogSample& own, const LogSample& reference);

/// Whether the night was judged to have a regression of the figure.
bool was_regression(const Night& night, const std::string& measurement, const std::string& figure);

/// A figure over the nights that have it.
struct FigureSeries {
  std::string measurement, figure;
  FigureKind kind = FigureKind::rate;
  std::vector<std::size_t> nights;  ///< places in the history
  std::vector<LogSample> samples;
  std::vector<std::optional<LogSample>> references;  ///< one for each; nullopt: the night has none
  bool against_reference = false;                    ///< most nights have one
};
/// In the order in which they appear.
std::vector<FigureSeries> series_of(const std::vector<Night>& nights);

}  // namespace edagen
