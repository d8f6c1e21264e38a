// The interface of runners, which make a load and measure it: in real time (Engine) or in virtual time.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "edagen/event.hpp"
#include "edagen/parts/latency_statistic.hpp"
#include "edagen/run_stats.hpp"

namespace edagen {

/// The spacing of the intended starts of a proc's ops in an open loop.
enum class Arrivals {
  uniform,  ///< equal gaps, each proc with its own phase, which is drawn anew every 250 ms or so
  poisson   ///< exponential gaps
};

/// Ops are due at the times of a schedule, whatever became of earlier ops.
struct OpenLoop {
  double ops_per_sec = 0;  ///< total of all procs
  Arrivals arrivals = Arrivals::uniform;
  bool operator==(const OpenLoop&) const = default;
};
void fields(auto&& visit, Is<OpenLoop> auto& loop) {
  visit("ops_per_sec", loop.ops_per_sec);
  visit("arrivals", loop.arrivals);
}

/// Each proc begins its next op when an op has ended.
struct ClosedLoop {
  bool operator==(const ClosedLoop&) const = default;
};
void fields(auto&&, Is<ClosedLoop> auto&) {}

using LoadRate = std::variant<ClosedLoop, OpenLoop>;

struct LoadPoint {
  LoadRate rate;
  Nanos warmup{0};
  Nanos duration{0};
  Nanos interval = std::chrono::seconds(1);
  LatencyStatistic statistic;  ///< statistic of each interval, for the steady-state test and confidence intervals
  /// Whether to warm up until the intervals stop trending (at most four times `warmup`), and to measure the window
  /// again, once, when they trend in it; if they still do, the point is marked unsteady.
  bool settle = true;
  /// Warm-up and window are neither extended nor repeated when the load point would take longer than this.
  Nanos settle_within = Nanos::max();
  std::optional<std::size_t> job_sets;  ///< number of job sets whose procs take part; nullopt: all
  std::optional<std::size_t> clients;   ///< number of clients whose procs take part; nullopt: all
  std::optional<unsigned> io_depth;     ///< depth of the procs that can queue; nullopt: their own
  std::optional<double> read_percent;   ///< share of reads in the reads and writes of all procs; nullopt: their own mix
  bool sync_after = false;              ///< flush written data before (not measured) and after the load (counted)
  bool drop_caches = false;             ///< drop caches before the warm-up
  /// Whether the load (an open loop) goes on after the window, until the next load point takes it over or end_load():
  /// procs, workers and queues stay as they are, and the rate changes. After an overload, when ops of the window had
  /// not ended in time, the load ends, and the next load begins when no op is in flight.
  bool stays_up = false;

  const OpenLoop* open_loop() const { return std::get_if<OpenLoop>(&rate); }
  /// The requested rate; nullopt in a closed loop.
  std::optional<double> requested_ops_per_sec() const {
    return open_loop() ? std::optional(open_loop()->ops_per_sec) : std::nullopt;
  }
  bool includes(std::size_t job_set, std::size_t client) const {
    return job_set < job_sets.value_or(~std::size_t{0}) && client < clients.value_or(~std::size_t{0});
  }
  /// Whether this load can take over the load that `before` left up: only ops/s, job sets and times may differ.
  bool takes_over(const LoadPoint& before) const {
    const OpenLoop *const loop = open_loop(), *const was = before.open_loop();
    return before.stays_up && stays_up && loop && was && loop->arrivals == was->arrivals && clients == before.clients &&
           io_depth == before.io_depth && read_percent == before.read_percent && !sync_after && !drop_caches;
  }
};
void fields(auto&& visit, Is<LoadPoint> auto& load) {
  visit("rate", load.rate);
  visit("warmup", load.warmup);
  visit("duration", load.duration);
  visit("interval", load.interval);
  visit("statistic", load.statistic);
  visit("settle", load.settle);
  visit("settle_within", load.settle_within);
  visit("job_sets", load.job_sets);
  visit("clients", load.clients);
  visit("io_depth", load.io_depth);
  visit("read_percent", load.read_percent);
  visit("sync_after", load.sync_after);
  visit("drop_caches", load.drop_caches);
  visit("stays_up", load.stays_up);
}

class LoadRunner {
 public:
  virtual ~LoadRunner() = default;
  /// Runs the load until its duration is over or a stop is requested. Procs go on where the load point before left
  /// them. `emit` is called until a load that stays up has ended. Not thread-safe.
  virtual RunStats run(const LoadPoint& load, const EventSink& emit) = 0;
  /// Ends a load that stays up, if there is one, as the destructor does. Returns the number of ops that do not return.
  virtual std::uint64_t end_load() { return 0; }
};

}  // namespace edagen
