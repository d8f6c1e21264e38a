// What must be equal before two runs are compared.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "nights/night.hpp"

namespace edagen {

/// The plan part by part, the kernel, the mounts as they were, and edagen's version as far as what is measured may
/// differ with it: the first two numbers. The keys are comparable_keys().
Comparable comparable_parts(const Result& result);

/// Parts that differ, "kernel '6.1' is '6.8' now", but for `allowed`; `mount` allows the options of all mounts. Empty:
/// none.
std::string difference_in_words(const Comparable& before, const Comparable& now,
                                const std::vector<std::string>& allowed);
/// Of the reference's, too.
std::string difference_in_words(const NightMeasurement& before, const NightMeasurement& now,
                                const std::vector<std::string>& allowed);
/// The keys that allow what difference_in_words() tells of, each once.
std::set<std::string> differing_keys(const NightMeasurement& before, const NightMeasurement& now,
                                     const std::vector<std::string>& allowed);

/// The parts' names, by which a gate is told what may differ.
const std::vector<std::string>& comparable_keys();

}  // namespace edagen
