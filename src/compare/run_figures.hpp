// The figures of a run by which variants are compared.
#pragma once

#include <algorithm>

#include "edagen/comparison_result.hpp"
#include "result/flaw.hpp"

namespace edagen {

inline double rate_of(const RunFigures& run) { return run.ops_per_sec; }
inline double mib_of(const RunFigures& run) { return run.mib_per_sec; }
inline double response_of(const RunFigures& run) { return run.response.count(); }
inline double rpcs_of(const RunFigures& run) { return run.rpcs_per_op; }

/// An answer that is imprecise or not demonstrated scatters more, and the interval of the repeats has that scatter.
inline bool is_usable(const RunFigures& run) {
  return std::ranges::all_of(run.invalid, [](Invalid reason) { return flaw_of(reason) == Flaw::scatter; });
}

/// Delays of this host and a queue that is not steady change latencies, and not what an op costs in RPCs.
inline bool has_usable_counts(const RunFigures& run) {
  return std::ranges::all_of(run.invalid, [](Invalid reason) {
    return is_one_of(flaw_of(reason), {Flaw::generator, Flaw::unsteady, Flaw::scatter});
  });
}

/// Mean error of the logarithm of the ratio of two searches' answers, measured on stations whose curve is flat at the
/// target (docs/design/search.md).
inline constexpr double bias_of_answers = 0.01;

}  // namespace edagen
