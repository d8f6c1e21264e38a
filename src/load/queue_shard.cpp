#include "load/queue_shard.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace edagen {
namespace {

/// Maximum time for which a stop goes unnoticed.
constexpr Nanos longest_wait = std::chrono::milliseconds(20);
/// The system is polled for ended ops after this many begins, or after longest_unpolled: no end is seen later than
/// that.
constexpr int most_begins = 64;
constexpr Nanos longest_unpolled = std::chrono::microseconds(50);

}  // namespace

QueueShard::QueueShard(std::vector<ShardProc*> procs, std::size_t groups, bool spin, MixBalancer* shares, Failed failed)
    : Shard(std::move(procs), groups, std::move(failed)), op_slots_(procs_.size()), spin_(spin), shares_(shares) {
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
    if (stopping && (count_in_flight_ == 0 || (abandons_.load(std::memory_order_relaxed) && queue.abandon()))) break;
    if (has_new_schedules_.load(std::memory_order_acquire)) take_new_schedules();
    if (!stopping) begin_due(queue, watched, done);
    const Nanos wait = stopping ? longest_wait : time_to_next(), asleep = elapsed();
    const std::size_t count = queue.complete(done, wait);
    if (count == 0 && wait > Nanos(0)) wake_up_.woke(std::max(elapsed() - asleep - wait, Nanos(0)));
    end({done.data(), count}, watched);
    if (!ends_.load(std::memory_order_acquire)) continue;
    note_end_of_window();
    if (count_them_.load(std::memory_order_acquire)) record_all_outstanding();
  }
  for (std::uint32_t place = 0; place < procs_.size(); ++place) op_slots_[place].close(procs_[place]->ops);
}

bool QueueShard::may_begin(const ShardProc& proc) const {
  if (!closed_.load(std::memory_order_acquire)) return true;
  return proc.schedule.open_loop() && proc.schedule.due() < window_.end;
}

void QueueShard::note_end_of_window() {
  std::lock_guard lock(mutex_);
  // Procs that are due as soon as they can would hide those that have a time.
  const auto is_over = [&](const Due& due) { return !procs_[due.proc]->schedule.open_loop(); };
  if (closed_.load(std::memory_order_relaxed) && std::erase_if(due_, is_over) > 0)
    std::ranges::make_heap(due_, std::greater<>());
  if (ends_.load(std::memory_order_relaxed) && window_is_over()) idle_.store(true, std::memory_order_release);
}

/// A proc that is not listed has ops in flight that were due before its next op.
bool QueueShard::window_is_over() const {
  if (closed_.load(std::memory_order_acquire))
    return count_in_flight_ == 0 && (due_.empty() || !may_begin(*procs_[due_.front().proc]));
  return (due_.empty() || due_.front().at >= window_.end) &&
         std::ranges::none_of(ops_in_flight_, [&](const InFlight& current) {
           return current.started && current.times.intended < window_.end;
         });
}

void QueueShard::close(Nanos end, bool load_goes_on) {
  std::lock_guard lock(mutex_);
  window_.end = end;
  closed_.store(!load_goes_on, std::memory_order_release);
  ends_.store(true, std::memory_order_release);
}

void QueueShard::reschedule(std::vector<Schedule> schedules) {
  std::lock_guard lock(mutex_);
  new_schedules_ = std::move(schedules);
  ends_.store(false, std::memory_order_release);
  idle_.store(false, std::memory_order_release);
  has_new_schedules_.store(true, std::memory_order_release);
}

void QueueShard::take_new_schedules() {
  std::lock_guard lock(mutex_);
  has_new_schedules_.store(false, std::memory_order_relaxed);
  for (std::size_t place = 0; place < procs_.size(); ++place) procs_[place]->schedule = new_schedules_[place];
  for (Due& due : due_) due.at = procs_[due.proc]->schedule.due();
  std::ranges::make_heap(due_, std::greater<>());
}

/// The worker checks count_them_ at least every longest_wait, unless it hangs in the kernel.
void QueueShard::count_outstanding(Nanos at) {
  if (is_idle()) return;
  counted_at_ = at;
  count_them_.store(true, std::memory_order_release);
  for (const TimePoint deadline = now() + 10 * longest_wait; now() < deadline;) {
    {
      std::lock_guard lock(mutex_);
      if (recorded_) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::lock_guard lock(mutex_);
  if (std::exchange(recorded_, true)) return;
  // Which ops are in flight is known to the worker alone. One op shows that the window did not end well.
  interval_stats_->ops.record_outstanding(at - window_.end);
}

void QueueShard::record_all_outstanding() {
  std::lock_guard lock(mutex_);
  if (recorded_) return;
  for (const InFlight& current : ops_in_flight_) {
    if (!current.started) continue;
    ShardProc& proc = *procs_[current.proc];
    // In a closed loop an op that has not ended since before the window is one of the window, too.
    const Nanos least = proc.schedule.open_loop() ? Nanos(0) : window_.start;
    record_outstanding(proc, std::max(current.times.intended, least), counted_at_, false);
  }
  for (std::size_t place = 0; place < procs_.size(); ++place) {
    ShardProc& proc = *procs_[place];
    for (Schedule schedule = proc.schedule; schedule.open_loop() && schedule.due() < window_.end; schedule.advance())
      record_outstanding(proc, schedule.due(), counted_at_, op_slots_[place].listed);
  }
  recorded_ = true;
}

/// Cached ops complete during submission; they are reaped at once, or they would get the latency of the whole batch.
void QueueShard::begin_due(TargetQueue& queue, std::span<OpInFlight> watched, std::span<TargetQueue::Completion> done) {
  Nanos at = elapsed(), polled = at;
  for (int i = 0; i < most_begins && !due_.empty() && (due_.front().at <= at || due_.front().at <= (at = elapsed()));
       ++i) {
    const std::uint32_t place = due_.front().proc;
    if (!may_begin(*procs_[place])) return;
    std::pop_heap(due_.begin(), due_.end(), std::greater<>());
    due_.pop_back();
    op_slots_[place].listed = false;
    if (shares_ && !shares_->may_begin(procs_[place]->group)) {
      list(place, at + MixBalancer::recheck_after);
      procs_[place]->previous_end = at;  // the wait for other kinds is no delay of the generator
      continue;
    }
    at = begin(place, queue, watched);
    const bool polls = at - polled >= longest_unpolled;
    if (polls) polled = at;
    end(done.first(queue.complete(done, Nanos(polls ? 0 : -1))), watched);
  }
}

Nanos QueueShard::begin(std::uint32_t place, TargetQueue& queue, std::span<OpInFlight> watched) {
  ShardProc& proc = *procs_[place];
  const std::optional<Op> op = op_slots_[place].next(proc.ops);
  if (!op) return elapsed();
  const std::uint32_t slot = op_slots_[place].begin(*op);
  ++count_in_flight_;
  if (shares_) shares_->op_started(proc.group, 1);
  InFlight& current = ops_in_flight_[slot];
  current.op = *op;
  current.proc = place;
  const Nanos start = elapsed();
  current.times = times_of(proc.schedule, start, proc.previous_end, proc.unhindered_end);
  current.started = true;
  proc.schedule.advance();
  watched[slot].begin(start, proc.index, *op);
  queue.begin(slot, proc.index, *op);
  list(place);
  return start;
}

void QueueShard::end(std::span<const TargetQueue::Completion> done, std::span<OpInFlight> watched) {
  if (done.empty()) return;
  const Nanos at = elapsed();
  std::uint64_t errors = 0;
  for (const TargetQueue::Completion& ended : done) {
    InFlight& current = ops_in_flight_[ended.slot];
    current.result = ended.result;
    settle(*procs_[current.proc], current.op, current.result);
    if (current.result.error != 0) ++errors;
  }
  {
    std::lock_guard lock(mutex_);
    for (const TargetQueue::Completion& ended : done) {
      InFlight& current = ops_in_flight_[ended.slot];
      current.times.end = at;
      current.started = false;
      record(*procs_[current.proc], current.op.kind, current.times, current.result);
    }
  }
  count(done.size(), errors);
  count_in_flight_ -= done.size();
  for (const TargetQueue::Completion& ended : done) {
    const InFlight& current = ops_in_flight_[ended.slot];
    watched[ended.slot].end();
    OpSlots& slots = op_slots_[current.proc];
    slots.end(ended.slot);
    if (slots.listed || !slots.may_begin()) continue;
    procs_[current.proc]->previous_end = at;
    procs_[current.proc]->unhindered_end = current.times.unhindered_end();
    list(current.proc);
  }
}

void QueueShard::list(std::uint32_t place, Nanos earliest) {
  OpSlots& slots = op_slots_[place];
  if (slots.listed || !slots.may_begin()) return;
  const ShardProc& proc = *procs_[place];
  // Procs of a closed loop take turns.
  due_.push_back({proc.schedule.open_loop() ? proc.schedule.due() : std::max(proc.previous_end, earliest), place});
  std::push_heap(due_.begin(), due_.end(), std::greater<>());
  slots.listed = true;
}

Nanos QueueShard::time_to_next() const {
  if (due_.empty() || !may_begin(*procs_[due_.front().proc])) return longest_wait;
  const Nanos early = spin_ ? wake_up_.margin() : Nanos(0);
  return std::clamp(due_.front().at - early - elapsed(), Nanos(0), longest_wait);
}

}  // namespace edagen
