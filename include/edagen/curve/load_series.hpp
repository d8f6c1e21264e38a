// Load points in a row: the values of a sweep, the whole repeated.
#pragma once

#include "edagen/curve/load_curve.hpp"

namespace edagen {

struct LoadSeries {
  std::string parameter;       ///< what is swept: "io-depth"; empty: nothing
  std::vector<double> values;  ///< of it, in the order of measurement; one when nothing is swept
  std::size_t repeats = 1;     ///< of all values: 1 2 4, 1 2 4, ... so that drift does not look like an effect
  /// The load at a value; may set up what is to be measured.
  std::function<LoadPoint(double value)> load_at;
};

/// Measures all, or until the run is interrupted, too many ops fail or ops are stuck. The curve has no answers.
Curve measure_series(LoadRunner& runner, const LoadSeries& series, CurveObserver& observer);

}  // namespace edagen
