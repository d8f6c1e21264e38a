// What a night would do, for people.
#pragma once

#include <string>

#include "edagen/session.hpp"
#include "nightly/night_plan.hpp"

namespace edagen {

/// The loads, limits, outputs and hook of a night, and how long it takes. Reads the volumes and the history, and
/// changes nothing. Throws Error (usage) when a measurement could not be run or an output not be written.
std::string night_text(const NightPlan& plan, const EventSink& emit);

}  // namespace edagen
