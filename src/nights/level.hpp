// Which nights of a history are of the level that tonight is held against.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nights/baseline.hpp"

namespace edagen {

/// Of one figure.
struct FigureNight {
  std::string when;
  LogSample own;
  std::optional<LogSample> reference;
  LogSample compared;           ///< `own`, or its ratio to the reference
  bool was_regression = false;  ///< it was told so then, and that was not accepted since
};

struct Level {
  std::vector<std::size_t> nights;  ///< places of those that count, ascending
  std::size_t begins = 0;           ///< the place of the first night of the level
  double reference_moved = 0;       ///< then, as a logarithm: the level begins because of it; 0: it did not
};

/// A change point (p at most 0.1 %) for the better makes a new level once it has lasted 7 nights: a gain that goes
/// again leaves the level as it was. Nights after one for the worse are left out, and so are nights that were told to
/// have a regression. A history that begins with less than 7 better nights has the level of those after them, once 7
/// of these were not told to have a regression. Changes below `tolerated` make no new level. Of ratios a change is the
/// reference's when its own values have changed (p at most 1 %), and clearly more than those of the volume; a new level
/// begins then.
Level level_of(std::span<const FigureNight> nights, double tolerated, bool higher_is_better);

}  // namespace edagen
