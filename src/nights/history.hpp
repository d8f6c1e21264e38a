// Nights as numbers.
#pragma once

#include "nights/baseline.hpp"
#include "nights/night.hpp"

namespace edagen {

/// nullptr: the night has no such measurement.
const NightMeasurement* measurement_named(const Night& night, const std::string& name);
bool has_figures(const NightMeasurement& measurement);
/// Whether a model was measured, and not storage.
bool is_simulated(const NightMeasurement& measurement);

/// Whether a figure is of invalid runs alone; a run that is invalid for other load points counts as valid. False: no
/// run of the volume itself has it.
bool is_invalid(const NightMeasurement& measurement, const std::string& figure);
/// Why it is invalid: the reasons of its load points or answers, or of its runs in lines of older versions.
std::vector<Invalid> why_invalid(const NightMeasurement& measurement, const std::string& figure);
/// Whether a run of the volume itself has the figure as a lower bound.
bool is_lower_bound(const NightMeasurement& measurement, const std::string& figure);
/// Whether a run is invalid that has such a figure, or a measurement has no figure as all of its runs are invalid.
bool has_invalid_figures(const Night& night);

/// Whether two lines or files hold one run: the same figures, measured at the same time.
bool same_run(const NightRun& one, const NightRun& other);

/// The mean over the runs that have the figure, of the volume itself (`reference` 0) or of the reference of that
/// number; nullopt: no run has it, or one has it as a lower bound and `bounds` are not asked for.
std::optional<LogSample> sample_of(const NightMeasurement& measurement, const std::string& figure,
                                   std::size_t reference = 0, bool bounds = false);
/// How many runs, of the volume itself or of all references, have the figure, and in how many of these no load met the
/// latency target.
struct Unmet {
  std::size_t runs = 0, unmet = 0;
};
Unmet unmet_runs(const NightMeasurement& measurement, const std::string& figure, bool of_references = false);
/// What was measured over the reference of the same night, after pool_errors() has set the errors of both.
LogSample ratio(const LogSample& own, const LogSample& reference);

/// The gate of the last of these nights that was judged; the default gate when none was. `nights`: ascending in time.
Gate last_gate(const std::vector<Night>& nights);
/// Whether the night was judged to have a regression of the figure.
bool was_regression(const Night& night, const std::string& measurement, const std::string& figure);

}  // namespace edagen
