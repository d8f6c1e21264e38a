// Reads what runs and comparisons have left.
#pragma once

#include <string>
#include <variant>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// As read_result(), and comparisons: a document, or a journal, whose runs that ended count. Throws Error (usage).
std::variant<Result, ComparisonResult> read_any_result(const std::string& path);

}  // namespace edagen
