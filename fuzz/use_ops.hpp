#pragma once

#include "edagen/workload.hpp"

namespace edagen::fuzz {

/// Plans the files of a workload and draws ops of each kind of its procs. Throws std::logic_error for an op that has no
/// place or size.
void use_ops(const WorkloadSpec& workload);

}  // namespace edagen::fuzz
