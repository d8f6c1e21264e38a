// How far apart the hosts of a load begin.
#pragma once

#include <optional>
#include <vector>

#include "edagen/run_stats.hpp"

namespace edagen {

struct FirstOpSpread {
  Millis spread{0};       ///< the latest first op of a host after the earliest one, by the leader's clock
  Millis uncertainty{0};  ///< what is not known of the hosts' clocks adds or takes away that at most
};

/// nullopt: fewer than two of them have had an op, or it took no time, as on simulated volumes.
std::optional<FirstOpSpread> first_op_spread(const std::vector<HostStats>& hosts);

}  // namespace edagen
