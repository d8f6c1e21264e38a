// The outcome of one load point.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/parts/client_stats.hpp"
#include "edagen/parts/host_figures.hpp"
#include "edagen/parts/op_stats.hpp"

namespace edagen {

/// A second (or what was asked for) of the measurement window.
struct Interval {
  Nanos start{0};  ///< since the window began
  Nanos length{0};
  std::uint64_t operations = 0;
  std::uint64_t errors = 0;
  std::int64_t bytes = 0;  ///< read and written
  /// Latencies of the ops that ended in the interval and were due in the window, in the last one also of those that
  /// ended after it; nullopt where there are none.
  std::optional<NanosF> response_mean = {};
  std::optional<NanosF> service_mean = {};
  std::optional<NanosF> generator_lag_mean = {};  ///< the generator's own delay; in a closed loop nullopt
  std::optional<Nanos> response_p99 = {};
  std::optional<NanosF> statistic = {};  ///< LoadPoint::statistic
  /// The same ops by response, in half octaves: value k counts those from 2^(k/2) to 2^((k+1)/2) us, the first value
  /// also all ops below.
  std::vector<std::uint64_t> response_counts = {};

  double ops_per_sec() const { return static_cast<double>(operations) / to_seconds(length); }
};

/// In a closed loop: how long procs waited between the end of an op and the begin of the next, and how long, in the
/// window, for ops that had begun before it and so have no latency.
struct ProcWaits {
  NanosF total{0};
  std::uint64_t ops = 0;
  NanosF carried{0};
  std::uint64_t carried_ops = 0;

  void add(Nanos wait) {
    total += wait;
    ++ops;
  }
  void carry(Nanos time) {
    carried += time;
    ++carried_ops;
  }
  void merge(const ProcWaits& other) {
    total += other.total;
    ops += other.ops;
    carried += other.carried;
    carried_ops += other.carried_ops;
  }
  NanosF mean() const { return ops > 0 ? total / static_cast<double>(ops) : NanosF(0); }
};
void fields(auto&& visit, Is<ProcWaits> auto& waits) {
  visit("total", waits.total);
  visit("ops", waits.ops);
  visit("carried", waits.carried);
  visit("carried_ops", waits.carried_ops);
}

struct IntervalStats;

/// What one host did in an interval, of several that make a load together.
struct HostInterval {
  std::string name = {};
  Nanos length{0};  ///< of its own intervals; 0: nothing has come from it
  ClientCounts counts = {};
  std::optional<NanosF> response_mean = {}, generator_lag_mean = {};  ///< as those of Interval

  /// `seen`: all of it was seen on this host.
  static HostInterval of(std::string name, Nanos length, const IntervalStats& seen);
};

/// All that was seen of the ops of an interval.
struct IntervalStats {
  OpStats ops;
  LatencyHistogram generator_lag;
  std::vector<std::uint64_t> group_operations;  ///< by kind of proc
  std::vector<ProcWaits> group_waits;           ///< by kind of proc
  std::vector<ClientStats> clients;             ///< by client
  std::vector<HostInterval> hosts;              ///< by rank; empty: seen on this host alone

  explicit IntervalStats(std::size_t groups) : group_operations(groups), group_waits(groups) {}
  void clear();
  void merge(const IntervalStats& other);  ///< all but hosts
};
/// Without the hosts: they are set where the hosts' intervals are put together.
void fields(auto&& visit, Is<IntervalStats> auto& stats) {
  visit("ops", stats.ops);
  visit("generator_lag", stats.generator_lag);
  visit("group_operations", stats.group_operations);
  visit("group_waits", stats.group_waits);
  visit("clients", stats.clients);
}

/// How the procs of one kind did.
struct GroupStats {
  std::string name;
  std::size_t procs = 0;
  std::optional<double> requested_ops_per_sec = {};  ///< nullopt: a closed loop
  double share = 0;                                  ///< of all ops, as in the workload
  std::uint64_t operations = 0;                      ///< ended in the window
  std::uint64_t due = 0;                             ///< in the window; 0 in a closed loop
  /// Ended, and one op and the square root of those due besides, over due, of the proc that fell back most; 1 in a
  /// closed loop.
  double least_proc_share = 1;
  /// False: its procs have no rate of their own. In a closed loop they then keep no share of the ops.
  bool paced = true;
  ProcWaits waits = {};

  /// Counts a proc whose rate is `ops_per_sec` (nullopt: closed loop), of which `due` ops were due in the window and
  /// `ended` ended in it.
  void add_proc(std::optional<double> ops_per_sec, std::uint64_t due_ops, std::uint64_t ended);
};
void fields(auto&& visit, Is<GroupStats> auto& group) {
  visit("name", group.name);
  visit("procs", group.procs);
  visit("requested_ops_per_sec", group.requested_ops_per_sec);
  visit("share", group.share);
  visit("operations", group.operations);
  visit("due", group.due);
  visit("least_proc_share", group.least_proc_share);
  visit("paced", group.paced);
  visit("waits", group.waits);
}

/// The figures of a host, not rounded, and what is needed besides them when hosts are put together.
struct HostStats : HostFigures {
  /// Parts of the load that are alike and here: job sets where the load point has a number of them, else clients.
  std::uint64_t portions = 0;
  Nanos longest_pause{0};
  NanosF pause_delay{0};
  double paused_share = 0, throttled_share = 0;  ///< as RunStats has them
  bool real_time_refused = false;
};
void fields(auto&& visit, Is<HostStats> auto& host) {
  using Figures =
      std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(host)>>, const HostFigures, HostFigures>;
  fields(visit, static_cast<Figures&>(host));
  visit("portions", host.portions);
  visit("longest_pause", host.longest_pause);
  visit("pause_delay", host.pause_delay);
  visit("paused_share", host.paused_share);
  visit("throttled_share", host.throttled_share);
  visit("real_time_refused", host.real_time_refused);
}

struct RunStats {
  Nanos length{0};                              ///< of the measurement window; 0: the load ended before it
  Nanos sync_time{0};                           ///< it took to flush what was written; counts as time of the run
  std::vector<int> sync_errors;                 ///< of that flush, which `ops` has, too
  Nanos warmup{0};                              ///< before it, what was thrown away included
  Nanos longer_warmup{0};                       ///< the part of it that was not asked for: the latency trended
  Nanos first_window{0};                        ///< the part of it that was a window in which the latency trended
  Nanos drain{0};                               ///< after it, until its ops had ended
  std::optional<double> requested_ops_per_sec;  ///< nullopt: a closed loop
  OpStats ops;
  std::vector<Interval> intervals;
  std::vector<GroupStats> groups;
  std::vector<ClientStats> clients;  ///< by client
  ClientSlices client_slices;
  std::uint64_t stuck_ops = 0;  ///< had not returned when the run ended
  /// The delay of each op's start that a busy proc does not explain: the generator's own.
  LatencyHistogram generator_lag;
  Nanos longest_pause{0};  ///< of the generator itself: it was stopped, suspended or had no processor
  /// Mean delay of the ops of an open loop by such pauses, until procs that are as busy as these have caught up.
  NanosF pause_delay{0};
  /// Shares of the time in which edagen was stopped, suspended or without a processor (pauses longer than scheduling
  /// explains), and in which its container's limit of processors held it up (cgroups(7), cpu.stat).
  double paused_share = 0, throttled_share = 0;
  /// Whether the system refused edagen's threads real-time priority.
  bool real_time_refused = false;
  double cpu_cores_used = 0;     ///< by this process, over the window
  double host_busy = 0;          ///< share of this host's processors that was busy, whoever used them
  Nanos start_late{0};           ///< of the load, after the time that several hosts had agreed on
  Nanos first_op{0};             ///< actual start of the first op, since the load point began
  std::vector<HostStats> hosts;  ///< by rank; empty: this host alone
  bool unsteady = false;         ///< the intervals trend
  bool interrupted = false;
  bool too_many_errors = false;

  /// Frees the memory of histograms, and of what is known of clients.
  void forget_latencies() {
    ops.forget_latencies();
    clients = {};
    client_slices.clear();
  }
  double seconds() const { return to_seconds(length + sync_time); }
  Nanos all_time() const { return warmup + length + drain + sync_time; }
  double ops_per_sec() const { return static_cast<double>(ops.operations()) / seconds(); }
  double read_mib_per_sec() const { return static_cast<double>(ops.bytes_read()) / 0x1p20 / seconds(); }
  double write_mib_per_sec() const { return static_cast<double>(ops.bytes_written()) / 0x1p20 / seconds(); }
  double mib_per_sec() const { return read_mib_per_sec() + write_mib_per_sec(); }
};

}  // namespace edagen
