// Whether a load point may be believed.
#pragma once

#include <vector>

#include "edagen/result.hpp"
#include "edagen/run_stats.hpp"

namespace edagen {

/// Why the point is invalid; empty when it is valid.
std::vector<Invalid> invalid_reasons(const RunStats& stats);

/// The generator's own delay that a point may have: 100 microseconds, or 10 % of the mean response if that is more.
NanosF generator_lag_limit(const RunStats& stats);

}  // namespace edagen
