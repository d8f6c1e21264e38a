// The one figure of a whole curve.
#pragma once

#include <optional>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

/// Area under latency over achieved rate (trapezoids), divided by the span of rates: the variant with which published
/// overall response times can be reproduced (Run and Reporting Rules v1.7). It is of the load points that were asked
/// for; after a search of its shape up to the highest answer, so that both are comparable. Points that are not on the
/// curve do not count. nullopt with fewer than two points, or where a point of the shape is not on the curve.
std::optional<NanosF> overall_response_time(const Curve& curve);

}  // namespace edagen
