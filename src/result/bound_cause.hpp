// Why the rate of an answer is a lower bound, as finely as there are remedies.
#pragma once

#include <vector>

#include "edagen/result.hpp"

namespace edagen {

/// `answer` has a limit.
BoundCause bound_cause(const Result& result, const AnswerFigures& answer);

/// Why answers of the result are `target_not_reached`, each cause once; empty: none is.
std::vector<BoundCause> bound_causes(const Result& result);

}  // namespace edagen
