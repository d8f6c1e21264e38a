// Why the rate of an answer is a lower bound, as finely as there are remedies.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "edagen/result.hpp"

namespace edagen {

enum class BoundCause {
  max_rate,     ///< the latency was still below the target at the highest rate that the search may try
  points,       ///< the same at the highest load point that was asked for
  job_sets,     ///< the same with all job sets at work
  procs,        ///< RateLimit::procs
  search_time,  ///< the search ended before it tried a higher rate
  early_end,    ///< the run was ended before a higher rate was measured
  host          ///< RateLimit::host
};
template <>
inline constexpr std::array<std::string_view, 7> enum_names<BoundCause>{"max_rate",    "points",    "job_sets", "procs",
                                                                        "search_time", "early_end", "host"};

/// `answer` has a limit.
BoundCause bound_cause(const Result& result, const AnswerFigures& answer);

/// Why answers of the result are `target_not_reached`, each cause once; empty: none is.
std::vector<BoundCause> bound_causes(const Result& result);

}  // namespace edagen
