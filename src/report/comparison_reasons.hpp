// Why the runs of a comparison are invalid, and what mends that.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// Whether ops of one of the variant's runs waited many times as long as those of its others.
bool has_stalled_run(const VariantFigures& variant, const ComparisonResult& comparison);

/// How many runs of which variants are invalid and why, which of them stalled, and then what each reason means; "" when
/// all are valid and none stalled.
std::string invalid_runs_text(const ComparisonResult& comparison);

/// The variants whose ops mostly wait for their procs, so that the procs are compared more than the storage; "" when
/// there are none.
std::string busy_procs_text(const ComparisonResult& comparison);

/// The variants whose last runs warmed up for longer than was asked for or measured a second window, so that they were
/// measured later after their start than the others; "" when there are none.
std::string later_windows_text(const ComparisonResult& comparison);

}  // namespace edagen
