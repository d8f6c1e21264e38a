// How late this host, or those of several that made the load, began ops.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

/// "this host", or where several made the load "the hosts".
const char* host_or_hosts(const PointFigures& point);

/// "this host began ops 0.310 ms late on average (limit 0.200 ms)", with the intervals that have most of it where these
/// are few.
std::string late_text(const PointFigures& point);

/// "its 16 processors are 97 % busy"; of several hosts "the processors of h3 (rank 2) are 97 % busy", the busiest: a
/// result has the number of processors of rank 0 alone.
std::string busy_processors_text(const Result& result, const PointFigures& point, const char* whose);

/// The same of a closed loop, whose rate is no figure of the storage then.
std::string closed_loop_text(const Result& result, const PointFigures& point);

}  // namespace edagen
