// Which of several hosts is unlike the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/run_stats.hpp"

namespace edagen {

/// A line for each host that is slower than the median of all by so much that its clients, procs and chance do not
/// explain it, or that alone has errors.
std::vector<std::string> host_findings(const std::vector<HostStats>& hosts);

/// The one with the most errors, for a load that was ended for them; nullopt: none has any.
std::optional<std::string> host_of_most_errors(const std::vector<HostStats>& hosts);

}  // namespace edagen
