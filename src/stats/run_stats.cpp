#include "edagen/run_stats.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

double window_slack(double expected_ops, bool random_arrivals) {
  return 1 + (random_arrivals ? 3 * std::sqrt(expected_ops) : 0);
}

void GroupStats::add_proc(std::optional<double> ops_per_sec, std::uint64_t completed, Nanos length,
                          bool random_arrivals) {
  ++procs;
  if (!ops_per_sec) return;
  requested_ops_per_sec = requested_ops_per_sec.value_or(0) + *ops_per_sec;
  const double expected = *ops_per_sec * to_seconds(length);
  if (expected <= 0) return;
  const double done = static_cast<double>(completed) + window_slack(expected, random_arrivals);
  least_proc_share = std::min(least_proc_share, done / expected);
}

}  // namespace edagen
