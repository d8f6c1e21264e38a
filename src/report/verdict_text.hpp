// The verdict on each variant of a comparison, or why there is none, as a sentence and in a table.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"
#include "report/ratios.hpp"
#include "report/text_table.hpp"

namespace edagen {

/// A line for each variant that has common runs with the baseline: "b against a: I/O rate at 2 ms +3.2 % (95 %
/// confidence +1.0 % to +5.4 %): faster"; one for all variants where no pair of runs can be used. `compared`: how many
/// variants are compared with the baseline by their scatter.
std::string verdict_lines(const ComparisonResult& comparison, const std::string& figure, const Ratios& ratios,
                          std::size_t compared);

/// The same in a table, of a variant with against_first: "none: lower bound", or the verdict.
Cell verdict_cell(const VariantFigures& variant, const VariantFigures& baseline);
/// "+3.2 %"; "INVALID +3.2 %" where too few runs can be used for a verdict; "-" where none can, or there is no ratio.
std::string baseline_ratio_cell(const VariantFigures& variant, const VariantFigures& baseline, const Ratios& ratios);
/// Its interval; "none" where the verdict has why, "-" beside no ratio.
std::string ratio_interval_cell(const VariantFigures& variant, const VariantFigures& baseline, const Ratios& ratios);

}  // namespace edagen
