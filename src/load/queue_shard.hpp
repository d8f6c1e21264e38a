// Procs with several ops under way at once, and the one thread that begins them and sees them end.
#pragma once

#include <span>

#include "load/op_window.hpp"
#include "load/shard.hpp"

namespace edagen {

class QueueShard final : public Shard {
 public:
  QueueShard(std::vector<ShardProc*> procs, std::size_t groups, Failed failed);

  /// For Target::make_queue().
  std::vector<QueuedProc> queued_procs() const;
  /// Ops under way at most.
  std::size_t slots() const { return under_way_.size(); }

  /// The worker's life: until stop() and the end of the ops under way. `in_flight` has an entry for each slot.
  void work(TargetQueue& queue, std::span<OpInFlight> in_flight);
  void stop() override { stopping_.store(true, std::memory_order_relaxed); }

 private:
  struct UnderWay {
    Op op;
    std::uint32_t proc = 0;  ///< place in procs_
    Nanos intended{0}, start{0};
    double generator_lag_ns = 0;
  };

  void begin_due(TargetQueue& queue, std::span<OpInFlight> in_flight, std::span<TargetQueue::Completion> done);
  void begin(std::uint32_t place, TargetQueue& queue, std::span<OpInFlight> in_flight);
  void end(std::span<const TargetQueue::Completion> done, std::span<OpInFlight> in_flight);
  /// Puts the proc where it waits for its next op, if it may begin one.
  void list(std::uint32_t place);
  Nanos time_to_next() const;

  std::vector<OpWindow> windows_;  ///< by place in procs_
  std::vector<UnderWay> under_way_;
  std::vector<Due> due_;  ///< heap, earliest first
  std::size_t count_under_way_ = 0;
  std::atomic<bool> stopping_{false};
};

}  // namespace edagen
