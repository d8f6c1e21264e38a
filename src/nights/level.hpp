// The nights of a history that are of the level with which tonight is compared.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nights/baseline.hpp"

namespace edagen {

/// A figure in one night.
struct FigureNight {
  LogSample own;
  std::optional<LogSample> reference;
  LogSample compared;           ///< `own`, or its ratio to the reference
  bool was_regression = false;  ///< it was reported as a regression, and that was not accepted since
  bool invalid = false;         ///< all of its runs that have the figure are invalid
};

struct Level {
  std::vector<std::size_t> nights;  ///< places of the nights of the level, ascending
  std::size_t begins = 0;           ///< place of the first of them
  double reference_moved = 0;       ///< logarithm of the move of the reference that began the level; 0: none did
};

/// A change for the better (change point, p at most 0.1 %) begins a new level once it has lasted 7 nights: a gain that
/// goes again before leaves the level as it was. Nights after a change for the worse are left out, and so are nights
/// that were reported as regressions. A history that begins with fewer than 7 better nights has the level of the nights
/// after them, once 7 of these were not reported as regressions. Changes up to `tolerated` begin no level. A change of
/// ratios is the reference's when its own values have changed (p at most 1 %), and 1.5 times as much as those of the
/// volume; then a new level begins. `resolution`: as of change_points_of().
Level level_of(std::span<const FigureNight> nights, double tolerated, bool higher_is_better, double resolution = 0);

}  // namespace edagen
