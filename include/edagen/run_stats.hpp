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
  NanosF response_mean{0};
  NanosF service_mean{0};
  Nanos response_p99{0};
  NanosF statistic{0};  ///< LoadPoint::statistic

  double ops_per_sec() const { return static_cast<double>(operations) / to_seconds(length); }
};

/// How the procs of one kind did.
struct GroupStats {
  std::string name;
  std::size_t procs = 0;
  std::optional<double> requested_ops_per_sec = {};  ///< nullopt: a closed loop
  std::uint64_t operations = 0;
  /// Completed over due, of the proc that fell back most; 1 in a closed loop.
  double least_proc_share = 1;

  /// Counts a proc that was to do `ops_per_sec` (nullopt: a closed loop) and completed `operations` in a window of
  /// `length`.
  void add_proc(std::optional<double> ops_per_sec, std::uint64_t completed, Nanos length, bool random_arrivals);
};

/// How many ops fewer than expected a window may hold although all that were due were done: one, and with random
/// arrivals three standard deviations.
double window_slack(double expected_ops, bool random_arrivals);

struct RunStats {
  Nanos length{0};                              ///< of the measurement window
  Nanos sync_time{0};                           ///< it took to flush what was written; counts as time of the run
  Nanos warmup{0};                              ///< before it, what was thrown away included
  std::optional<double> requested_ops_per_sec;  ///< nullopt: a closed loop
  bool random_arrivals = false;                 ///< how many ops a window holds is a matter of chance
  OpStats ops;
  std::vector<Interval> intervals;
  std::vector<GroupStats> groups;
  std::uint64_t stuck_ops = 0;  ///< had not returned when the run ended
  /// Mean over all ops of the start's delay that a busy proc does not explain: the generator's own.
  NanosF generator_lag_mean{0};
  double cpu_cores_used = 0;  ///< by this process, over the window
  bool unsteady = false;      ///< the intervals trend
  bool interrupted = false;
  bool too_many_errors = false;

  double seconds() const { return to_seconds(length + sync_time); }
  double ops_per_sec() const { return static_cast<double>(ops.operations()) / seconds(); }
  double read_mib_per_sec() const { return static_cast<double>(ops.bytes_read()) / 0x1p20 / seconds(); }
  double write_mib_per_sec() const { return static_cast<double>(ops.bytes_written()) / 0x1p20 / seconds(); }
  double mib_per_sec() const { return read_mib_per_sec() + write_mib_per_sec(); }
};

}  // namespace edagen
