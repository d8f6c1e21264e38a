// How the variants of a comparison alternated, for people; and their slices over time, for a page.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

/// "59 blocks of slices of 2 s, each after 0.4 s of settling (all variants can be up at once)"; "" of whole runs that
/// nobody wanted to be slices.
std::string alternation_text(const ComparisonResult& comparison);

/// Why the slices cannot tell, and what would.
std::string too_few_blocks_text(const AgainstFirst& against);

/// The figure of each slice over the time, all variants in one plot.
void add_slices(Document& blocks, const ComparisonResult& comparison);

}  // namespace edagen
