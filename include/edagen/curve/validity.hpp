// Whether a load point may be believed.
#pragma once

#include <string>
#include <vector>

#include "edagen/stats/run_stats.hpp"

namespace edagen {

/// Why the point is invalid; empty when it is valid. The rules of SPECstorage Solution 2020 (Run and Reporting Rules
/// v1.7): every proc reaches 75 % of its rate ("proc_rate_low"), all together 95 % ("achieved_rate_low"), and each
/// kind of proc keeps its share of the ops within 5 points ("mix_off"). Ours besides: "generator_limited",
/// "unsteady",
/// "errors", "stuck_ops", "too_many_errors", "interrupted", "nothing_measured".
std::vector<std::string> invalid_reasons(const RunStats& stats);

/// The generator's own delay that a point may have: 100 microseconds, or 10 % of the mean response if that is more.
double generator_lag_limit_ns(const RunStats& stats);

}  // namespace edagen
