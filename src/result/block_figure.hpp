// The figure of slices by which the variants of a comparison are compared, and what two slices show of it together.
#pragma once

#include <cmath>

#include "edagen/comparison_result.hpp"

namespace edagen {

enum class ComparedBy { response, rate };

inline ComparedBy compared_by(const ComparisonResult& comparison) {
  return comparison.at_latency_target ? ComparedBy::rate : ComparedBy::response;
}

/// In ms, or ops/s; 0: not known.
inline double figure_of(const RunFigures& slice, ComparedBy by) {
  return by == ComparedBy::rate ? slice.ops_per_sec : slice.response.count();
}

/// The logarithm of the figure of a variant in a block, from those of its two slices. The logarithm of a mean response
/// that scatters is too low on average, the more the shorter the slice: what both slices show of that is added (the
/// jackknife: Quenouille, Biometrika 43, 1956). Rates at a latency target are from one slice below it and one over it.
inline double log_figure_of_block(double first, double second, ComparedBy by) {
  const double mean_of_logs = (std::log(first) + std::log(second)) / 2;
  return by == ComparedBy::rate ? mean_of_logs : 2 * std::log((first + second) / 2) - mean_of_logs;
}

}  // namespace edagen
