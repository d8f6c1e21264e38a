// Histories of modelled nights.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "edagen/parts/random.hpp"
#include "nights/judge.hpp"
#include "nights/night.hpp"

namespace edagen::testing {

/// One measurement, "m", of one run.
inline Night sample_night(std::size_t at, const std::vector<NightFigure>& figures) {
  Night night;
  night.started_at = fmt::format("2026-{:02}-{:02}T01:00:00Z", 1 + at / 28 % 12, 1 + at % 28);
  night.finished_at = night.started_at;
  night.edagen_version = "0.2.0";
  night.host = "here";
  night.kernel = "6.1";
  NightMeasurement measurement;
  measurement.name = "m";
  measurement.comparable = {{"kernel", "6.1"}, {"workload", "eda_mixed"}};
  measurement.runs.push_back({night.started_at, "results/x/m-1.json", false, Status::complete, figures});
  night.measurements.push_back(measurement);
  return night;
}

inline NightFigure sample_rate(double value, double error = 0.002) { return {"ops/s", FigureKind::rate, value, error}; }

/// Rates of 1,000 that vary by `variation`.
inline std::vector<Night> sample_history(std::size_t nights, double variation = 0.01, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<Night> history;
  for (std::size_t i = 0; i < nights; ++i)
    history.push_back(sample_night(i, {sample_rate(1000 * std::exp(variation * random.normal()))}));
  return history;
}

/// Tonight has this rate.
inline NightJudgement judged(const std::vector<Night>& history, double rate, const Gate& gate = {}) {
  return judge(history, sample_night(history.size(), {sample_rate(rate)}), gate);
}

/// A night of several runs; nullopt: no load met the target.
inline Night with_runs(std::size_t at, const std::vector<std::optional<double>>& values, double error) {
  Night night = sample_night(at, {});
  night.measurements[0].runs.clear();
  for (const auto& value : values)
    night.measurements[0].runs.push_back(
        {night.started_at, "", false, Status::complete, {{"ops/s", FigureKind::rate, value, error}}});
  return night;
}

}  // namespace edagen::testing
