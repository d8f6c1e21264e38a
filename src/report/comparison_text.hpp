// What a person reads of a comparison in a terminal.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// A table of the variants, why runs are invalid, what each tuning showed of stale data, and where it was measured.
std::string comparison_text(const ComparisonResult& comparison);

/// One run of a variant, on a line without an end.
std::string figure_text(const RunFigures& figures, bool at_target);

std::string staleness_text(const StalenessFigures& staleness);

}  // namespace edagen
