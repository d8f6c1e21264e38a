#include "session/first_op_spread.hpp"

#include <algorithm>

namespace edagen {

std::optional<FirstOpSpread> first_op_spread(const std::vector<HostStats>& hosts) {
  Millis earliest = Millis::max(), earliest_possible = Millis::max(), latest{0}, latest_possible{0};
  std::size_t begun = 0;
  for (const HostStats& host : hosts) {
    if (host.first_op == Millis(0)) continue;
    ++begun;
    earliest = std::min(earliest, host.first_op);
    latest = std::max(latest, host.first_op);
    earliest_possible = std::min(earliest_possible, host.first_op - host.clock_uncertainty);
    latest_possible = std::max(latest_possible, host.first_op + host.clock_uncertainty);
  }
  if (begun < 2) return std::nullopt;
  const Millis spread = latest - earliest;
  return FirstOpSpread{spread, latest_possible - earliest_possible - spread};
}

}  // namespace edagen
