// What makes two plans the same measurement, part by part in words, so that a result that was kept is not taken for one
// of another plan.
#pragma once

#include <vector>

#include "edagen/run_plan.hpp"
#include "nfs/mount_info.hpp"
#include "session/identity_difference.hpp"

namespace edagen {

/// `mounts`: those of the plan's directories, in their order. Directories are named as they were given, since {host} in
/// a path stands for another one on each host. What words do not say in full ends in a digest of it. Outputs, and what
/// becomes of the dataset afterwards, are no part of it.
PlanIdentity plan_identity(const RunPlan& plan, const std::vector<MountDirectory>& mounts);

}  // namespace edagen
