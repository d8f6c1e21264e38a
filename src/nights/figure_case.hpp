// One figure on its way to a verdict.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "nights/baseline.hpp"
#include "nights/night.hpp"

namespace edagen {

inline constexpr std::size_t recent_nights = 7;  ///< that are held together against those long before

struct FigureCase {
  FigureVerdict verdict;
  std::optional<LogChange> change;
  double weight = 0;
  bool detail = false;
  bool nights_vary = false;                  ///< those before; else they are exactly equal, or too few
  bool unmet = false, partly_unmet = false;  ///< the latency target: by most runs of the night, by some
  bool of_one_run = false;                   ///< of tonight's runs only one has the figure, so that none confirms it
  /// What was measured without the reference, and the reference without the volume.
  std::optional<LogChange> alone, reference;
  /// The last nights together against those long before, where there are enough of both.
  std::optional<LogChange> long_before;
  double level_before = 0;
  std::size_t nights_before = 0;
};

/// What may be lost, as a logarithm: a loss of a rate, a gain of a latency.
inline double log_of_loss(const Gate& gate, FigureKind kind) {
  const double relative = gate.limit(kind);
  return higher_is_better(kind) ? -std::log1p(-relative) : std::log1p(relative);
}

}  // namespace edagen
