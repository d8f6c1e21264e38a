// What a person reads of a comparison in a terminal; its table and how ratios are written, for pages as well.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"
#include "report/ratios.hpp"
#include "report/text_table.hpp"

namespace edagen {

/// A table of the variants, why runs are invalid, what each tuning showed of stale data, and where it was measured.
std::string comparison_text(const ComparisonResult& comparison);

/// One run of a variant, on a line without an end.
std::string figure_text(const RunFigures& figures, bool at_target);

/// The notes of the comparison, and those of its variants' last runs with their names: "a, b: the dataset ...".
std::vector<std::string> comparison_notes(const ComparisonResult& comparison);
/// " at 2 ms", or "" when latencies at a rate are compared.
std::string target_text(const ComparisonResult& comparison);
/// One row for each variant. In a terminal those at a latency target have no latency, as all have that one.
TextTable variant_table(const ComparisonResult& comparison, const std::string& target, const Ratios& ratios);
/// How many runs there are, in the words for all variants if they have as many, and what is shown of several.
std::string runs_text(const ComparisonResult& comparison);
/// How many variants are compared with the baseline by their scatter.
std::size_t tested_variants(const ComparisonResult& comparison);
/// What the confidence of several intervals is of; "" of one.
std::string all_intervals_text(const ComparisonResult& comparison);

}  // namespace edagen
