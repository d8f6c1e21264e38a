// The figures that a night takes from the result of a run.
#pragma once

#include <vector>

#include "nights/night.hpp"

namespace edagen {

constexpr const char* highest_rate_figure = "highest ops/s";

/// The rate and MiB/s at each latency target; from load points that were asked for, which are the same each night, the
/// mean and p99 response, the highest rate of several loads or of a closed loop, and the mean response of each op kind
/// with at least 1 % of the ops. A p99 of fewer than 1,000 ops and an op kind of fewer than 100 ops are left out,
/// because one slow op would decide them. Load points that the generator limited are left out, and so are targets that
/// no load met where it was the limit, rates that are lower bounds, and op kinds where ops had not ended. Latencies
/// that are lower bounds say so.
std::vector<NightFigure> figures_of(const Result& result);

/// Why a result is invalid: the reasons of its answers, or of its load points when it has no answers. Each reason once.
std::vector<Invalid> invalid_reasons(const Result& result);

}  // namespace edagen
