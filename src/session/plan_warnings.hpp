// What a plan and its result warn of: that a run would measure this host's memory, or lacks the procs for the mix of
// its workload.
#pragma once

#include <string>

#include "edagen/result.hpp"
#include "edagen/units.hpp"
#include "edagen/workload.hpp"

namespace edagen {

/// In a line, that a dataset of so many bytes on this host fits in its page cache, and that I/O goes through it; ""
/// when it does not, caches are dropped before, or nothing is read or written. `what`: the dataset, or a part of it.
std::string cache_warning(Bytes dataset, Bytes free_memory, const IoFigures& io, const std::string& what = "dataset");

/// What the kernel of this host can give to its page cache; 0: it does not say.
Bytes free_memory();
/// The same of the text of /proc/meminfo.
Bytes free_memory_of(const std::string& meminfo);

/// In a line, that so many procs of a client are no whole job sets and make another mix of kinds of procs: a kind has
/// none, or its share of the ops is more than 5 points off. "" when they make the workload's.
std::string mix_warning(const WorkloadSpec& workload, std::uint64_t procs_per_client);

}  // namespace edagen
