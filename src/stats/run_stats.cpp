#include "edagen/run_stats.hpp"

#include <algorithm>

namespace edagen {

void GroupStats::add_proc(std::optional<double> ops_per_sec, std::uint64_t due_ops, std::uint64_t ended) {
  ++procs;
  if (!ops_per_sec) return;
  requested_ops_per_sec = requested_ops_per_sec.value_or(0) + *ops_per_sec;
  due += due_ops;
  if (due_ops == 0) return;
  // The op that is in flight when the window ends is no sign of a proc that is too slow.
  least_proc_share = std::min(least_proc_share, static_cast<double>(ended + 1) / static_cast<double>(due_ops));
}

}  // namespace edagen
