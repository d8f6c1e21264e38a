// Where a night may write.
#pragma once

#include "base/stuck_watch.hpp"
#include "nightly/night_plan.hpp"

namespace edagen {

/// Throws Error (usage) when an output cannot be written or would replace what is kept, and when it or the history lies
/// in a dataset of a volume of the night, there or not yet. Leaves nothing behind; without `touching` nothing is made.
void check_night_places(const NightPlan& plan, StuckWatch& watch, bool touching = true);

}  // namespace edagen
