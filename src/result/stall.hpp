// Loads in which ops waited for something that had stopped, the storage or this host: which of several repeats it was,
// and when in a window.
#pragma once

#include <optional>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "edagen/result.hpp"

namespace edagen {

/// Whether ops of one of `repeats` of a load waited many times as long as those of most of them, by mean responses;
/// never of two repeats, which do not show what is usual.
bool is_stall(Millis response, Millis median, std::size_t repeats);

/// The mean responses of a variant's runs that have one, in ms, but for one run.
std::vector<double> responses_of(const VariantFigures& variant, const RunFigures* left_out = nullptr);

/// Runs and slices of one load are repeats, but each at a latency target is of another load. A late host and ops that
/// never returned are named by their own reasons. Slices are short: valid ones may be so much slower by chance.
bool is_stalled_run(const RunFigures& run, const VariantFigures& variant, const ComparisonResult& comparison);

/// A time of the window that has most of the responses' sum.
struct StalledTime {
  Seconds begins{0}, length{0};  ///< of the window; the longest response among the ops that ended first
  double share = 0;              ///< of the sum of all responses
};
/// nullopt: none of a quarter of the window or less, or ops beside it waited as long. There have to be 4 intervals.
std::optional<StalledTime> stalled_time(const PointFigures& point);

}  // namespace edagen
