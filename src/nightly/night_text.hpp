// What a night would do, for people.
#pragma once

#include <string>

#include "edagen/session.hpp"
#include "nightly/night_plan.hpp"

namespace edagen {

/// Its loads, limits, outputs and hook, and how long it takes. Looks at the volumes and the history, and changes
/// nothing. Throws Error (usage) when a measurement could not be run
/// or an output not be written.
std::string night_text(const NightPlan& plan, const EventSink& emit);

/// Of one run of it in real time, without its dataset; of a search the longest.
Nanos measuring_time(const RunPlan& plan);

}  // namespace edagen
