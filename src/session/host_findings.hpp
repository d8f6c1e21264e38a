// Which of several hosts is unlike the others, and how far apart they begin.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/run_stats.hpp"

namespace edagen {

/// A line for each host that is slower than the median of all by so much that its clients, procs and chance do not
/// explain it, or that alone has errors.
std::vector<std::string> host_findings(const std::vector<HostStats>& hosts);

/// A line for each host whose pauses make a load point invalid (generator_paused), or for the one with the longest
/// where they are shorter than that.
std::vector<std::string> pause_findings(const std::vector<HostStats>& hosts);

/// The one with the most errors, for a load that was ended for them; nullopt: none has any.
std::optional<std::string> host_of_most_errors(const std::vector<HostStats>& hosts);

/// How far apart the hosts of a load begin.
struct FirstOpSpread {
  Millis spread{0};       ///< the latest first op of a host after the earliest one, by the leader's clock
  Millis uncertainty{0};  ///< what is not known of the hosts' clocks adds or takes away that at most
};

/// nullopt: fewer than two of them have had an op, or it took no time, as on simulated volumes.
std::optional<FirstOpSpread> first_op_spread(const std::vector<HostStats>& hosts);

}  // namespace edagen
