// What a measured curve answers: the rate at a latency target, the overall response time.
#pragma once

#include <optional>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

/// Points need not be sorted. Those on the curve count, and those below the target though the generator was late; see
/// docs/methodology.md. A point that at least two points at higher rates clearly undercut is left out: latency does not
/// fall with the rate. Near the crossing (within 8 % of its rate, at least three points) log latency is fitted by a
/// weighted line without points far off it; elsewhere it is interpolated on the monotone (isotonic) fit. The interval
/// is by parametric bootstrap, `seed`ed. When full runs refute the probes, full runs alone give the rate and its
/// interval (full_runs.hpp).
AtTarget rate_at_latency(const std::vector<CurvePoint>& points, Nanos target, std::uint64_t seed = 1);

/// Area under latency over achieved rate (trapezoids, measured points on the curve only), divided by the span of rates:
/// the variant with which published overall response times can be reproduced (Run and Reporting Rules v1.7). ns;
/// nullopt with fewer than two points. A search measures far beyond its target: points above `highest_ns` do not count.
std::optional<double> overall_response_time(const std::vector<CurvePoint>& points, double highest_ns = 1e300);

}  // namespace edagen
