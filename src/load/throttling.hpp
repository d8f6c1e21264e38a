// Whether the limit of processors of a container (a control group) holds this process up.
#pragma once

#include <map>
#include <string>

#include "edagen/clock.hpp"

namespace edagen {

using ThrottledTimes = std::map<std::string, Nanos>;  ///< by directory of a control group

/// The times for which the control group of this process, and the groups above it, had used up their shares of the
/// processors (cgroups(7), cpu.stat), each since the group was made. Empty when nothing can be read. `cgroups` and
/// `mounts` are the texts of /proc/self/cgroup and /proc/self/mountinfo.
ThrottledTimes throttled_times(const std::string& cgroups, const std::string& mounts);
ThrottledTimes throttled_times();

/// The longest time for which one of the groups was held up between two readings. A group above may have been held up
/// for longer before them, by other processes.
Nanos most_throttled(const ThrottledTimes& before, const ThrottledTimes& after);

}  // namespace edagen
