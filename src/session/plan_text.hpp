// A plan for people.
#pragma once

#include <string>

#include "session/run_site.hpp"

namespace edagen {

/// Of a run whose volume has been looked at.
std::string plan_text(const RunPlan& plan, const RunSite& site);
/// "search for the rate at the latency target; 5 s warm-up, 20 s measured at a full point"
std::string measurement_text(const RunPlan& plan);
/// What a volume is, in a line: "/mnt/a", "sim:regular", "nconnect=16".
std::string volume_text(const Volume& volume);

}  // namespace edagen
