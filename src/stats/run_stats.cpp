#include "edagen/stats/run_stats.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

void GroupStats::add_proc(double ops_per_sec, std::uint64_t completed, Nanos length, bool poisson) {
  ++procs;
  requested_ops_per_sec += ops_per_sec;
  const double expected = ops_per_sec * to_seconds(length);
  if (expected <= 0) return;
  const double slack = 1 + (poisson ? 3 * std::sqrt(expected) : 0);
  least_proc_share = std::min(least_proc_share, (static_cast<double>(completed) + slack) / expected);
}

}  // namespace edagen
