// Whether a load point may be believed.
#pragma once

#include <optional>
#include <vector>

#include "edagen/parts/latency_statistic.hpp"
#include "edagen/result.hpp"
#include "edagen/run_stats.hpp"

namespace edagen {

/// Why the point is invalid; empty when it is valid.
/// `statistic` is what is reported of its latencies; `target`, if there is one, what that is held against.
std::vector<Invalid> invalid_reasons(const RunStats& stats, const LatencyStatistic& statistic = {},
                                     std::optional<Nanos> target = std::nullopt);

/// What the generator's own delay may be, in the statistic that is reported: 10 % of the response, or of the target if
/// that is more; without a target 50 microseconds, about what it takes to wake a thread.
NanosF generator_lag_limit(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target);

/// The generator's own delay is above that, in an open loop.
bool generator_is_late(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target);

}  // namespace edagen
