// A comparison of variants, as a part of a page.
#pragma once

#include "edagen/comparison_result.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

void add_comparison(Document& blocks, const ComparisonResult& comparison);

}  // namespace edagen
