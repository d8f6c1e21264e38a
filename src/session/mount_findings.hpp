// Which mount or client is unlike the others, in sentences.
#pragma once

#include <string>
#include <vector>

#include "edagen/parts/point_figures.hpp"

namespace edagen {

/// A line for each mount that is slower than the others, with what takes longer there, for each that alone has failed
/// or outstanding ops, and for the slowest clients of the other mounts.
std::vector<std::string> mount_findings(const PointFigures& point);

}  // namespace edagen
