// A part of the procs with the workers that serve them: the queue of due times, and what was seen of the ops.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "edagen/engine/engine.hpp"
#include "edagen/engine/measurement.hpp"

namespace edagen {

/// One proc while load is made. Only the worker that took it from the queue touches it.
struct ShardProc {
  std::uint32_t index;  ///< in the run
  OpStream ops;
  std::size_t group;
  double ops_per_sec;  ///< at the current load point
  Schedule schedule;
  Nanos previous_end{0};
  std::uint64_t completed = 0;  ///< under the shard's mutex
};

/// The op that a worker is in, for the watch on stuck ops. Written by the worker alone.
struct OpInFlight {
  std::atomic<std::int64_t> since{-1};  ///< ns since the load began; -1: none
  std::atomic<std::uint32_t> proc{0};
  std::atomic<std::uint64_t> name{0};   ///< kind, name class and index, packed
  std::atomic<bool> reported{false};

  void begin(Nanos start, std::uint32_t index, const Op& op) {
    proc.store(index, std::memory_order_relaxed);
    name.store(static_cast<std::uint64_t>(op.kind) | static_cast<std::uint64_t>(op.name.cls) << 8 |
                   op.name.index << 16,
               std::memory_order_relaxed);
    since.store(start.count(), std::memory_order_release);
  }
  void end() { since.store(-1, std::memory_order_relaxed); }
  Op op() const;
};

class Shard {
 public:
  /// Called by a worker for a failed op.
  using Failed = std::function<void(std::uint32_t proc, const Op& op, int error)>;

  Shard(std::vector<ShardProc*> procs, std::size_t groups, TimePoint origin, Failed failed);

  /// A worker's life: until stop() and the end of its op.
  void work(TargetWorker& worker, OpInFlight& in_flight);
  void stop();

  /// Takes what was seen; `fresh` (empty) is filled from now on.
  void harvest(std::unique_ptr<Seen>& fresh);
  /// Calls f for each proc while no counter can change.
  template <class F>
  void with_procs(F f) {
    std::lock_guard lock(mutex_);
    for (ShardProc* proc : procs_) f(*proc);
  }
  /// Wakes up to `workers` parked workers if ops have been due since before `deadline`. Returns how many more workers
  /// are missing.
  std::size_t wake(Nanos deadline, std::size_t workers);

  std::uint64_t errors() const { return errors_.load(std::memory_order_relaxed); }
  std::uint64_t operations() const { return operations_.load(std::memory_order_relaxed); }

 private:
  struct Due {
    Nanos at;
    std::uint32_t proc;  ///< place in procs_
    bool operator>(const Due& other) const { return at > other.at; }
  };
  struct Done {
    OpKind kind;
    OpTimes times;
    OpResult result;
  };
  static constexpr std::size_t batch_ops = 32;
  static constexpr Nanos batch_time{50'000};
  static constexpr Nanos never = Nanos::max();

  bool take(std::unique_lock<std::mutex>& lock, Due& due);
  std::size_t carry_out_batch(ShardProc& proc, TargetWorker& worker, OpInFlight& in_flight,
                              std::array<Done, batch_ops>& done, double& generator_lag_ns);
  void account(const ShardProc& proc, const std::array<Done, batch_ops>& done, std::size_t count,
               double generator_lag_ns);
  Nanos elapsed() const { return now() - origin_; }
  /// Nearly all recent ops took less: mean plus four mean deviations.
  double likely_service_ns() const { return service_mean_ns_ + 4 * service_deviation_ns_; }

  std::vector<ShardProc*> procs_;
  const TimePoint origin_;
  const Failed failed_;

  std::mutex mutex_;
  std::condition_variable parked_, attending_;
  std::vector<Due> queue_;  ///< heap, earliest first
  std::size_t parked_workers_ = 0;
  Nanos attended_ = never;  ///< a worker sleeps until then, when the earliest op is due
  bool stopping_ = false;
  std::unique_ptr<Seen> seen_;
  double service_mean_ns_ = 0, service_deviation_ns_ = 0;
  std::atomic<std::uint64_t> errors_{0}, operations_{0};
};

}  // namespace edagen
