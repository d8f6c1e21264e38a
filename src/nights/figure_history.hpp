// The nights before tonight of one figure, as tonight is compared with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nights/baseline.hpp"
#include "nights/level.hpp"
#include "nights/night.hpp"

namespace edagen {

/// How many nights with a figure a history must have before the figure has a verdict.
inline constexpr std::size_t min_nights = 3;

/// A night before tonight with a measurement that is comparable with tonight's.
struct NightBefore {
  const Night* night;
  const NightMeasurement* measurement;
};

/// The values of a figure, or their ratios to the reference.
struct FigureHistory {
  std::vector<FigureNight> nights;
  Level level;
  LogSample own, tonight;               ///< tonight's value, and what is compared: the value or its ratio
  std::optional<LogSample> reference;   ///< tonight's
  bool reference_is_robust = false;     ///< see ReferenceSeries
  std::vector<std::size_t> places;      ///< nights of the level that are used
  std::vector<LogSample> used;          ///< what is compared of these nights
  std::optional<LogBaseline> baseline;  ///< nullopt: fewer than min_nights

  double visible(double p) const { return change_from(*baseline, tonight).visible(p); }
};

/// `own`: tonight's value. `by_ratio`: compare ratios to the reference, for a night that has one. Thread-safe.
FigureHistory figure_history(const std::vector<NightBefore>& nights, const NightMeasurement& tonight,
                             const NightFigure& figure, const LogSample& own, bool by_ratio, const Gate& gate);

/// Whether the night was reported to have a regression of the figure, unless `since`, set later, accepts it.
bool was_reported(const NightBefore& before, const std::string& figure, const Gate& gate);

}  // namespace edagen
