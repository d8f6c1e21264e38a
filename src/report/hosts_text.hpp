// The hosts that made a load together, for the terminal.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

/// A table and what is unlike in it; empty for one host alone.
std::string hosts_text(const PointFigures& point);

}  // namespace edagen
