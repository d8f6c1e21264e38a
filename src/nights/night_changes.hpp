// Where the figures of a history change for good, and what else changed at the same night.
#pragma once

#include <string>
#include <vector>

#include "nights/history.hpp"

namespace edagen {

struct NightChange {
  std::size_t night = 0;  ///< the first of the new level, a place in the history
  std::string measurement, figure;
  double change = 0;                               ///< relative
  bool better = false, against_reference = false;  ///< the latter: of the ratios to it
  double p = 0;
  std::string differs;  ///< of mounts, kernel, versions, from the night before that has the figure; empty: nothing
};

/// Ascending in time. `error`: probability that a history without a change has one, all of a history's figures
/// together. Of figures that have a reference in most nights the ratio to it counts, and nights without are passed
/// over.
std::vector<NightChange> changes_of(const std::vector<Night>& nights, const std::vector<FigureSeries>& series,
                                    double error = 0.01);

}  // namespace edagen
