// Whether a run has the procs for the mix of its workload.
#pragma once

#include <string>

#include "edagen/workload.hpp"

namespace edagen {

/// In a line, that so many procs of a client are no whole job sets and make another mix of kinds of procs: a kind has
/// none, or its share of the ops is more than 5 points off. "" when they make the workload's.
std::string mix_warning(const WorkloadSpec& workload, std::uint64_t procs_per_client);

}  // namespace edagen
