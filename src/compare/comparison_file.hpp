// Reads documents and journals of runs and comparisons.
#pragma once

#include <string>
#include <variant>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// Like read_result(), and also for comparisons: reads a document, or a journal, in which ended runs count. Throws
/// Error (usage).
std::variant<Result, ComparisonResult> read_any_result(const std::string& path);

}  // namespace edagen
