// Whether a load point may be believed.
#pragma once

#include <vector>

#include "edagen/core/named_enum.hpp"
#include "edagen/stats/run_stats.hpp"

namespace edagen {

/// Why a load point, or an answer that rests on one, is invalid. Of the rules of SPECstorage Solution 2020 (Run and
/// Reporting Rules v1.7): all procs together reach 95 % of the requested rate (achieved_rate_low), each 75 % of its own
/// (proc_rate_low), and each kind of proc keeps its share of the ops within 5 points (mix_off).
enum class Invalid {
  nothing_measured,
  achieved_rate_low,
  proc_rate_low,
  mix_off,
  generator_limited,     ///< by more than generator_lag_limit_ns()
  unsteady,              ///< the intervals trend
  errors,
  stuck_ops,             ///< some had not returned at the end
  too_many_errors,       ///< the run was ended for them
  interrupted,
  no_load_meets_target,  ///< of a search alone
  target_not_reached     ///< of a search alone: the rate is a lower bound
};
template <>
inline constexpr std::array<std::string_view, 12> enum_names<Invalid>{
    "nothing_measured", "achieved_rate_low", "proc_rate_low", "mix_off", "generator_limited", "unsteady",
    "errors", "stuck_ops", "too_many_errors", "interrupted", "no_load_meets_target", "target_not_reached"};

/// Why the point is invalid; empty when it is valid.
std::vector<Invalid> invalid_reasons(const RunStats& stats);

/// The generator's own delay that a point may have: 100 microseconds, or 10 % of the mean response if that is more.
double generator_lag_limit_ns(const RunStats& stats);

}  // namespace edagen
