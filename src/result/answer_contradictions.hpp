// Figures of an answer of a curve that cannot all be true.
#pragma once

#include <string>

#include "result/json_fields.hpp"

namespace edagen {

/// Says what contradicts itself in one of `result`'s at_latency_target; empty: nothing. `result`: a result or a
/// variant's last run, in which load points have fewer figures, or the end of a journal, which has none of them.
std::string contradiction_in_answer(const Document& answer, const Document& result);

}  // namespace edagen
