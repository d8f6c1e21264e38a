#include "edagen/run_stats.hpp"

#include <algorithm>

namespace edagen {

void IntervalStats::clear() {
  ops.clear();
  generator_lag.clear();
  std::fill(group_operations.begin(), group_operations.end(), 0);
  std::fill(clients.begin(), clients.end(), ClientCounts());
}

void IntervalStats::merge(const IntervalStats& other) {
  ops.merge(other.ops);
  generator_lag.merge(other.generator_lag);
  for (std::size_t i = 0; i < group_operations.size(); ++i) group_operations[i] += other.group_operations[i];
  if (clients.size() < other.clients.size()) clients.resize(other.clients.size());
  for (std::size_t i = 0; i < other.clients.size(); ++i) clients[i].merge(other.clients[i]);
}

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
