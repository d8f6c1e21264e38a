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

/// The parts that differ, but for `allowed`: "kernel '6.1' is '6.8' now". `mount` allows the options of all mounts.
/// Empty: no part differs.
std::string difference_in_words(const Comparable& before, const Comparable& now,
                                const std::vector<std::string>& allowed);
/// The same for a measurement and those of its references that both nights have measured.
std::string difference_in_words(const NightMeasurement& before, const NightMeasurement& now,
                                const std::vector<std::string>& allowed);
/// The keys that allow what difference_in_words() returns, each once.
std::set<std::string> differing_keys(const NightMeasurement& before, const NightMeasurement& now,
                                     const std::vector<std::string>& allowed);

/// The keys of Gate::allowed.
const std::vector<std::string>& comparable_keys();

}  // namespace edagen
