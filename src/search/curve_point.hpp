// What a run says as a point of a curve.
#pragma once

#include "edagen/search.hpp"

namespace edagen {

/// A latency whose standard error is a larger share of it tells little alone.
inline constexpr double vague_error = 0.1;

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, Purpose purpose, std::size_t job_sets = 0);

}  // namespace edagen
