// A run as a point of a curve.
#pragma once

#include "edagen/search.hpp"

namespace edagen {

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, std::optional<Nanos> target, Purpose purpose,
                      std::size_t job_sets = 0);

}  // namespace edagen
