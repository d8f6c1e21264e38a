// A curve as a plot of characters.
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// Latency over achieved rate, on linear axes from 0: the line of the curve, or the blocks of a search that has no
/// line, and the loads of tables beside it. Empty when there is nothing to draw.
std::string curve_plot(const Result& result, const std::vector<LoadTable>& beside);

}  // namespace edagen
