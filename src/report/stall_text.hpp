// Parts of a load in which ops waited for something that had stopped, the storage or this host: repeats, and times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/result.hpp"

namespace edagen {

/// Whether ops of one of `repeats` of a load waited many times as long as those of most of them, by mean responses;
/// never of two repeats, which do not show what is usual.
bool is_stall(Millis response, Millis median, std::size_t repeats);

/// "  INVALID: repeat 7 stalled (REASONS): mean response ...", a line. Without `reasons` it is not INVALID. `others`:
/// the median of the other repeats; `more`: further figures, behind them.
std::string stall_text(const std::string& name, const std::vector<Invalid>& reasons, Millis response, Millis others,
                       const std::string& more = "");

/// A time of the window that has most of the responses' sum.
struct StalledTime {
  Seconds begins{0}, length{0};  ///< of the window; the longest response among the ops that ended first
  double share = 0;              ///< of the sum of all responses
};
/// nullopt: none of a quarter of the window or less, or ops beside it waited as long. There have to be 4 intervals.
std::optional<StalledTime> stalled_time(const PointFigures& point);

constexpr const char* stall_remedy = "look at what stopped the storage or this host then, or measure again";
constexpr const char* stall_may_be_why = "a stall, which is named below, may be why";

/// "  97 % of all waiting comes from one stall: it began about 4 s into the window ...", a line; "" without one.
std::string stalled_time_line(const PointFigures& point);

}  // namespace edagen
