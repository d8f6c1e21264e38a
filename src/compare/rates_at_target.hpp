// The rate at the latency target that a slice shows: that of its load, moved to the target along the slope of its
// variant.
#pragma once

#include <optional>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "edagen/search.hpp"

namespace edagen {

/// Distances from the target are bounded: farther away the latency has no more to tell of where the target is.
inline constexpr double max_distance = 0.9;

/// Change of the distance from the target with the logarithm of the rate, from the two slices of each block, which a
/// disturbance that is longer than a block does not change. `slices`: of one variant.
double slope_at_target(const std::vector<RunFigures>& slices);

/// The logarithm of the rate at the target. The slice must have its offered rate and its distance.
double log_rate_at_target(const SliceFigures& slice, double slope);

/// The slices of one variant as measured, with the rates at the target in place of those of their loads. Slices without
/// a distance stay as they are. Where the latency does not surely rise with the rate, the rates are imprecise.
std::vector<RunFigures> at_target(std::vector<RunFigures> slices);

/// The means of these rates; nullopt: no slice can be used. The comparison has their interval, and nothing demonstrates
/// them.
std::optional<AtTarget> answer_of_slices(const std::vector<RunFigures>& slices, Nanos target);

}  // namespace edagen
