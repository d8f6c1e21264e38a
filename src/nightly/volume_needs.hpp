// What must be mounted before a volume is measured, so that an unmounted one is not mistaken for the disk below it.
#pragma once

#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/run_plan.hpp"
#include "nights/night.hpp"

namespace edagen {

struct VolumeNeeds {
  std::vector<std::string> mount_points;  ///< directories on which something must be mounted
  std::string fs;                         ///< type of the file system of each --mount; "nfs" is any version; empty: any
};

/// Throws Error (usage) that names what is not as it must be. `watch` names a call that hangs.
void check_needs(const VolumeNeeds& needs, const RunPlan& plan, StuckWatch& watch);

/// Which mounts are of another type or device now: "/mnt/a is on 'ext4 /dev/sda1' and was on 'nfs4 server:/a'"; empty:
/// none.
std::string moved_text(const Comparable& before, const Comparable& now);

}  // namespace edagen
