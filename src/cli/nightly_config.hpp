// The configuration file of nightly (workloads/schema/nightly.schema.json).
#pragma once

#include <string>

#include "cli/gate_options.hpp"
#include "nightly/night_plan.hpp"

namespace edagen {

/// The plan that a file holds; the words of its loads are checked as those of a command line. Throws Error (usage) that
/// names the file and the place in it. Paths in it are relative to its directory. `typed`: outputs in place of those of
/// the file.
NightPlan read_night_plan(const std::string& file, const std::vector<std::string>& command,
                          const VerdictOutputs& typed = {});

}  // namespace edagen
