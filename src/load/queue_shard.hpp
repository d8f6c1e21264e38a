// Procs with several ops in flight at once, and the one thread that submits and reaps their ops.
#pragma once

#include <span>

#include "load/mix_balancer.hpp"
#include "load/op_slots.hpp"
#include "load/shard.hpp"
#include "load/wake_up.hpp"

namespace edagen {

class QueueShard final : public Shard {
 public:
  /// With `spin` the worker wakes before ops are due and spins until then. `shares` is as in SerialShard.
  QueueShard(std::vector<ShardProc*> procs, std::size_t groups, bool spin, MixBalancer* shares, Failed failed);

  /// The argument of Target::make_queue().
  std::vector<QueuedProc> queued_procs() const;
  /// Maximum number of ops in flight.
  std::size_t slots() const { return ops_in_flight_.size(); }

  /// Runs the worker until stop() and the end of the ops in flight, or abandon(). `watched` has an entry for each slot,
  /// for the watch on stuck ops.
  void work(TargetQueue& queue, std::span<OpInFlight> watched);
  void stop() override { stopping_.store(true, std::memory_order_relaxed); }
  void abandon() override { abandons_.store(true, std::memory_order_relaxed); }
  void close(Nanos end, bool load_goes_on) override;
  bool is_idle() override { return idle_.load(std::memory_order_acquire); }
  void reschedule(std::vector<Schedule> schedules) override;
  void count_outstanding(Nanos at) override;

 private:
  struct InFlight {
    Op op;
    std::uint32_t proc = 0;  ///< place in procs_
    OpTimes times;
    OpResult result;  ///< when it has ended
    bool started = false;
  };

  void begin_due(TargetQueue& queue, std::span<OpInFlight> watched, std::span<TargetQueue::Completion> done);
  /// Begins the proc's next op. Returns its start.
  Nanos begin(std::uint32_t place, TargetQueue& queue, std::span<OpInFlight> watched);
  void end(std::span<const TargetQueue::Completion> done, std::span<OpInFlight> watched);
  /// Puts the proc into the queue of due times, if it may begin an op.
  void list(std::uint32_t place, Nanos earliest = Nanos(0));
  Nanos time_to_next() const;
  /// Whether the proc's next op may begin. Called by the worker alone, as all functions here.
  bool may_begin(const ShardProc& proc) const;
  void record_all_outstanding();
  void note_end_of_window();
  bool window_is_over() const;
  void take_new_schedules();

  std::vector<OpSlots> op_slots_;  ///< by place in procs_
  std::vector<InFlight> ops_in_flight_;
  std::vector<Due> due_;  ///< heap, earliest first
  std::size_t count_in_flight_ = 0;
  std::atomic<bool> stopping_{false}, abandons_{false};
  std::atomic<bool> ends_{false};    ///< set when window_ has an end
  std::atomic<bool> closed_{false};  ///< as ends_, when the load does not go on
  std::atomic<bool> idle_{false};
  std::atomic<bool> count_them_{false};         ///< the worker must count the outstanding ops, at counted_at_
  Nanos counted_at_{0};                         ///< written before count_them_
  std::vector<Schedule> new_schedules_;         ///< under mutex_
  std::atomic<bool> has_new_schedules_{false};  ///< the worker must take new_schedules_
  const bool spin_;
  MixBalancer* const shares_;
  WakeUp wake_up_;
};

}  // namespace edagen
