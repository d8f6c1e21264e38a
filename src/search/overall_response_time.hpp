// The one figure of a whole curve.
#pragma once

#include <optional>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

/// A search measures beyond its target: points above this many targets do not count.
constexpr double max_latency_of_search_factor = 1.1;

/// Area under latency over achieved rate (trapezoids, measured points on the curve only), divided by the span of rates:
/// the variant with which published overall response times can be reproduced (Run and Reporting Rules v1.7). Points
/// need not be sorted. Points above `highest` do not count. nullopt with fewer than two points.
std::optional<NanosF> overall_response_time(const std::vector<CurvePoint>& points,
                                            std::optional<NanosF> highest = std::nullopt);

}  // namespace edagen
