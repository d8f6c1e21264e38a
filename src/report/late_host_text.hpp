// How late this host began ops.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

/// "this host began ops 0.310 ms late on average (limit 0.200 ms)", with the intervals that have most of it where these
/// are few.
std::string late_text(const PointFigures& point);

/// The same of a closed loop, whose rate is no figure of the storage then.
std::string closed_loop_text(const Result& result, const PointFigures& point);

}  // namespace edagen
