#include "load/queue_shard.hpp"

#include <algorithm>
#include <array>

namespace edagen {
namespace {

/// How long a stop may go unnoticed.
constexpr Nanos longest_wait = std::chrono::milliseconds(20);
constexpr int most_begins = 64;  ///< before the system is asked what has ended

}  // namespace

QueueShard::QueueShard(std::vector<ShardProc*> procs, std::size_t groups, Failed failed)
    : Shard(std::move(procs), groups, std::move(failed)), op_slots_(procs_.size()) {
  std::uint32_t slot = 0;
  for (std::uint32_t place = 0; place < procs_.size(); ++place) {
    for (unsigned i = 0; i < procs_[place]->depth; ++i) op_slots_[place].add_slot(slot++);
    list(place);
  }
  ops_in_flight_.resize(slot);
}

std::vector<QueuedProc> QueueShard::queued_procs() const {
  std::vector<QueuedProc> procs;
  for (const ShardProc* proc : procs_) procs.push_back({proc->index, proc->depth});
  return procs;
}

void QueueShard::work(TargetQueue& queue, std::span<OpInFlight> watched) {
  std::array<TargetQueue::Completion, 256> done;
  for (;;) {
    const bool stopping = stopping_.load(std::memory_order_relaxed);
    if (stopping && count_in_flight_ == 0) break;
    if (!stopping) begin_due(queue, watched, done);
    const std::size_t count = queue.complete(done, stopping ? longest_wait : time_to_next());
    end({done.data(), count}, watched);
  }
  for (std::uint32_t place = 0; place < procs_.size(); ++place) op_slots_[place].close(procs_[place]->ops);
}

/// What is in a cache ends as it begins: it is seen at once, or its latency would be that of all that begin with it.
void QueueShard::begin_due(TargetQueue& queue, std::span<OpInFlight> watched, std::span<TargetQueue::Completion> done) {
  Nanos at = elapsed();
  for (int i = 0; i < most_begins && !due_.empty() && (due_.front().at <= at || due_.front().at <= (at = elapsed()));
       ++i) {
    const std::uint32_t place = due_.front().proc;
    std::pop_heap(due_.begin(), due_.end(), std::greater<>());
    due_.pop_back();
    op_slots_[place].listed = false;
    begin(place, queue, watched);
    end(done.first(queue.complete(done, Nanos(-1))), watched);
  }
}

void QueueShard::begin(std::uint32_t place, TargetQueue& queue, std::span<OpInFlight> watched) {
  ShardProc& proc = *procs_[place];
  const std::optional<Op> op = op_slots_[place].next(proc.ops);
  if (!op) return;
  const std::uint32_t slot = op_slots_[place].begin(*op);
  ++count_in_flight_;
  InFlight& current = ops_in_flight_[slot];
  current.op = *op;
  current.proc = place;
  current.intended = proc.schedule.due();
  current.start = elapsed();
  current.generator_lag_ns =
      static_cast<double>((current.start - std::max(current.intended, proc.previous_end)).count());
  proc.schedule.advance();
  watched[slot].begin(current.start, proc.index, *op);
  queue.begin(slot, proc.index, *op);
  list(place);
}

void QueueShard::end(std::span<const TargetQueue::Completion> done, std::span<OpInFlight> watched) {
  if (done.empty()) return;
  const Nanos at = elapsed();
  std::uint64_t errors = 0;
  {
    std::lock_guard lock(mutex_);
    for (const TargetQueue::Completion& ended : done) {
      const InFlight& current = ops_in_flight_[ended.slot];
      ShardProc& proc = *procs_[current.proc];
      record(proc, current.op.kind, times_of(proc, current.intended, current.start, at), ended.result);
      if (proc.schedule.open_loop()) interval_stats_->generator_lag_ns += current.generator_lag_ns;
      if (ended.result.error != 0) ++errors;
    }
  }
  count(done.size(), errors);
  count_in_flight_ -= done.size();
  for (const TargetQueue::Completion& ended : done) {
    const InFlight& current = ops_in_flight_[ended.slot];
    watched[ended.slot].end();
    OpSlots& slots = op_slots_[current.proc];
    if (ended.result.error != 0) report(*procs_[current.proc], current.op, ended.result.error);
    slots.end(ended.slot);
    if (slots.listed || !slots.may_begin()) continue;
    procs_[current.proc]->previous_end = at;
    list(current.proc);
  }
}

void QueueShard::list(std::uint32_t place) {
  OpSlots& slots = op_slots_[place];
  if (slots.listed || !slots.may_begin()) return;
  const ShardProc& proc = *procs_[place];
  // Closed-loop procs take turns.
  due_.push_back({proc.schedule.open_loop() ? proc.schedule.due() : proc.previous_end, place});
  std::push_heap(due_.begin(), due_.end(), std::greater<>());
  slots.listed = true;
}

Nanos QueueShard::time_to_next() const {
  if (due_.empty()) return longest_wait;
  return std::clamp(due_.front().at - elapsed(), Nanos(0), longest_wait);
}

}  // namespace edagen
