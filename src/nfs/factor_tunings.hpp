// Tunings that are the combinations of factors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "edagen/tuning.hpp"

namespace edagen {

/// A factor by this name is the sysctls of published EDA results; one that begins with "read_ahead_kib=" is the
/// read-ahead; all others are mount options.
inline constexpr const char* sysctls_factor = "sysctls";

/// The tuning of each combination, in which bit i stands for factor i: `base`, and on top of it the options of the
/// factors that are in force, which replace those of the same name. Its name is made of theirs; "base" without any.
/// Throws Error (usage) as load_tunings(), and when two factors would set the same.
std::vector<Tuning> factor_tunings(const std::string& base, const std::vector<std::string>& factors,
                                   const std::vector<std::uint32_t>& combinations);

}  // namespace edagen
