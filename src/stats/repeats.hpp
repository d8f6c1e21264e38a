// What repeats of the same measurement say together.
#pragma once

#include <span>

namespace edagen {

struct RepeatFigures {
  double mean = 0, median = 0;
  double standard_deviation = 0;  ///< of single repeats; 0 with one
  double low = 0, high = 0;       ///< 95 % Student interval of the mean; mean to mean with one
};

/// Zeros when `values` is empty.
RepeatFigures repeat_figures(std::span<const double> values);

}  // namespace edagen
