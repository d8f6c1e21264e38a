// Mean, variance and median of values. Thread-safe.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// The mean; 0 when `values` is empty.
double mean_of(std::span<const double> values);

/// The variance of the population of which `values` is a sample (squares over n - 1); 0 with fewer than two values.
double variance_of(std::span<const double> values);

/// The median: the mean of the two middle values when their number is even. `values` must not be empty.
double median_of(std::vector<double> values);

}  // namespace edagen
