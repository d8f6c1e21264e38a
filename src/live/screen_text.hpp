// What a screen shows of a session while its load is made.
#pragma once

#include <string>
#include <vector>

#include "live/live_run.hpp"

namespace edagen {

/// What the lower part lists. Without several hosts it lists kinds of op instead of them.
enum class ScreenView { ops, mounts, clients, hosts };
/// Until a key chooses one: hosts, where there are several.
ScreenView first_view(const LiveState& state);
/// The one that follows, of those that there are.
ScreenView view_after(ScreenView view, const LiveState& state);

struct ScreenSize {
  std::size_t columns = 80, rows = 24;
};

/// At most so many lines of at most so many columns, without line ends. `blocks`: the terminal shows block elements
/// (U+2581 to U+2588). `keys`: keys are read, and named.
std::vector<std::string> screen_lines(const LiveState& state, ScreenView view, ScreenSize size, TimePoint at,
                                      bool blocks, bool keys);

/// "▁▃█" or ".+#": `values` (negative: none) as columns, the highest of them full.
std::string history_text(const std::vector<double>& values, bool blocks);

}  // namespace edagen
