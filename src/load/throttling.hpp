// Whether the limit of processors of a container (a control group) holds this process up.
#pragma once

#include <string>

#include "edagen/clock.hpp"

namespace edagen {

/// The time for which the control group of this process, or a group above it, had used up its share of the processors
/// (cgroups(7), cpu.stat), since that group was made. The group with the most time counts. Zero when nothing can be
/// read. `cgroups` and `mounts` are the texts of /proc/self/cgroup and /proc/self/mountinfo.
Nanos throttled_time(const std::string& cgroups, const std::string& mounts);
Nanos throttled_time();

}  // namespace edagen
