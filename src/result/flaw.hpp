// What a reason of invalidity means for the figures beside it. Code that treats some reasons differently goes by their
// flaw, so that a new reason is judged everywhere by its line here.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "edagen/parts/result_enums.hpp"

namespace edagen {

enum class Flaw {
  empty,      ///< there are no figures
  overload,   ///< more was asked for than the storage, or the procs, can do
  uneven,     ///< procs, or kinds of procs, had other shares of the load than they should have
  generator,  ///< edagen was late: delays are not the storage's
  unsteady,   ///< another window would have another latency
  errors,     ///< the figures are of the ops that did not fail
  cut_short,  ///< the load could not go on
  bound,      ///< the rate at the target is beyond the loads that were measured
  scatter     ///< the answer may lie beside its interval, or the interval is wide
};

constexpr Flaw flaw_of(Invalid reason) {
  switch (reason) {
    case Invalid::nothing_measured: return Flaw::empty;
    case Invalid::achieved_rate_low:
    case Invalid::ops_outstanding: return Flaw::overload;
    case Invalid::proc_rate_low:
    case Invalid::mix_off: return Flaw::uneven;
    case Invalid::generator_limited:
    case Invalid::generator_paused: return Flaw::generator;
    case Invalid::unsteady:
    case Invalid::window_short: return Flaw::unsteady;
    case Invalid::errors: return Flaw::errors;
    case Invalid::stuck_ops:
    case Invalid::too_many_errors:
    case Invalid::interrupted: return Flaw::cut_short;
    case Invalid::no_load_meets_target:
    case Invalid::target_not_reached: return Flaw::bound;
    case Invalid::not_demonstrated:
    case Invalid::imprecise: break;
  }
  return Flaw::scatter;
}

constexpr bool is_one_of(Flaw flaw, std::initializer_list<Flaw> flaws) {
  return std::ranges::find(flaws, flaw) != flaws.end();
}

/// One of the reasons is such a flaw.
constexpr bool has_flaw(const std::vector<Invalid>& reasons, std::initializer_list<Flaw> flaws) {
  return std::ranges::any_of(reasons, [&](Invalid reason) { return is_one_of(flaw_of(reason), flaws); });
}

}  // namespace edagen
