// What a night takes from the result of one run.
#pragma once

#include <vector>

#include "nights/night.hpp"

namespace edagen {

/// Rate and MiB/s at each latency target; where loads are the same each night (load points that were asked for, not
/// those of a search), mean and p99 response at each, the highest rate where there are several loads or no limit, and
/// the mean response of each op kind with at least a hundredth of the ops. A p99 of fewer than 1,000 ops and an op kind
/// of fewer than 100 are left out: one slow op would decide on them. What the generator and not the storage has
/// limited is left out, and rates that are lower bounds.
std::vector<NightFigure> figures_of(const Result& result);

/// Why a result says little: its answers say themselves what they rest on, else its load points do. Each reason once;
/// none when it is valid.
std::vector<Invalid> invalid_reasons(const Result& result);

}  // namespace edagen
