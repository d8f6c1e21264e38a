// Figures of a comparison that cannot all be true.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// Throws Error (usage) that names the first place where there is no variant, or two of one name, or a variant
/// - has more runs than were planned, a repeat twice or beyond them,
/// - has means that are not those of its runs, or none where all runs have figures, or some where one has none,
/// - differs from the baseline by another ratio than its runs give, by one outside its interval, or with no run that
///   both have, or is faster or slower against that ratio or with invalid runs.
void check_comparison(const ComparisonResult& comparison, const std::string& where);

}  // namespace edagen
