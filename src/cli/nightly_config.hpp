// The configuration file of nightly (workloads/schema/nightly.schema.json).
#pragma once

#include <string>

#include "nightly/night_plan.hpp"

namespace edagen {

/// The plan that a file holds; the words of its loads are checked as those of a command line. Throws Error (usage) that
/// names the file and the place in it.
NightPlan read_night_plan(const std::string& file, const std::vector<std::string>& command);

}  // namespace edagen
