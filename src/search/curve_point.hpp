// A run as a point of a curve.
#pragma once

#include "edagen/search.hpp"

namespace edagen {

/// A latency with a larger relative standard error is no evidence alone.
inline constexpr double vague_error = 0.1;

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, std::optional<Nanos> target, Purpose purpose,
                      std::size_t job_sets = 0);

}  // namespace edagen
