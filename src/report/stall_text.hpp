// What is printed of loads in which ops waited for something that had stopped (result/stall.hpp).
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "result/stall.hpp"

namespace edagen {

/// "  INVALID: repeat 7 stalled (REASONS): mean response ...", a line. Without `reasons` it is not INVALID. `others`:
/// the median of the other repeats; `more`: further figures, behind them.
std::string stall_text(const std::string& name, const std::vector<Invalid>& reasons, Millis response, Millis others,
                       const std::string& more = "");

constexpr const char* stall_remedy = "look at what stopped the storage or this host then, or measure again";
constexpr const char* stall_may_be_why = "a stall, which is named below, may be why";

/// "  97 % of all waiting comes from one stall: it began about 4 s into the window ...", a line; "" without one.
std::string stalled_time_line(const PointFigures& point);

}  // namespace edagen
