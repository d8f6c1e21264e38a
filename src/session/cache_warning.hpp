// Whether a run would measure this host's memory.
#pragma once

#include <string>

#include "edagen/result.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// In a line, that a dataset of so many bytes on this host fits in its page cache, and that I/O goes through it; ""
/// when it does not, caches are dropped before, or nothing is read or written. `what`: the dataset, or a part of it.
std::string cache_warning(Bytes dataset, Bytes free_memory, const IoFigures& io, const std::string& what = "dataset");

/// What the kernel of this host can give to its page cache; 0: it does not say.
Bytes free_memory();
/// The same of the text of /proc/meminfo.
Bytes free_memory_of(const std::string& meminfo);

}  // namespace edagen
