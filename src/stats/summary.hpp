// What a few numbers say of a series of values. Thread-safe: functions of their arguments.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// 0 when `values` is empty.
double mean_of(std::span<const double> values);

/// Of the population that `values` is a sample of: squares over n - 1. 0 with fewer than two.
double variance_of(std::span<const double> values);

/// The mean of the two in the middle where their number is even. `values`: not empty.
double median_of(std::vector<double> values);

}  // namespace edagen
