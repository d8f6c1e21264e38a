// Results and comparisons as a page.
#pragma once

#include "edagen/comparison_result.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

/// All of it. The documents hold text that is inert.
Document page_blocks(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons);

}  // namespace edagen
