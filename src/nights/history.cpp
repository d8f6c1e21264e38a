#include "nights/history.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace edagen {
namespace {

constexpr double max_stated_error = 10;  // of a logarithm; a file may state anything

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

bool is_invalid(const NightMeasurement& measurement, const std::string& figure) {
  bool any = false;
  for (const NightRun& run : measurement.runs) {
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (run.reference || found == run.figures.end() || !found->value) continue;
    if (found->valid.value_or(run.invalid.empty())) return false;
    any = true;
  }
  return any;
}

std::vector<Invalid> why_invalid(const NightMeasurement& measurement, const std::string& figure) {
  if (!is_invalid(measurement, figure)) return {};
  std::set<Invalid> reasons;
  for (const NightRun& run : measurement.runs) {
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (run.reference || found == run.figures.end() || !found->value) continue;
    const std::vector<Invalid>& own = found->invalid.empty() ? run.invalid : found->invalid;
    reasons.insert(own.begin(), own.end());
  }
  return {reasons.begin(), reasons.end()};
}

bool is_lower_bound(const NightMeasurement& measurement, const std::string& figure) {
  return std::ranges::any_of(measurement.runs, [&](const NightRun& run) {
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    return !run.reference && found != run.figures.end() && found->lower_bound;
  });
}

bool has_invalid_figures(const Night& night) {
  return std::ranges::any_of(night.measurements, [](const NightMeasurement& measurement) {
    const auto is_own = [](const NightRun& run) { return !run.reference; };
    const auto has_one = [&](const NightRun& run) {
      return is_own(run) && !run.invalid.empty() && std::ranges::any_of(run.figures, [&](const NightFigure& figure) {
               return is_invalid(measurement, figure.name);
             });
    };
    const bool all_invalid =
        std::ranges::none_of(measurement.runs, [&](const NightRun& run) { return is_own(run) && run.invalid.empty(); });
    return std::ranges::any_of(measurement.runs, has_one) ||
           (all_invalid && !has_figures(measurement) && std::ranges::any_of(measurement.runs, is_own));
  });
}

bool same_run(const NightRun& one, const NightRun& other) {
  return one.started_at == other.started_at && one.reference == other.reference &&
         one.reference_number == other.reference_number &&
         std::ranges::equal(one.figures, other.figures, [](const NightFigure& a, const NightFigure& b) {
           return a.name == b.name && a.value == b.value;
         });
}

std::optional<LogSample> sample_of(const NightMeasurement& measurement, const std::string& figure,
                                   std::size_t reference, bool bounds) {
  LogSample sample;
  double stating = 0;
  std::vector<double> values;
  for (const NightRun& run : measurement.runs) {
    if (reference != (run.reference ? run.reference_number : 0)) continue;
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (found == run.figures.end() || !found->value || !(*found->value > 0)) continue;
    if (found->lower_bound && !bounds) return std::nullopt;
    values.push_back(std::log(*found->value));
    sample.value += values.back();
    if (const double error = std::min(found->error, max_stated_error); error > 0)
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

Unmet unmet_runs(const NightMeasurement& measurement, const std::string& figure, bool of_references) {
  Unmet found;
  for (const NightRun& run : measurement.runs) {
    const auto measured = std::ranges::find(run.figures, figure, &NightFigure::name);
    if (run.reference != of_references || measured == run.figures.end()) continue;
    ++found.runs;
    found.unmet += measured->value ? 0 : 1;
  }
  return found;
}

Gate last_gate(const std::vector<Night>& nights) {
  Gate gate;
  const auto last =
      std::find_if(nights.rbegin(), nights.rend(), [](const Night& night) { return night.judgement.has_value(); });
  if (last == nights.rend()) return gate;
  static_cast<GateSettings&>(gate) = *last->judgement;
  for (const FigureVerdict& figure : last->judgement->figures) {
    MeasurementLimits& own = gate.of_measurements[figure.measurement];
    (figure.kind == FigureKind::tail ? own.max_tail_regression : own.max_regression) = figure.limit;
  }
  return gate;
}

bool was_regression(const Night& night, const std::string& measurement, const std::string& figure) {
  return night.judgement && std::ranges::any_of(night.judgement->figures, [&](const FigureVerdict& judged) {
           return judged.verdict == NightVerdict::regression && judged.measurement == measurement &&
                  judged.figure == figure;
         });
}

}  // namespace edagen
