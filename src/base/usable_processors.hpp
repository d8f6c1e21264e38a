// The processors on which this process may run: those of the host, unless taskset(1), a cpuset of a container or a
// batch system allows fewer.
#pragma once

#include <cstddef>
#include <vector>

namespace edagen {

/// Their numbers, ascending; empty when they are not known.
std::vector<std::size_t> usable_processors();
/// How many there are, at least one.
std::size_t usable_processor_count();

}  // namespace edagen
