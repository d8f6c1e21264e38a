// How the variants of a comparison alternate: in slices, where all can be up at once and none disturbs another.
#pragma once

#include "compare/slice_series.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// The slices of a comparison, which must not end before they do.
SlicePlan slice_plan(const ComparisonPlan& plan);

/// The time of all load of a comparison by slices.
Nanos sliced_time(const ComparisonPlan& plan);

/// The first lines of a comparison's plan: what is compared and how, for how long, and what the variants share.
std::string comparison_head(const ComparisonPlan& plan, const AlternationFigures& alternation);

/// Looks at the directories and changes nothing. `several_hosts`: they make each load together. Throws Error (usage)
/// when slices are required and not possible.
AlternationFigures alternation_of(const ComparisonPlan& plan, bool several_hosts);

}  // namespace edagen
