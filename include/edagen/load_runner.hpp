// Makes a load and measures it. One interface for real time (Engine) and for virtual time.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "edagen/event.hpp"
#include "edagen/parts/latency_statistic.hpp"
#include "edagen/run_stats.hpp"

namespace edagen {

/// How the intended starts of a proc's ops are spaced in an open loop.
enum class Arrivals {
  uniform,  ///< equally, each proc with a phase of its own, which it draws anew every 250 ms or so
  poisson   ///< with exponential gaps
};

/// Ops are due at times of a schedule, whatever became of those before.
struct OpenLoop {
  double ops_per_sec = 0;  ///< of all procs together
  Arrivals arrivals = Arrivals::uniform;
  bool operator==(const OpenLoop&) const = default;
};
void fields(auto&& visit, Is<OpenLoop> auto& loop) {
  visit("ops_per_sec", loop.ops_per_sec);
  visit("arrivals", loop.arrivals);
}

/// Each proc begins its next op when one has ended.
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
  LatencyStatistic statistic;  ///< of each interval, for the steady-state test and confidence intervals
  /// Warm up until the intervals stop trending (at most four times `warmup`); measure anew, once, when they trend
  /// in the window; then mark it unsteady.
  bool settle = true;
  /// Warm-up and window are not made longer, nor the window anew, when the load point would take longer than that.
  Nanos settle_within = Nanos::max();
  std::optional<std::size_t> job_sets;  ///< only the procs of the first so many job sets; nullopt: all
  std::optional<std::size_t> clients;   ///< only the procs of the first so many clients; nullopt: all
  std::optional<unsigned> io_depth;     ///< of the procs that can queue; nullopt: their own
  std::optional<double> read_percent;   ///< of the reads and writes of all procs; nullopt: their own mix
  bool sync_after = false;              ///< flush what was written, before (not measured) and after (counted)
  bool drop_caches = false;             ///< before the warm-up
  /// The load goes on when the window is over, until the next load point takes it over or end_load(): procs, workers
  /// and queues stay as they are, and the rate changes. Of an open loop. Not after an overload, when ops of the window
  /// had not ended in time: then the next one begins when nothing is in flight any more.
  bool stays_up = false;

  const OpenLoop* open_loop() const { return std::get_if<OpenLoop>(&rate); }
  /// nullopt: a closed loop.
  std::optional<double> requested_ops_per_sec() const {
    return open_loop() ? std::optional(open_loop()->ops_per_sec) : std::nullopt;
  }
  bool includes(std::size_t job_set, std::size_t client) const {
    return job_set < job_sets.value_or(~std::size_t{0}) && client < clients.value_or(~std::size_t{0});
  }
  /// Whether this load can take over the one that `before` left up: it differs in ops/s, job sets and times alone.
  bool takes_over(const LoadPoint& before) const {
    const OpenLoop *const its = open_loop(), *const was = before.open_loop();
    return before.stays_up && stays_up && its && was && its->arrivals == was->arrivals && clients == before.clients &&
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
  /// Runs the load until its duration is over or it is told to stop. Procs go on where the load point before left
  /// them. `emit` is called until a load that stays up has ended. Not thread-safe.
  virtual RunStats run(const LoadPoint& load, const EventSink& emit) = 0;
  /// Ends a load that stays up, if there is one. So does the destructor. Returns the number of ops that do not return.
  virtual std::uint64_t end_load() { return 0; }
};

}  // namespace edagen
