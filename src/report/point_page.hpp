// A load point in detail, as a part of a page.
#pragma once

#include "edagen/result.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

Document point_blocks(const Result& result, const PointFigures& point);

}  // namespace edagen
