// Load points as comma-separated values, in the columns known from published results.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// A head and one line for each load point (RFC 4180).
std::string csv_text(const Result& result);

/// A head and one line for each run of each variant.
std::string csv_text(const ComparisonResult& comparison);

}  // namespace edagen
