// How each mount and each client did, beside the others.
#pragma once

#include <string>

#include "edagen/parts/point_figures.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

/// For a terminal: the mounts, where there are several, the slowest clients, where a mount has several, and what is
/// said of those that are unlike the others.
std::string mounts_text(const PointFigures& point);
/// The same for a page, with all clients.
void add_mounts(Document& blocks, const PointFigures& point);

}  // namespace edagen
