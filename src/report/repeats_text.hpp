// The figure of each repeat of a comparison, so that its spread is seen.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// A row for each variant with its repeats in their order, of many the lowest, the median and the highest; "" of single
/// runs. `target`: " at 2 ms", or "" where the response at a rate is compared.
std::string repeats_text(const ComparisonResult& comparison, const std::string& target);

}  // namespace edagen
