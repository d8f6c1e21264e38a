// Statistics of repeats of the same measurement.
#pragma once

#include <span>

namespace edagen {

struct RepeatFigures {
  double mean = 0, median = 0;
  double standard_deviation = 0;  ///< of single repeats; 0 with one repeat
  double low = 0, high = 0;       ///< Student interval of the mean; both are the mean with one repeat
};

/// Zeros when `values` is empty. `confidence` is that of the interval, above 0 and below 1.
RepeatFigures repeat_figures(std::span<const double> values, double confidence = 0.95);

}  // namespace edagen
