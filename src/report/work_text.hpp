// Why a variant of a comparison is faster or slower than the baseline: which RPCs or ops make the difference.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"
#include "report/page_blocks.hpp"

namespace edagen {

/// For a terminal: a sentence for each of the few variants that differ most from the baseline, and a table of the kinds
/// of RPC, or of op without NFS, in which the one that differs most differs. `comparison` has escaped text.
std::string work_text(const ComparisonResult& comparison);
/// For a page: the sentences of all variants that differ, and the kinds that take most of all variants.
void add_work(Document& blocks, const ComparisonResult& comparison);

}  // namespace edagen
