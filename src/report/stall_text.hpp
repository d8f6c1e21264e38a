// Repeats of a load of which one waited for something that had stopped, the storage or this host.
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"

namespace edagen {

/// Whether ops of one of `repeats` of a load waited many times as long as those of most of them, by mean responses;
/// never of two repeats, which do not show what is usual.
bool is_stall(Millis response, Millis median, std::size_t repeats);

/// "  INVALID: repeat 7 stalled (REASONS): mean response ...", a line. `others`: the median of the other repeats;
/// `more`: further figures, behind them.
std::string stall_text(const std::string& name, const std::vector<Invalid>& reasons, Millis response, Millis others,
                       const std::string& more = "");

}  // namespace edagen
