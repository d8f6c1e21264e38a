// The figures of a history as series of numbers, their lasting changes, and what else changed in the same nights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nights/baseline.hpp"
#include "nights/night.hpp"

namespace edagen {

/// A figure over the nights that have it.
struct FigureSeries {
  std::string measurement, figure;
  FigureKind kind = FigureKind::rate;
  std::vector<std::size_t> nights;  ///< places in the history
  std::vector<LogSample> samples;
  std::vector<std::optional<LogSample>> references;  ///< by night; nullopt: the night has no reference
  bool against_reference = false;                    ///< whether most nights have a reference
};
/// All figures, in the order in which the nights name them.
std::vector<FigureSeries> series_of(const std::vector<Night>& nights);

struct NightChange {
  std::size_t night = 0;  ///< the first of the new level, a place in the history
  std::string measurement, figure;
  double change = 0;  ///< relative
  bool better = false;
  bool against_reference = false;  ///< whether ratios to the reference changed, and not the values
  double p = 0;
  std::string differs;  ///< mounts, kernel and versions that differ from the night before; empty: none
  /// Nights of the levels before and after it, and those of them whose value is of invalid runs alone.
  std::size_t nights = 0, invalid_nights = 0;
};

/// Ascending in time. `max_p`: probability that a history without a change has one, for all figures together. When most
/// nights have a reference, ratios to it are compared, and nights without one are left out.
std::vector<NightChange> changes_of(const std::vector<Night>& nights, const std::vector<FigureSeries>& series,
                                    double max_p = 0.01);

}  // namespace edagen
