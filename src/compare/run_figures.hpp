// The figures of a run by which variants are compared.
#pragma once

#include "edagen/comparison_result.hpp"

namespace edagen {

inline double rate_of(const RunFigures& run) { return run.ops_per_sec; }
inline double mib_of(const RunFigures& run) { return run.mib_per_sec; }
inline double response_of(const RunFigures& run) { return run.response.count(); }
inline double rpcs_of(const RunFigures& run) { return run.rpcs_per_op; }

}  // namespace edagen
