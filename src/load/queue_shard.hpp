// Procs with several ops in flight at once, and the one thread that begins them and sees them end.
#pragma once

#include <span>

#include "load/op_slots.hpp"
#include "load/shard.hpp"

namespace edagen {

class QueueShard final : public Shard {
 public:
  QueueShard(std::vector<ShardProc*> procs, std::size_t groups, Failed failed);

  /// For Target::make_queue().
  std::vector<QueuedProc> queued_procs() const;
  /// Ops in flight at most.
  std::size_t slots() const { return ops_in_flight_.size(); }

  /// The worker's life: until stop() and the end of the ops in flight. `watched` has an entry for each slot, for the
  /// watch on stuck ops.
  void work(TargetQueue& queue, std::span<OpInFlight> watched);
  void stop() override { stopping_.store(true, std::memory_order_relaxed); }

 private:
  struct InFlight {
    Op op;
    std::uint32_t proc = 0;  ///< place in procs_
    Nanos intended{0}, start{0};
    double generator_lag_ns = 0;
  };

  void begin_due(TargetQueue& queue, std::span<OpInFlight> watched, std::span<TargetQueue::Completion> done);
  void begin(std::uint32_t place, TargetQueue& queue, std::span<OpInFlight> watched);
  void end(std::span<const TargetQueue::Completion> done, std::span<OpInFlight> watched);
  /// Puts the proc where it waits for its next op, if it may begin one.
  void list(std::uint32_t place);
  Nanos time_to_next() const;

  std::vector<OpSlots> op_slots_;  ///< by place in procs_
  std::vector<InFlight> ops_in_flight_;
  std::vector<Due> due_;  ///< heap, earliest first
  std::size_t count_in_flight_ = 0;
  std::atomic<bool> stopping_{false};
};

}  // namespace edagen
