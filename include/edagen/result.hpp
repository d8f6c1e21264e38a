// What edagen found: plain values, in the units in which they are told. Everything that is reported, journalled,
// compared or read back is one of these; as JSON they are workloads/schema/result.schema.json (result_json.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/op.hpp"
#include "edagen/parts/named_enum.hpp"

namespace edagen {

using Interval95 = std::array<double, 2>;                  ///< 95 % confidence: low, high
using ErrorCounts = std::map<std::string, std::uint64_t>;  ///< ops by errno name

enum class Status {
  running,  ///< of a header; a finished document has none of it
  complete,
  interrupted,  ///< by the user; what was measured is there
  failed,
  incomplete  ///< read from a journal without an end
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<Status>{"running", "complete", "interrupted", "failed",
                                                                    "incomplete"};

/// What a load point is measured for.
enum class Purpose {
  load_point,     ///< asked for
  climb,          ///< of a search: until the target lies between two rates
  block,          ///< of a search: near the target
  demonstration,  ///< of a search: a load point of full length that is to meet the target
  incomplete      ///< read from a journal that ends in it
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<Purpose>{"load point", "climb", "block", "demonstration",
                                                                     "incomplete"};

/// What kept a rate from reaching the latency target.
enum class RateLimit {
  highest_rate,  ///< that the search may ask for
  procs,         ///< all of them have an op in flight: more ops wait for them, and not at the storage
  search_time,   ///< the search ended, by its time or by an interruption, before it tried a higher rate
  host           ///< the generator's own: its delay is over its limit
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<RateLimit>{"highest_rate", "procs", "search_time", "host"};

/// Why a load point, or an answer that rests on one, is invalid. Of the rules of SPECstorage Solution 2020 (Run and
/// Reporting Rules v1.7): all procs together reach 95 % of the requested rate (achieved_rate_low), each 75 % of its own
/// (proc_rate_low), and each kind of proc keeps its share of the ops within 5 points, and has procs (mix_off).
enum class Invalid {
  nothing_measured,
  achieved_rate_low,
  proc_rate_low,
  mix_off,
  generator_limited,  ///< its own delay is over PointFigures::generator_lag_limit, or the host has no processor left
  generator_paused,   ///< edagen itself was stopped, suspended or without a processor: 100 ms, or 5 % of the time
  unsteady,           ///< the intervals trend, or more ops ended than were due
  window_short,       ///< the queue remembers for longer than the window what it was like: its mean is one of chance
  ops_outstanding,    ///< some that were due had not ended a while after the window: they count with their age
  errors,
  stuck_ops,        ///< some had not returned at the end
  too_many_errors,  ///< the run was ended for them
  interrupted,
  // Of answers alone:
  no_load_meets_target,
  target_not_reached,  ///< the rate is a lower bound
  not_demonstrated,    ///< no valid load point of full length met the target within 5 % below the rate
  imprecise            ///< the interval's half-width is over 10 %, or blocks hold too few ops over a percentile
};
template <>
inline constexpr std::array<std::string_view, 17> enum_names<Invalid>{"nothing_measured",   "achieved_rate_low",
                                                                      "proc_rate_low",      "mix_off",
                                                                      "generator_limited",  "generator_paused",
                                                                      "unsteady",           "window_short",
                                                                      "ops_outstanding",    "errors",
                                                                      "stuck_ops",          "too_many_errors",
                                                                      "interrupted",        "no_load_meets_target",
                                                                      "target_not_reached", "not_demonstrated",
                                                                      "imprecise"};

enum class TargetKind {
  posix,
  nfs,
  sim,  ///< simulated
  own   ///< a storage client of the program that embeds edagen
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<TargetKind>{"posix", "nfs", "sim", "own"};

struct LatencyFigures {
  Millis mean{0}, p50{0}, p90{0}, p95{0}, p99{0}, p99_9{0}, max{0};
};
struct Latencies {
  LatencyFigures response, service, lag;
};

struct OpFigures {
  std::uint64_t operations = 0;
  double share = 0;        ///< of all operations, 0 to 1
  std::int64_t bytes = 0;  ///< read and written
  ErrorCounts errors;
  std::optional<Latencies> latency = {};  ///< nullopt: none that was due in the window has ended
  /// Full histograms in ns, so that results can be merged: HdrHistogram V2, compressed, in base64 (hdr_histogram.hpp).
  /// Of load points of full length.
  std::optional<std::string> response_histogram = {}, service_histogram = {};
};

/// How the procs of one kind did.
struct GroupFigures {
  std::string workload;
  std::uint64_t procs = 0;
  std::optional<double> requested_ops_per_sec;  ///< nullopt: as fast as they go
  double achieved_ops_per_sec = 0;
  double least_proc_share = 1;  ///< completed over due, of the proc that fell back most
};

/// A second, or what was asked for, of the measurement window.
struct IntervalFigures {
  Seconds start{0};  ///< since the window began
  Seconds length{0};
  double ops_per_sec = 0, mib_per_sec = 0;
  std::uint64_t errors = 0;
  std::optional<Millis> response_mean, service_mean, response_p99;  ///< nullopt: no op ended
  std::vector<std::uint64_t> response_counts = {};                  ///< as Interval's; empty in older results
};

/// What became of a client's ops.
struct ClientFigures {
  std::uint64_t operations = 0, errors = 0;
  std::int64_t bytes = 0;  ///< read and written
};

/// Of the ops of a kind in an interval; as of IntervalFigures.
struct IntervalOpFigures {
  std::uint64_t operations = 0, errors = 0;
  std::int64_t bytes = 0;  ///< read and written
  std::optional<Millis> response_mean = {}, response_p99 = {}, service_mean = {}, service_p99 = {};
};

struct RpcFigures {
  double requests = 0, per_op = 0;
  Millis queue{0}, round_trip{0}, execute{0};  ///< means
  double retransmissions = 0, timeouts = 0, errors = 0, bytes_sent = 0, bytes_received = 0;
};
struct ConnectionFigures {
  std::string protocol;
  std::uint64_t source_port = 0;  ///< equal on mounts of one server that share the connection; 0: not known
  double requests = 0, reconnects = 0, mean_backlog = 0;
};
struct NfsMountFigures {
  std::string mount_point, source, version;
  std::vector<std::string> also_mounted_on;  ///< mount points of the same superblock: these counters are theirs, too
  double read_bytes = 0, written_bytes = 0;
  std::vector<ConnectionFigures> connections;
  std::map<std::string, RpcFigures> rpcs;  ///< by the kernel's name: GETATTR, READ, ...
};
/// The RPC slots of a connection, or of an NFSv4.1 session, and how many are in use on average.
struct SlotFigures {
  std::string server;
  bool of_session = false;
  double rpcs_in_flight = 0, rpcs_waiting = 0, rpc_slots = 0;
};
/// What the NFS client counted in the window, all mounts together and each. What mounts share is counted once.
struct NfsFigures {
  double rpcs_per_op = 0;
  Millis round_trip{0}, queue{0}, execute{0};
  double rpcs_in_flight = 0, rpcs_waiting = 0, rpc_slots = 0;
  SlotFigures fullest_slots;  ///< those of which the largest part is in use: the limit is there
  std::uint64_t connections = 0;
  double attribute_share = 0;  ///< of GETATTR, ACCESS and LOOKUP among all RPCs
  double retransmissions = 0;
  std::vector<std::string> findings;
  std::vector<NfsMountFigures> mounts;
};

/// The latency statistic that the load points are judged by.
struct StatisticFigures {
  Millis value{0};
  std::optional<Millis> standard_error = {};  ///< nullopt: too few intervals to tell, as in a block of a search
};

/// The limit of the generator's own delay that a load point was judged by. In a closed loop it is the limit of the
/// procs' mean wait for this host.
struct LagLimitFigures {
  std::string statistic = "mean";  ///< of the delay
  Millis value{0};
};

/// What the NFS client of one host counted in the window, all mounts of the run together.
struct HostNfsFigures {
  double requests = 0, retransmissions = 0, timeouts = 0;
  double rpcs_per_op = 0;
  double rpcs_in_flight = 0, rpcs_waiting = 0, rpc_slots = 0;
  Millis round_trip{0}, queue{0}, execute{0};
};

/// How one host did, of several that made the load together.
struct HostFigures {
  std::string name;
  std::uint64_t rank = 0, clients = 0;
  std::uint64_t operations = 0;
  double achieved_ops_per_sec = 0;
  Millis response_mean{0}, service_mean{0}, lag_mean{0}, generator_lag_mean{0};
  ErrorCounts errors;
  double cpu_cores_used = 0;
  double host_busy = 0;  ///< as PointFigures::host_busy
  Millis start_late{0};  ///< of the load, after the time that was agreed on
  Millis first_op{0};    ///< actual start of its first op, after that time
  Millis clock_uncertainty{0};
  std::optional<HostNfsFigures> nfs;
};

/// A load point.
struct PointFigures {
  Purpose purpose = Purpose::load_point;
  double sweep_value = 0;  ///< of the parameter that is swept
  std::uint64_t repeat = 1;
  std::optional<std::uint64_t> active_job_sets;  ///< nullopt: all
  std::optional<double> requested_ops_per_sec;   ///< nullopt: as fast as procs go
  double achieved_ops_per_sec = 0;
  double mib_per_sec = 0, read_mib_per_sec = 0, write_mib_per_sec = 0;
  Seconds seconds{0};       ///< of the window, and of flushing after it
  Seconds sync_seconds{0};  ///< of these, flushing
  Seconds warmup{0};
  std::uint64_t operations = 0;
  ErrorCounts errors;
  std::int64_t bytes_read = 0, bytes_written = 0;
  Latencies latency;
  StatisticFigures statistic;
  std::map<OpKind, OpFigures> ops;  ///< of the kinds that there were
  std::vector<GroupFigures> groups;
  std::vector<ClientFigures> clients;  ///< by client; of load points of full length
  std::vector<IntervalFigures> intervals;
  std::optional<NfsFigures> nfs;                       ///< nullopt without NFS mounts
  LatencyFigures generator_lag;                        ///< the delay of starts that a busy proc does not explain
  std::optional<LagLimitFigures> generator_lag_limit;  ///< nullopt: an older version wrote the result
  double cpu_cores_used = 0;
  double host_busy = 0;  ///< share of the host's processors, 0 to 1; 0 when not known
  /// Shares of the time in which edagen was stopped, suspended or without a processor, and in which its container's
  /// limit of processors held it up. Of several hosts: the highest.
  double paused_share = 0, throttled_share = 0;
  Millis proc_wait{0};  ///< in a closed loop: the mean wait of a proc until this host began its next op
  std::uint64_t ops_outstanding = 0;
  std::uint64_t stuck_ops = 0;
  std::vector<HostFigures> hosts;          ///< by rank; empty: one host alone
  std::vector<std::string> host_findings;  ///< about hosts that are unlike the others
  /// From the first op of the host that began first to that of the last one, and how far that may be wrong; nullopt:
  /// one host alone, or a simulated volume.
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
  /// Ops that were due in the window ended: service, lag and the generator's delay are of those.
  bool has_service() const { return has_figures() && latency.service.mean > Millis(0); }
};

/// A load point of full length that met a target.
struct DemonstrationFigures {
  double ops_per_sec = 0;
  Millis latency{0};             ///< the statistic
  std::uint64_t load_point = 0;  ///< from 0 among Result::load_points
};

/// The rate at a latency target (AtTarget).
struct AnswerFigures {
  Millis target{0};
  std::string statistic = "mean", latency = "response";
  double ops_per_sec = 0, mib_per_sec = 0;
  std::optional<Interval95> confidence_95 = {};  ///< of ops_per_sec; nullopt: not met, a lower bound, one load point
  bool met = true;                               ///< false: no load met the target; none does, unless there is a limit
  std::optional<Millis> lowest_latency;          ///< seen in the search, when it is not met
  std::optional<RateLimit> limit;                ///< met instead of the target: ops_per_sec is a lower bound
  std::optional<DemonstrationFigures> demonstrated;
  std::vector<Invalid> invalid;

  bool valid() const { return invalid.empty(); }
  /// No load met the target, and whether one does is not known.
  bool is_open() const { return limit && ops_per_sec <= 0; }
};

/// What repeats of one load say together.
struct RepeatSummary {
  double mean = 0, median = 0;
  std::optional<double> standard_deviation = {};  ///< nullopt, as the interval: of one repeat there is none
  std::optional<Interval95> confidence_95 = {};   ///< of the mean
};
struct SeriesPoint {
  double value = 0;  ///< of the swept parameter
  std::uint64_t repeats = 1;
  RepeatSummary ops_per_sec, mib_per_sec, response_ms;
};
struct Series {
  std::optional<std::string> parameter;  ///< nullopt: nothing was swept
  std::vector<SeriesPoint> points;
};

struct Host {
  std::string name, kernel;
  std::string processor;  ///< as it names itself; "": not known
  std::int64_t cpus = 1, memory_bytes = 0;
  std::map<std::string, std::string> sysctls;  ///< those that published EDA results name, as they are here
};
struct WorkloadFigures {
  std::string name, phase;
  std::uint64_t seed = 1;
};
struct MountFigures {
  std::string path, source, fstype, options;
  std::optional<std::string> nfs_version;
  std::optional<std::uint64_t> connections;
};
struct TargetFigures {
  TargetKind kind = TargetKind::posix;
  std::vector<MountFigures> mounts;
  std::optional<std::string> model;  ///< of a simulated volume
};
struct DatasetFigures {
  std::uint64_t files = 0, directories = 0, bytes = 0;
  bool scaled_down = false;
  Seconds build{0};
  bool reused = false;
};
struct IoFigures {
  std::string engine = "blocking";  ///< "blocking", "io_uring", "threads" or "simulated"
  std::uint64_t depth = 1;          ///< of the deepest kind of procs
  bool direct = false;
  std::string fsync = "none";
  bool drop_caches = false;
};

/// Which of the variants of overall response time is told (Run and Reporting Rules v1.7).
inline constexpr std::string_view overall_response_time_variant = "trapezoids / (highest - lowest rate)";

struct Result {
  std::string edagen_version;
  std::vector<std::string> command;           ///< as typed
  std::map<std::string, std::string> labels;  ///< what the user says of it: storage, network, a ticket
  std::string started_at;                     ///< RFC 3339
  std::optional<std::string> finished_at;
  Status status = Status::running;
  std::optional<std::string> failure;  ///< of another host, for which the run failed
  Host host;
  std::map<std::string, std::string> plan;  ///< what was asked for, part by part: equal for equal plans on one host
  WorkloadFigures workload;
  TargetFigures target;
  std::uint64_t clients = 1, procs = 1;
  double job_sets = 1;
  DatasetFigures dataset;
  IoFigures io;
  std::vector<PointFigures> load_points;         ///< ascending by requested rate
  std::vector<AnswerFigures> at_latency_target;  ///< empty: nothing was searched
  std::optional<Series> series;                  ///< of repeats and sweeps
  std::optional<Millis> ort;                     ///< overall response time of a curve
  std::string ort_variant{overall_response_time_variant};
  /// What is no figure: that the page cache may hold the dataset, that the journal lacks lines.
  std::vector<std::string> notes;

  bool simulated() const { return target.kind == TargetKind::sim; }
  /// The demonstration of an answer; nullptr without one.
  const PointFigures* demonstration(const AnswerFigures& answer) const {
    return answer.demonstrated ? &load_points.at(answer.demonstrated->load_point) : nullptr;
  }
};

}  // namespace edagen
