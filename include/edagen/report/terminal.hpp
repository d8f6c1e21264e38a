// What a person reads in a terminal, made from the result document.
#pragma once

#include <string>

#include "edagen/report/result_document.hpp"

namespace edagen {

/// "One load point": per-op table, latencies, validity, and the answer in the form people quote as the last lines.
std::string run_text(const Document& result);

}  // namespace edagen
