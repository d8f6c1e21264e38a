// What a few numbers say of a series of values. Thread-safe: functions of their arguments.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// 0 when `values` is empty.
double mean_of(std::span<const double> values);

/// Of the population that `values` is a sample of: squares over n - 1. 0 with fewer than two.
double variance_of(std::span<const double> values);

/// The value that `share`, 0 to 1, of the others are below, interpolated between neighbours (definition 7 of Hyndman,
/// Fan: Sample Quantiles in Statistical Packages, 1996). `values`: not empty.
double quantile_of(std::vector<double> values, double share);

/// `values`: not empty.
double median_of(std::vector<double> values);

}  // namespace edagen
