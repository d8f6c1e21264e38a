// The figures of a load point.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "edagen/op.hpp"
#include "edagen/parts/client_figures.hpp"
#include "edagen/parts/host_figures.hpp"
#include "edagen/parts/nfs_figures.hpp"
#include "edagen/parts/result_enums.hpp"
#include "edagen/run_stats.hpp"

namespace edagen {

struct LatencyFigures {
  Millis mean{0}, p50{0}, p90{0}, p95{0}, p99{0}, p99_9{0}, max{0};
};
void fields(auto&& visit, Is<LatencyFigures> auto& latency) {
  visit("mean", latency.mean);
  visit("p50", latency.p50);
  visit("p90", latency.p90);
  visit("p95", latency.p95);
  visit("p99", latency.p99);
  visit("p99_9", latency.p99_9);
  visit("max", latency.max);
}

struct Latencies {
  LatencyFigures response, service, lag;
};
void fields(auto&& visit, Is<Latencies> auto& latencies) {
  const bool ended = latencies.service.mean > Millis(0);  // else all that is known is the age of ops
  visit("response", latencies.response);
  visit("service", latencies.service, {.known = ended, .about = "null: no op that was due in the window ended"});
  visit("lag", latencies.lag, {.known = ended, .about = "null: no op that was due in the window ended"});
}

/// The ops of one kind.
struct OpFigures {
  std::uint64_t operations = 0;
  double share = 0;
  std::int64_t bytes = 0;
  ErrorCounts errors;
  std::optional<Latencies> latency = {};
  std::uint64_t lost_races = 0;
  /// Full histograms, so that results can be merged (hdr_histogram.hpp).
  std::optional<std::string> response_histogram = {}, service_histogram = {};
  std::optional<double> within_target_share = {};
};
void fields(auto&& visit, Is<OpFigures> auto& op) {
  visit("operations", op.operations);
  visit("share", op.share, {.about = "share of all operations, 0 to 1"});
  visit("bytes", op.bytes, {.about = "read and written"});
  visit("errors", op.errors, error_counts_rule);
  visit("lost_races", op.lost_races, later("as those of the load point"));
  visit("latency_ms", op.latency, {.about = "null: none of these ops that was due in the window has ended"});
  visit("within_target_share", op.within_target_share,
        {.added_later = true,
         .most = 1,
         .about = "share of these ops that were due in the window and ended within the latency target, 0 to 1; null: "
                  "the load point has no target, or none of these ops ended"});
  visit("response_histogram", op.response_histogram,
        later("in ns: HdrHistogram V2, compressed, in base64; load points of full length have it"));
  visit("service_histogram", op.service_histogram, later("as response_histogram"));
}

/// How the procs of one kind did.
struct GroupFigures {
  std::string workload;
  std::uint64_t procs = 0;
  std::optional<double> requested_ops_per_sec;
  double achieved_ops_per_sec = 0;
  double least_proc_share = 1;
};
void fields(auto&& visit, Is<GroupFigures> auto& group) {
  visit("workload", group.workload);
  visit("procs", group.procs);
  visit("requested_ops_per_sec", group.requested_ops_per_sec, {.about = "null in a closed loop"});
  visit("achieved_ops_per_sec", group.achieved_ops_per_sec);
  visit("least_proc_share", group.least_proc_share,
        {.about = "ops completed over ops due, for the proc that fell back most; as completed count one op and the "
                  "square root of the ops due, which chance explains; at most 1"});
}

/// A second, or what was asked for, of the measurement window.
struct IntervalFigures {
  Seconds start{0};
  Seconds length{0};
  double ops_per_sec = 0, mib_per_sec = 0;
  std::uint64_t errors = 0;
  std::optional<Millis> response_mean, service_mean, response_p99;  ///< nullopt: no op ended
  std::optional<Millis> generator_lag_mean = {};
  std::vector<std::uint64_t> response_counts = {};
};
void fields(auto&& visit, Is<IntervalFigures> auto& interval) {
  visit("t", interval.start, {.about = "since the window began"});
  visit("seconds", interval.length);
  visit("ops_per_sec", interval.ops_per_sec);
  visit("mib_per_sec", interval.mib_per_sec);
  visit("errors", interval.errors);
  visit("response_mean_ms", interval.response_mean);
  visit("service_mean_ms", interval.service_mean);
  visit("response_p99_ms", interval.response_p99);
  visit("generator_lag_mean_ms", interval.generator_lag_mean,
        later("the generator's own delay; null in a closed loop"));
  visit("response_counts", interval.response_counts,
        later("ops by response, in half octaves: value k counts those from 2^(k/2) to 2^((k+1)/2) microseconds, the "
              "first one all below that, too"));
}

/// The ops of one kind, or of one mount, in an interval.
struct IntervalOpFigures {
  std::uint64_t operations = 0, errors = 0;
  std::int64_t bytes = 0;
  std::optional<Millis> response_mean = {}, response_p99 = {}, service_mean = {}, service_p99 = {};
};
void fields(auto&& visit, Is<IntervalOpFigures> auto& op) {
  visit("operations", op.operations);
  visit("errors", op.errors);
  visit("bytes", op.bytes, {.about = "read and written"});
  visit("response_mean_ms", op.response_mean);
  visit("response_p99_ms", op.response_p99);
  visit("service_mean_ms", op.service_mean);
  visit("service_p99_ms", op.service_p99);
}

/// The latency statistic that the load points are judged by.
struct StatisticFigures {
  Millis value{0};
  std::optional<Millis> standard_error = {};
};
void fields(auto&& visit, Is<StatisticFigures> auto& statistic) {
  visit("value", statistic.value);
  visit("standard_error", statistic.standard_error,
        {.about = "null: there are too few intervals to compute it, as in a block of a search"});
}

/// The limit of the generator's own delay that a load point was judged by. In a closed loop it is the limit of the
/// procs' mean wait for this host.
struct LagLimitFigures {
  std::string statistic = "mean";  ///< of the delay
  Millis value{0};
};
void fields(auto&& visit, Is<LagLimitFigures> auto& limit) {
  visit("statistic", limit.statistic, {.about = "the statistic of the delay"});
  visit("value_ms", limit.value);
}

/// A load point.
struct PointFigures {
  Purpose purpose = Purpose::load_point;
  double sweep_value = 0;
  std::uint64_t repeat = 1;
  std::optional<std::uint64_t> active_job_sets;
  std::optional<double> requested_ops_per_sec;
  double achieved_ops_per_sec = 0;
  double mib_per_sec = 0, read_mib_per_sec = 0, write_mib_per_sec = 0;
  Seconds seconds{0}, sync_seconds{0}, warmup{0};
  Seconds longer_warmup{0}, first_window{0};  ///< parts of the warm-up
  std::uint64_t operations = 0;
  ErrorCounts errors;
  std::uint64_t lost_races = 0;
  std::int64_t bytes_read = 0, bytes_written = 0;
  Latencies latency;
  StatisticFigures statistic;
  std::map<OpKind, OpFigures> ops;  ///< the kinds that there were
  std::vector<GroupFigures> groups;
  std::vector<ClientFigures> clients = {};
  std::vector<MountLoadFigures> mounts = {};
  std::vector<std::string> mount_findings = {};
  std::vector<IntervalFigures> intervals;
  std::optional<NfsFigures> nfs;
  LatencyFigures generator_lag;                        ///< the delay of starts that a busy proc does not explain
  std::optional<LagLimitFigures> generator_lag_limit;  ///< nullopt: an older version wrote the result
  double cpu_cores_used = 0, host_busy = 0, paused_share = 0, throttled_share = 0;
  bool real_time_refused = false;
  Millis proc_wait{0};
  std::uint64_t ops_outstanding = 0;
  std::optional<LatencyFigures> outstanding_age = {};
  std::uint64_t stuck_ops = 0;
  std::vector<HostFigures> hosts;
  std::vector<std::string> host_findings;
  std::optional<Millis> first_op_spread = {}, first_op_spread_uncertainty = {};
  std::vector<Invalid> invalid;  ///< why; empty: valid

  bool valid() const { return invalid.empty(); }
  bool is_invalid_for(Invalid reason) const { return std::ranges::find(invalid, reason) != invalid.end(); }
  /// No window was measured: the load ended in its warm-up.
  bool ended_in_warmup() const { return operations == 0 && seconds == Seconds(0) && warmup > Seconds(0); }
  /// Enough ops ended for rates and latencies: any, and 20 in a window that was cut off within its first second.
  /// Without them rates and latencies are 0, and null in documents.
  bool has_figures() const {
    if (operations == 0) return false;
    return operations >= 20 || seconds >= Seconds(1) || !is_invalid_for(Invalid::interrupted);
  }
  /// Ops that were due in the window ended, or had not a while after it and count with their age.
  bool has_response() const { return has_figures() && latency.response.mean > Millis(0); }
  /// Whether more than this share of the ops had not ended, so that the response that this share exceeds is a lower
  /// bound: they count with their age. 0: the mean and the maximum.
  bool is_response_bound(double above = 0) const {
    const auto outstanding = static_cast<double>(ops_outstanding);
    return outstanding > above * (static_cast<double>(operations) + outstanding);
  }
  /// Ops that were due in the window ended: they have the service, the lag and the generator's delay.
  bool has_service() const { return has_figures() && latency.service.mean > Millis(0); }
};
void fields(auto&& visit, Is<PointFigures> auto& point) {
  const bool figures = point.has_figures(), ended = point.has_service();
  const FieldRule rate = {.known = figures, .about = "null: too few ops ended"};
  visit("purpose", point.purpose);
  visit("sweep_value", point.sweep_value,
        {.exact = true, .least = any_number, .about = "value of the swept parameter; 0 without a sweep"});
  visit("repeat", point.repeat, {.least = 1});
  visit("active_job_sets", point.active_job_sets, {.least = 1, .about = "when load is added as job sets"});
  visit("requested_ops_per_sec", point.requested_ops_per_sec, {.about = "null in a closed loop"});
  visit("achieved_ops_per_sec", point.achieved_ops_per_sec, rate);
  visit("mib_per_sec", point.mib_per_sec, rate);
  visit("read_mib_per_sec", point.read_mib_per_sec, rate);
  visit("write_mib_per_sec", point.write_mib_per_sec, rate);
  visit("seconds", point.seconds, {.about = "length of the window, and of flushing after it"});
  visit("sync_seconds", point.sync_seconds,
        {.about = "the part of `seconds` that flushed what was written, at the end"});
  visit("warmup_seconds", point.warmup);
  visit("longer_warmup_seconds", point.longer_warmup,
        later("the part of warmup_seconds by which the warm-up was longer than asked for, as the latency trended"));
  visit("first_window_seconds", point.first_window,
        later("the part of warmup_seconds that was a window in which the latency trended, and which was therefore "
              "measured again; 0: there was none"));
  visit("operations", point.operations);
  visit("errors", point.errors, error_counts_rule);
  visit("lost_races", point.lost_races,
        later("ops on a shared file that another proc was removing, rewriting or locking at that time: they count as "
              "done, with the bytes that they moved"));
  visit("bytes_read", point.bytes_read);
  visit("bytes_written", point.bytes_written);
  visit("latency_ms", point.latency,
        {.known = point.has_response(),
         .about = "null: too few ops ended, or none that was due in the window ended or was waited for"});
  visit("statistic_ms", point.statistic, {.known = figures && point.statistic.value > Millis(0)});
  visit("ops", point.ops);
  visit("groups", point.groups);
  visit("clients", point.clients, later("what became of each client's ops; load points of full length have them"));
  visit("mounts", point.mounts,
        later("the same by mount: client i works on mount i mod their number; on several hosts of all of them"));
  visit("mount_findings", point.mount_findings, later("about mounts and clients that are unlike the others"));
  visit("intervals", point.intervals);
  visit("nfs", point.nfs, {.about = "what the NFS client counted in the window; null without NFS mounts"});
  // All that older documents have of the delay.
  visit("generator_lag_mean_ms", point.generator_lag.mean, {.known = ended});
  visit("generator_lag_ms", point.generator_lag,
        {.known = ended,
         .added_later = true,
         .about = "delay of starts that a busy proc does not explain; null as latency_ms/service is"});
  visit("generator_lag_limit", point.generator_lag_limit,
        later("the limit of the delay that the load point was judged by"));
  visit("cpu_cores_used", point.cpu_cores_used);
  visit("host_busy", point.host_busy,
        {.added_later = true,
         .most = 1,
         .about = "share of the host's processors that edagen may use that was busy, whoever used them; 0: not known"});
  visit("paused_share", point.paused_share,
        {.added_later = true,
         .most = 1,
         .about = "share of the time in which edagen was stopped, suspended or without a processor"});
  visit("throttled_share", point.throttled_share,
        {.added_later = true,
         .most = 1,
         .about = "share of the time in which the limit of processors of edagen's container (cgroups, cpu.stat) held "
                  "edagen up; the highest of several hosts, as paused_share is"});
  visit("real_time_refused", point.real_time_refused,
        later("whether the system refused threads of edagen real-time priority, on one of the hosts or more"));
  visit("proc_wait_ms", point.proc_wait,
        later("in a closed loop: the mean wait of a proc until this host began the proc's next op; else 0"));
  visit("ops_outstanding", point.ops_outstanding,
        later("ops that were due in the window and had not ended a while after it; they count with their age"));
  visit("outstanding_age_ms", point.outstanding_age,
        later("how long those ops had been due by then, which is less than their response; null: there are none"));
  visit("stuck_ops", point.stuck_ops);
  visit("hosts", point.hosts, later("the hosts that made the load together, by rank; empty: one host alone"));
  visit("host_findings", point.host_findings, later("about hosts that are unlike the others"));
  visit("first_op_spread_ms", point.first_op_spread,
        later("time from the first op of the host that began first to the first op of the last host, by rank 0's "
              "clock; null: one host alone, or a simulated volume"));
  visit("first_op_spread_uncertainty_ms", point.first_op_spread_uncertainty,
        later("how far first_op_spread_ms may be wrong, as the hosts' clocks are known"));
  visit.derived("valid", point.valid());
  visit("invalid_reasons", point.invalid, {.enum_values = invalid_of_points});
}

}  // namespace edagen
