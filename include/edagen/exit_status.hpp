// The exit status of a process that carried out a plan.
#pragma once

#include "edagen/comparison_result.hpp"

namespace edagen {

namespace exit_status {
inline constexpr int done = 0;
inline constexpr int run_failed = 1;  ///< I/O errors, nothing measured
inline constexpr int usage = 2;       ///< usage or a bad file; nothing was touched
inline constexpr int regression = 3;  ///< check and nightly alone
inline constexpr int target_not_met = 4;
inline constexpr int invalid = 5;      ///< measured, but a load point is invalid
inline constexpr int cannot_tell = 6;  ///< check and nightly alone: no verdict at the requested limit
inline constexpr int interrupted = 130;
}  // namespace exit_status
int exit_status_of(const Result& result);
int exit_status_of(const ComparisonResult& result);

}  // namespace edagen
