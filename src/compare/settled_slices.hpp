// Whether the load of a variant was settled when the windows of its slices began.
#pragma once

#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// The slices of one variant. All are `window_short` where the second halves of their windows have surely longer mean
/// responses than the first, by more than 5 % in the middle (signed ranks, one-sided at 0.5 %): the load did not
/// settle, or is an overload. Slices at a latency target stay as they are: some are over it, and their rates do not
/// rest on a steady latency.
std::vector<RunFigures> marked_where_unsettled(std::vector<RunFigures> slices);

/// The slices of one variant as they are compared: with the rates at the target (rates_at_target.hpp), and marked.
std::vector<RunFigures> judged_slices(std::vector<RunFigures> slices);

}  // namespace edagen
