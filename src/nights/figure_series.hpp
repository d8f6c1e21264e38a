// The figures of a history as series of numbers.
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

}  // namespace edagen
