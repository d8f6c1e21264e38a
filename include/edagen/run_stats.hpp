// The outcome of one load point.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/op_stats.hpp"

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
  std::optional<Nanos> response_p99 = {};
  std::optional<NanosF> statistic = {};  ///< LoadPoint::statistic

  double ops_per_sec() const { return static_cast<double>(operations) / to_seconds(length); }
};

/// How the procs of one kind did.
struct GroupStats {
  std::string name;
  std::size_t procs = 0;
  std::optional<double> requested_ops_per_sec = {};  ///< nullopt: a closed loop
  double share = 0;                                  ///< of all ops, that the workload asks for
  std::uint64_t operations = 0;                      ///< ended in the window
  std::uint64_t due = 0;                             ///< in the window; 0 in a closed loop
  /// Ended over due, of the proc that fell back most; 1 in a closed loop.
  double least_proc_share = 1;

  /// Counts a proc whose rate is `ops_per_sec` (nullopt: closed loop), of which `due` ops were due in the window and
  /// `ended` ended in it.
  void add_proc(std::optional<double> ops_per_sec, std::uint64_t due_ops, std::uint64_t ended);
};

struct RunStats {
  Nanos length{0};                              ///< of the measurement window
  Nanos sync_time{0};                           ///< it took to flush what was written; counts as time of the run
  Nanos warmup{0};                              ///< before it, what was thrown away included
  Nanos drain{0};                               ///< after it, until its ops had ended
  std::optional<double> requested_ops_per_sec;  ///< nullopt: a closed loop
  OpStats ops;
  std::vector<Interval> intervals;
  std::vector<GroupStats> groups;
  std::uint64_t stuck_ops = 0;  ///< had not returned when the run ended
  /// Of each op, the delay of its start that a busy proc does not explain: the generator's own.
  LatencyHistogram generator_lag;
  Nanos longest_pause{0};     ///< of the generator itself: it was stopped, suspended or had no processor
  double cpu_cores_used = 0;  ///< by this process, over the window
  double host_busy = 0;       ///< share of this host's processors that was busy, whoever used them
  bool unsteady = false;      ///< the intervals trend
  bool interrupted = false;
  bool too_many_errors = false;

  double seconds() const { return to_seconds(length + sync_time); }
  Nanos all_time() const { return warmup + length + drain + sync_time; }
  double ops_per_sec() const { return static_cast<double>(ops.operations()) / seconds(); }
  double read_mib_per_sec() const { return static_cast<double>(ops.bytes_read()) / 0x1p20 / seconds(); }
  double write_mib_per_sec() const { return static_cast<double>(ops.bytes_written()) / 0x1p20 / seconds(); }
  double mib_per_sec() const { return read_mib_per_sec() + write_mib_per_sec(); }
};

}  // namespace edagen
