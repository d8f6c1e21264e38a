// What is sent of a load: what it is, what was seen of it.
#pragma once

#include "edagen/load_runner.hpp"
#include "hosts/wire.hpp"
#include "load/measurement.hpp"

namespace edagen {

template <class T, class Of>
concept PartsOf = std::is_same_v<std::remove_const_t<T>, Of>;

void parts(auto& visit, PartsOf<LatencyHistogram> auto& histogram) { histogram.for_each_part(histogram, visit); }
void parts(auto& visit, PartsOf<OpKindStats> auto& stats) { stats.for_each_part(stats, visit); }
void parts(auto& visit, PartsOf<OpStats> auto& stats) { stats.for_each_part(stats, visit); }

/// Most clients are on other hosts: as counts of all, of which runs of zeros are one number.
struct CountsOfClients {
  std::vector<std::uint64_t> operations, errors, bytes;
};
void parts(auto& visit, PartsOf<CountsOfClients> auto& counts) {
  visit(counts.operations, counts.errors, counts.bytes);
}
inline CountsOfClients counts_of(const std::vector<ClientCounts>& clients) {
  CountsOfClients counts;
  for (const ClientCounts& client : clients) {
    counts.operations.push_back(client.operations);
    counts.errors.push_back(client.errors);
    counts.bytes.push_back(static_cast<std::uint64_t>(client.bytes));
  }
  return counts;
}
inline std::vector<ClientCounts> clients_of(const CountsOfClients& counts) {
  std::vector<ClientCounts> clients;
  for (std::size_t i = 0; i < counts.operations.size(); ++i)
    clients.push_back({counts.operations[i], counts.errors.at(i), static_cast<std::int64_t>(counts.bytes.at(i))});
  return clients;
}
void parts(auto& visit, PartsOf<ProcWaits> auto& waits) { visit(waits.total, waits.ops); }
void parts(auto& visit, PartsOf<IntervalStats> auto& stats) {
  visit(stats.ops, stats.generator_lag, stats.group_operations, stats.group_waits);
  CountsOfClients counts = counts_of(stats.clients);
  visit(counts);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(stats)>>) stats.clients = clients_of(counts);
}
void parts(auto& visit, PartsOf<LatencyStatistic> auto& statistic) { visit(statistic.percentile, statistic.service); }
void parts(auto&, PartsOf<ClosedLoop> auto&) {}
void parts(auto& visit, PartsOf<OpenLoop> auto& loop) {
  auto& [ops_per_sec, arrivals] = loop;
  visit(ops_per_sec, arrivals);
}
void parts(auto& visit, PartsOf<LoadPoint> auto& load) {
  auto& [rate, warmup, duration, interval, statistic, settle, settle_within, job_sets, clients, io_depth, read_percent,
         sync_after, drop_caches, stays_up] = load;
  visit(rate, warmup, duration, interval, statistic, settle, settle_within, job_sets, clients, io_depth, read_percent,
        sync_after, drop_caches, stays_up);
}
void parts(auto& visit, PartsOf<GroupStats> auto& group) {
  auto& [name, procs, requested, share, operations, due, least, paced, waits] = group;
  visit(name, procs, requested, share, operations, due, least, paced, waits);
}
void parts(auto& visit, PartsOf<HostNfs> auto& nfs) {
  auto& [requests, retransmissions, timeouts, in_flight, waiting, slots, round_trip, queue, execute] = nfs;
  visit(requests, retransmissions, timeouts, in_flight, waiting, slots, round_trip, queue, execute);
}
void parts(auto& visit, PartsOf<HostStats> auto& host) {
  auto& [name, rank, clients, portions, start_late, first_op, clock_uncertainty, operations, ops_per_sec, response_mean,
         service_mean, lag_mean, generator_lag_mean, errors, cpu_cores_used, host_busy, longest_pause, paused,
         throttled, nfs] = host;
  visit(name, rank, clients, portions, start_late, first_op, clock_uncertainty, operations, ops_per_sec, response_mean,
        service_mean, lag_mean, generator_lag_mean, errors, cpu_cores_used, host_busy, longest_pause, paused, throttled,
        nfs);
}

}  // namespace edagen
