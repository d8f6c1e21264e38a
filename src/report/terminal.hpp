// What a person reads in a terminal, made from the result document.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

/// One load point: per-op table, latencies, validity. A curve: its points, a plot. The last lines are the answer in the
/// form people quote it.
std::string result_text(const Result& result);

}  // namespace edagen
