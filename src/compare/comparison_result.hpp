// Makes comparisons of runs.
#pragma once

#include "edagen/comparison_result.hpp"

namespace edagen {

/// The figures of a run: with `at_target` those of the rate at the (first) latency target, else those of the last load
/// point. `repeat` stays 1.
RunFigures run_figures(const Result& result, bool at_target);

VariantRun variant_run(const Result& result);

/// Adds a variant with its means, and compares all variants with the first that has runs, repeat by repeat. `factors`:
/// those of the comparison that are in force. Slices that were held against a latency target get the rates that they
/// show at it.
void add_variant(ComparisonResult& comparison, std::string name, std::string what, std::vector<RunFigures> runs,
                 const std::optional<StalenessFigures>& staleness = {}, const std::optional<std::string>& refused = {},
                 std::optional<VariantRun> last_run = {}, std::vector<std::string> factors = {});

}  // namespace edagen
