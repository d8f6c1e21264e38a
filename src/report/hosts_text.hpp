// The hosts that made a load together, for the terminal.
#pragma once

#include <string>

#include "edagen/result.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

/// A table and what is unlike in it; empty for one host alone.
std::string hosts_text(const PointFigures& point);

/// The same as a part of a page, of all hosts.
void add_hosts(Document& blocks, const PointFigures& point);

}  // namespace edagen
