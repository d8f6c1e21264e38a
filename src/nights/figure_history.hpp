// The nights before of one figure, as they are held against tonight.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nights/baseline.hpp"
#include "nights/level.hpp"
#include "nights/night.hpp"

namespace edagen {

/// What a history must have before it says anything of a figure.
inline constexpr std::size_t least_nights = 3;

/// A night before with the measurement, which can be compared with tonight's.
struct NightBefore {
  const Night* night;
  const NightMeasurement* measurement;
};

/// By its own values or by their ratios to the reference.
struct FigureHistory {
  std::vector<FigureNight> nights;
  Level level;
  LogSample own, tonight;           ///< `tonight`: own, or its ratio
  std::vector<std::size_t> places;  ///< of the nights that count
  std::vector<LogSample> used;
  std::optional<LogBaseline> baseline;  ///< nullopt: too few nights

  double visible(double p) const { return change_from(*baseline, tonight).visible(p); }
};

/// `own`, `reference`: of tonight; without a reference the values themselves. Thread-safe.
FigureHistory figure_history(const std::vector<NightBefore>& nights, const NightFigure& figure, const LogSample& own,
                             const std::optional<LogSample>& reference, const Gate& gate);

/// The night was told to have a regression of the figure, and not before `since` was set, which accepts it.
bool was_told(const NightBefore& before, const std::string& figure, const Gate& gate);

}  // namespace edagen
