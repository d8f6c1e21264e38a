#include "edagen/run_stats.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

ErrorCounts error_counts(const std::map<int, std::uint64_t>& errors) {
  ErrorCounts counts;
  for (const auto& [error, count] : errors) counts[std::string(error_name(error))] = count;
  return counts;
}

HostInterval HostInterval::of(std::string name, Nanos length, const IntervalStats& seen) {
  HostInterval host{
      .name = std::move(name),
      .length = length,
      .counts = {seen.ops.operations(), seen.ops.error_count(), seen.ops.bytes_read() + seen.ops.bytes_written()}};
  // The means are made of sums, not of histograms, because many hosts are merged in each interval.
  double response = 0;
  std::uint64_t timed = 0;
  for (const OpKind kind : all_op_kinds()) {
    const LatencyHistogram& of_kind = seen.ops.of(kind).response();
    response += of_kind.total();
    timed += of_kind.count();
  }
  if (timed > 0) host.response_mean = NanosF(response / static_cast<double>(timed));
  if (seen.generator_lag.count() > 0) host.generator_lag_mean = NanosF(seen.generator_lag.mean());
  return host;
}

void IntervalStats::clear() {
  ops.clear();
  generator_lag.clear();
  std::fill(group_operations.begin(), group_operations.end(), 0);
  std::fill(group_waits.begin(), group_waits.end(), ProcWaits());
  for (ClientStats& client : clients) client.clear();
  hosts.clear();
}

void IntervalStats::merge(const IntervalStats& other) {
  ops.merge(other.ops);
  generator_lag.merge(other.generator_lag);
  for (std::size_t i = 0; i < group_operations.size(); ++i) group_operations[i] += other.group_operations[i];
  for (std::size_t i = 0; i < group_waits.size(); ++i) group_waits[i].merge(other.group_waits[i]);
  merge_clients(clients, other.clients);
}

void GroupStats::add_proc(std::optional<double> ops_per_sec, std::uint64_t due_ops, std::uint64_t ended) {
  ++procs;
  if (!ops_per_sec) return;
  requested_ops_per_sec = requested_ops_per_sec.value_or(0) + *ops_per_sec;
  due += due_ops;
  if (due_ops == 0) return;
  // Among thousands of procs with few ops each, some have several ops in flight at the end of the window by chance. A
  // missing number of one standard deviation plus one is no sign of a slow proc.
  const auto due_count = static_cast<double>(due_ops);
  const double slack = 1 + std::sqrt(due_count);
  least_proc_share = std::min(least_proc_share, (static_cast<double>(ended) + slack) / due_count);
}

}  // namespace edagen
