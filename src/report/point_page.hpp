// A load point in detail, as a part of a page.
#pragma once

#include "edagen/parts/point_figures.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

Document point_blocks(const PointFigures& point);

}  // namespace edagen
