#include "load/queue_shard.hpp"

#include <algorithm>
#include <array>

namespace edagen {
namespace {

/// How long a stop may go unnoticed.
constexpr Nanos longest_wait = std::chrono::milliseconds(20);
constexpr int most_begun = 64;  ///< before the system is asked what has ended

}  // namespace

QueueShard::QueueShard(std::vector<ShardProc*> procs, std::size_t groups, Failed failed)
    : Shard(std::move(procs), groups, std::move(failed)), windows_(procs_.size()) {
  std::uint32_t slot = 0;
  for (std::uint32_t place = 0; place < procs_.size(); ++place) {
    for (unsigned i = 0; i < procs_[place]->depth; ++i) windows_[place].add_slot(slot++);
    list(place);
  }
  under_way_.resize(slot);
}

std::vector<QueuedProc> QueueShard::queued_procs() const {
  std::vector<QueuedProc> procs;
  for (const ShardProc* proc : procs_) procs.push_back({proc->index, proc->depth});
  return procs;
}

void QueueShard::work(TargetQueue& queue, std::span<OpInFlight> in_flight) {
  std::array<TargetQueue::Completion, 256> done;
  for (;;) {
    const bool stopping = stopping_.load(std::memory_order_relaxed);
    if (stopping && count_under_way_ == 0) break;
    if (!stopping) begin_due(queue, in_flight, done);
    const std::size_t count = queue.complete(done, stopping ? longest_wait : time_to_next());
    end({done.data(), count}, in_flight);
  }
  for (std::uint32_t place = 0; place < procs_.size(); ++place) windows_[place].close(procs_[place]->ops);
}

/// What is in a cache ends as it begins: it is seen at once, or its latency would be that of all that begin with it.
void QueueShard::begin_due(TargetQueue& queue, std::span<OpInFlight> in_flight, std::span<TargetQueue::Completion> done) {
  Nanos at = elapsed();
  for (int i = 0; i < most_begun && !due_.empty() && (due_.front().at <= at || due_.front().at <= (at = elapsed())); ++i) {
    const std::uint32_t place = due_.front().proc;
    std::pop_heap(due_.begin(), due_.end(), std::greater<>());
    due_.pop_back();
    windows_[place].listed = false;
    begin(place, queue, in_flight);
    end(done.first(queue.complete(done, Nanos(-1))), in_flight);
  }
}

void QueueShard::begin(std::uint32_t place, TargetQueue& queue, std::span<OpInFlight> in_flight) {
  ShardProc& proc = *procs_[place];
  const std::optional<Op> op = windows_[place].next(proc.ops);
  if (!op) return;
  const std::uint32_t slot = windows_[place].begin(*op);
  ++count_under_way_;
  UnderWay& begun = under_way_[slot];
  begun.op = *op;
  begun.proc = place;
  begun.intended = proc.schedule.due();
  begun.start = elapsed();
  begun.generator_lag_ns = static_cast<double>((begun.start - std::max(begun.intended, proc.previous_end)).count());
  proc.schedule.advance();
  in_flight[slot].begin(begun.start, proc.index, *op);
  queue.begin(slot, proc.index, *op);
  list(place);
}

void QueueShard::end(std::span<const TargetQueue::Completion> done, std::span<OpInFlight> in_flight) {
  if (done.empty()) return;
  const Nanos at = elapsed();
  std::uint64_t errors = 0;
  {
    std::lock_guard lock(mutex_);
    for (const TargetQueue::Completion& ended : done) {
      const UnderWay& begun = under_way_[ended.slot];
      ShardProc& proc = *procs_[begun.proc];
      record(proc, begun.op.kind, times_of(proc, begun.intended, begun.start, at), ended.result);
      if (proc.schedule.open_loop()) seen_->generator_lag_ns += begun.generator_lag_ns;
      if (ended.result.error != 0) ++errors;
    }
  }
  count(done.size(), errors);
  count_under_way_ -= done.size();
  for (const TargetQueue::Completion& ended : done) {
    const UnderWay& begun = under_way_[ended.slot];
    in_flight[ended.slot].end();
    OpWindow& window = windows_[begun.proc];
    if (ended.result.error != 0) report(*procs_[begun.proc], begun.op, ended.result.error);
    window.end(ended.slot);
    if (window.listed || !window.may_begin()) continue;
    procs_[begun.proc]->previous_end = at;
    list(begun.proc);
  }
}

void QueueShard::list(std::uint32_t place) {
  OpWindow& window = windows_[place];
  if (window.listed || !window.may_begin()) return;
  const ShardProc& proc = *procs_[place];
  // Unpaced procs take turns.
  due_.push_back({proc.schedule.open_loop() ? proc.schedule.due() : proc.previous_end, place});
  std::push_heap(due_.begin(), due_.end(), std::greater<>());
  window.listed = true;
}

Nanos QueueShard::time_to_next() const {
  if (due_.empty()) return longest_wait;
  return std::clamp(due_.front().at - elapsed(), Nanos(0), longest_wait);
}

}  // namespace edagen
