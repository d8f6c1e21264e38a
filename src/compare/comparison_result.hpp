// How runs become a comparison.
#pragma once

#include "edagen/comparison_result.hpp"

namespace edagen {

/// `at_target`: of the rate at the (first) latency target; else of the last load point. `repeat` stays 1.
RunFigures run_figures(const Result& result, bool at_target);

VariantRun variant_run(const Result& result);

/// Adds a variant with its means, and compares all with the first that has runs, repeat by repeat.
void add_variant(ComparisonResult& comparison, std::string name, std::string what, std::vector<RunFigures> runs,
                 const std::optional<StalenessFigures>& staleness = {}, const std::optional<std::string>& refused = {},
                 std::optional<VariantRun> last_run = {});

}  // namespace edagen
