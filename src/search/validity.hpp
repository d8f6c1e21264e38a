// Whether a load point may be believed.
#pragma once

#include <optional>
#include <vector>

#include "edagen/parts/latency_statistic.hpp"
#include "edagen/result.hpp"
#include "edagen/run_stats.hpp"
#include "edagen/search.hpp"

namespace edagen {

/// Why the point is invalid; empty when it is valid.
/// `statistic` is what is reported of its latencies; `target`, if there is one, what that is held against. Other
/// latencies of a block (`purpose`) are not judged.
std::vector<Invalid> invalid_reasons(const RunStats& stats, const LatencyStatistic& statistic = {},
                                     std::optional<Nanos> target = std::nullopt, Purpose purpose = Purpose::load_point);

/// The limit of the generator's own delay, in the statistic that is reported: 10 % of the response, or of the target if
/// that is more. Without a target the limit is 50 microseconds or more, about what it takes to wake a thread, and p99
/// is judged, too, but not of blocks: if only the limit of p99 is exceeded, that limit is returned. In a closed loop it
/// is the limit of the mean wait of procs for the generator.
LagLimit generator_lag_limit(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target,
                             Purpose purpose);

/// The generator's own delay, or in a closed loop the wait of procs for the generator, exceeds its limit; or, in a
/// closed loop, the host has no processor left.
bool generator_is_late(const RunStats& stats, const LatencyStatistic& statistic, std::optional<Nanos> target,
                       Purpose purpose);

/// In a closed loop, how long an op waits on average after its proc could have begun it. Waits that kinds of procs owe
/// to their shares are not counted: those are of kinds that could go faster.
NanosF closed_loop_wait(const RunStats& stats);

/// So much of this host's processors was used that they, and not the storage, may be the limit.
bool host_is_busy(const RunStats& stats);

}  // namespace edagen
