// A part of the procs with the workers that serve them, and the statistics of their ops.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "edagen/target.hpp"
#include "load/measurement.hpp"
#include "load/schedule.hpp"
#include "workload/op_stream.hpp"

namespace edagen {

/// One proc while load is made. Only the worker that took it from the queue touches it.
struct ShardProc {
  std::uint32_t index;  ///< its index in the run
  OpStream ops;
  std::size_t group;
  std::size_t client;
  double ops_per_sec;  ///< the proc's rate at the current load point
  Schedule schedule;
  unsigned depth = 1;     ///< most ops in flight at once
  bool paced = true;      ///< as EngineProc
  Nanos previous_end{0};  ///< end of the op that the next op had to wait for
  /// The end that this op would have had if the generator had begun each op of this proc as soon as it could.
  Nanos unhindered_end{0};
  std::uint64_t ended = 0;     ///< ops that ended in the window; under the shard's mutex
  std::uint64_t due = 0;       ///< ops due in the window that ended or are outstanding; under the mutex
  bool active = true;          ///< whether it has ops at the current load point
  double own_ops_per_sec = 0;  ///< its own rate, which load points scale
};

/// The op that a worker is in, for the watch on stuck ops. Written by the worker alone.
struct OpInFlight {
  std::atomic<std::int64_t> since{-1};  ///< ns since the load began; -1: no op
  std::atomic<std::uint32_t> proc{0};
  std::atomic<std::uint64_t> name{0};  ///< kind, name class and index, packed
  std::atomic<bool> reported{false};

  void begin(Nanos start, std::uint32_t index, const Op& op) {
    proc.store(index, std::memory_order_relaxed);
    name.store(static_cast<std::uint64_t>(op.kind) | static_cast<std::uint64_t>(op.name.cls) << 8 | op.name.index << 16,
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

  Shard(std::vector<ShardProc*> procs, std::size_t groups, Failed failed)
      : procs_(std::move(procs)), interval_stats_(std::make_unique<IntervalStats>(groups)), failed_(std::move(failed)) {
    for (const ShardProc* const proc : procs_) clients_ = std::max(clients_, proc->client + 1);
    interval_stats_->clients.resize(clients_);
  }
  virtual ~Shard() = default;

  /// Sets the beginning of the load, before any worker works.
  void begin_at(TimePoint origin, Window window) {
    origin_ = origin;
    window_ = window;
    for (ShardProc* const proc : procs_) proc->ended = proc->due = 0;  // counts of the load before
  }
  /// Drops all statistics. `window` begins after this call.
  void begin_window(Window window) {
    std::lock_guard lock(mutex_);
    window_ = window;
    recorded_ = false;
    interval_stats_->clear();
    for (ShardProc* const proc : procs_) proc->ended = proc->due = 0;
  }
  /// Ends the window at `end`. Only ops that are due before `end` still begin, unless the load goes on.
  virtual void close(Nanos end, bool load_goes_on) = 0;
  /// Whether all ops that are due before the end have ended. Called after close().
  virtual bool is_idle() = 0;
  /// The load goes on as another load point, which begins at `at`: the first op is the first from then on.
  void begin_next(Nanos at) {
    std::lock_guard lock(mutex_);
    first_op_ = never;
    first_op_from_ = at;
  }
  /// The load goes on by other schedules, one for each proc in their order (open loop). Ops in flight go on, too.
  virtual void reschedule(std::vector<Schedule> schedules) = 0;
  /// Counts the ops that have not ended, with their age at `at`. Called after close(); nothing is recorded afterwards.
  virtual void count_outstanding(Nanos at) = 0;
  /// Makes the workers end.
  virtual void stop() = 0;
  /// After stop(): makes the workers give up the ops in flight, where that is possible.
  virtual void abandon() {}

  const std::vector<ShardProc*>& procs() const { return procs_; }

  /// Swaps the statistics for `fresh`, which is empty and is filled from now on.
  void harvest(std::unique_ptr<IntervalStats>& fresh) {
    if (fresh->clients.size() < clients_) fresh->clients.resize(clients_);
    std::lock_guard lock(mutex_);
    std::swap(interval_stats_, fresh);
  }
  /// Calls f for each proc while no counter can change.
  template <class F>
  void with_procs(F f) {
    std::lock_guard lock(mutex_);
    for (ShardProc* proc : procs_) f(*proc);
  }

  /// The actual start of the load point's first op, since the load began; Nanos::max() when no op has ended.
  Nanos first_op() {
    std::lock_guard lock(mutex_);
    return first_op_;
  }
  std::uint64_t errors() const { return errors_.load(std::memory_order_relaxed); }
  std::uint64_t operations() const { return operations_.load(std::memory_order_relaxed); }

 protected:
  /// A time at which a proc may begin its next op.
  struct Due {
    Nanos at;
    std::uint32_t proc;  ///< place in procs_
    bool operator>(const Due& other) const { return at > other.at; }
  };
  static constexpr Nanos never = Nanos::max();

  Nanos elapsed() const { return now() - origin_; }
  /// The times of an op. In a closed loop the intended start is the actual start.
  struct OpTimes {
    Nanos intended{0}, start{0}, end{0};
    Nanos unhindered_start{0};  ///< as ShardProc::unhindered_end; a later start is the generator's delay
    Nanos waited{0};            ///< in a closed loop: time since the proc could have begun the op

    Nanos unhindered_end() const { return unhindered_start + (end - start); }
  };
  /// The times of an op that begins at `start`; the two ends are those of ShardProc.
  static OpTimes times_of(const Schedule& schedule, Nanos start, Nanos previous_end, Nanos unhindered_end) {
    if (!schedule.open_loop()) return {start, start, start, start, start - previous_end};
    return {schedule.due(), start, start, std::max(schedule.due(), unhindered_end), Nanos(0)};
  }
  /// Called with mutex_ held.
  void record(ShardProc& proc, OpKind kind, const OpTimes& times, const OpResult& result) {
    if (recorded_) return;
    if (times.start >= first_op_from_) first_op_ = std::min(first_op_, times.start);
    OpKindStats& stats = interval_stats_->ops.of(kind);
    ClientStats& client = interval_stats_->clients[proc.client];
    const bool timed = window_.contains(times.intended);
    if (window_.contains(times.end)) {
      stats.count(result);
      ++interval_stats_->group_operations[proc.group];
      client.counts.count(result);
      ++proc.ended;
    } else if (timed && result.error != 0) {
      ++stats.errors[result.error];
      ++client.counts.errors;
    }
    if (!proc.schedule.open_loop() && times.start < window_.start && times.end > window_.start)
      interval_stats_->group_waits[proc.group].carry(std::min(times.end, window_.end) - window_.start);
    if (!timed) return;
    ++proc.due;
    if (proc.schedule.open_loop()) {
      stats.time({times.end - times.intended, times.end - times.start, times.start - times.intended});
      client.time(kind, times.end - times.intended, times.end - times.start);
      interval_stats_->generator_lag.record(times.start - times.unhindered_start);
    } else {
      stats.time_closed_loop(times.end - times.start);
      client.time_closed_loop(kind, times.end - times.start);
      interval_stats_->group_waits[proc.group].add(times.waited);
    }
  }
  /// Records an op that was due at `intended` and has not ended at `at`. Called with mutex_ held. `could_begin`: the
  /// proc has room for the op, so that only the generator keeps it from beginning.
  void record_outstanding(ShardProc& proc, Nanos intended, Nanos at, bool could_begin) {
    if (!window_.contains(intended)) return;
    ++proc.due;
    interval_stats_->ops.record_outstanding(at - intended);
    interval_stats_->clients[proc.client].record_outstanding(at - intended);
    if (!proc.schedule.open_loop()) return;
    const Nanos own = could_begin ? at - proc.unhindered_end : proc.previous_end - proc.unhindered_end;
    interval_stats_->generator_lag.record(std::min(own, at - intended));
  }
  void count(std::uint64_t operations, std::uint64_t errors) {
    operations_.store(operations_.load(std::memory_order_relaxed) + operations, std::memory_order_relaxed);
    if (errors != 0) errors_.store(errors_.load(std::memory_order_relaxed) + errors, std::memory_order_relaxed);
  }
  /// Takes a failed op back in the model of its proc. An op that lost a race for a shared file has no error.
  void settle(ShardProc& proc, const Op& op, OpResult& result) {
    if (result.error == 0) return;
    if (!proc.ops.loses_race(op, result.error)) return report(proc, op, result.error);
    proc.ops.failed(op);
    result.error = 0;
    result.lost_race = true;
  }
  void report(ShardProc& proc, const Op& op, int error) {
    proc.ops.failed(op);
    failed_(proc.index, op, error);
  }

  std::vector<ShardProc*> procs_;
  TimePoint origin_;
  std::mutex mutex_;
  std::unique_ptr<IntervalStats> interval_stats_;
  Window window_;  ///< under mutex_
  Nanos first_op_ = never;
  Nanos first_op_from_{0};
  bool recorded_ = false;  ///< whether outstanding ops have been counted; under mutex_

 private:
  const Failed failed_;
  std::size_t clients_ = 0;  ///< number of counters: up to the highest client of its procs
  std::atomic<std::uint64_t> errors_{0}, operations_{0};
};

}  // namespace edagen
