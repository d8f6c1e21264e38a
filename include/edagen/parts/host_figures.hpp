// How each of several hosts did that made a load together.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "edagen/clock.hpp"
#include "edagen/parts/fields.hpp"

namespace edagen {

using ErrorCounts = std::map<std::string, std::uint64_t>;  ///< ops by errno name
inline constexpr FieldRule error_counts_rule = {.least = 1, .about = "ops that failed, by errno name"};

/// By the names of errors.
ErrorCounts error_counts(const std::map<int, std::uint64_t>& errors);

/// What the NFS client of one host counted in the window, all mounts of the run together.
struct HostNfsFigures {
  double requests = 0, retransmissions = 0, timeouts = 0;
  double rpcs_per_op = 0;
  double rpcs_in_flight = 0, rpcs_waiting = 0, rpc_slots = 0;
  Millis round_trip{0}, queue{0}, execute{0};  ///< means of an RPC
};
void fields(auto&& visit, Is<HostNfsFigures> auto& nfs) {
  visit("requests", nfs.requests, {.exact = true});
  visit("retransmissions", nfs.retransmissions, {.exact = true});
  visit("timeouts", nfs.timeouts, {.exact = true});
  visit("rpcs_per_op", nfs.rpcs_per_op);
  visit("rpcs_in_flight", nfs.rpcs_in_flight);
  visit("rpcs_waiting", nfs.rpcs_waiting,
        later("mean number of RPCs that have no slot yet or wait for their connection"));
  visit("rpc_slots", nfs.rpc_slots, {.exact = true});
  visit("round_trip_ms", nfs.round_trip);
  visit("queue_ms", nfs.queue);
  visit("execute_ms", nfs.execute);
}

/// How much of the processors of the host that made a load was used.
struct HostUse {
  double cpu_cores_used = 0;   ///< by edagen
  double host_busy = 0;        ///< as PointFigures::host_busy
  double throttled_share = 0;  ///< as PointFigures::throttled_share
  bool real_time_refused = false;
};
void fields(auto&& visit, Is<HostUse> auto& use) {
  visit("cpu_cores_used", use.cpu_cores_used);
  visit("host_busy", use.host_busy,
        {.most = 1, .about = "share of the host's processors that edagen may use that was busy, whoever used them"});
  visit("throttled_share", use.throttled_share,
        {.added_later = true,
         .most = 1,
         .about = "share of the time in which the limit of processors of edagen's container held it up"});
  visit("real_time_refused", use.real_time_refused,
        later("whether the system refused threads of edagen real-time priority"));
}

struct HostFigures {
  std::string name;
  std::uint64_t rank = 0, clients = 0;  ///< clients that the load point has at work there
  std::uint64_t operations = 0;
  double achieved_ops_per_sec = 0;
  Millis response_mean{0}, service_mean{0}, lag_mean{0}, generator_lag_mean{0};
  ErrorCounts errors;
  double cpu_cores_used = 0;
  double host_busy = 0;  ///< as PointFigures::host_busy
  Millis start_late{0}, first_op{0}, clock_uncertainty{0};
  std::optional<HostNfsFigures> nfs;
};
void fields(auto&& visit, Is<HostFigures> auto& host) {
  visit("name", host.name);
  visit("rank", host.rank);
  visit("clients", host.clients);
  visit("operations", host.operations);
  visit("achieved_ops_per_sec", host.achieved_ops_per_sec);
  visit("response_mean_ms", host.response_mean);
  visit("service_mean_ms", host.service_mean);
  visit("lag_mean_ms", host.lag_mean);
  visit("generator_lag_mean_ms", host.generator_lag_mean);
  visit("errors", host.errors, error_counts_rule);
  visit("cpu_cores_used", host.cpu_cores_used);
  visit("host_busy", host.host_busy);
  visit("start_late_ms", host.start_late, {.about = "how late the load began after the time that was agreed on"});
  visit("first_op_ms", host.first_op, {.about = "actual start of the first op, after that time"});
  visit("clock_uncertainty_ms", host.clock_uncertainty,
        {.about = "how well the host's clock is known against rank 0's"});
  visit("nfs", host.nfs, later("what the host's NFS client counted in the window, all mounts together"));
}

}  // namespace edagen
