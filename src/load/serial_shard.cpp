#include "load/serial_shard.hpp"

#include <algorithm>
#include <new>

namespace edagen {
namespace {

/// Yields to the core's other hardware thread.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace

SerialShard::SerialShard(std::vector<ShardProc*> procs, std::size_t groups, bool spin, MixBalancer* shares,
                         Failed failed)
    : Shard(std::move(procs), groups, std::move(failed)), queues_(shares ? groups : 1), spin_(spin), shares_(shares) {
  for (std::uint32_t i = 0; i < procs_.size(); ++i) enqueue(i);
}

/// Procs of a closed loop take turns: each proc is due when its last op ended.
Nanos SerialShard::next_due(const ShardProc& proc) const {
  if (proc.schedule.open_loop()) return proc.schedule.due();
  return closed_ ? never : proc.previous_end;
}

void SerialShard::enqueue(std::uint32_t place) {
  std::vector<Due>& queue = queue_of(place);
  queue.push_back({next_due(*procs_[place]), place});
  std::push_heap(queue.begin(), queue.end(), std::greater<>());
}

std::vector<SerialShard::Due>* SerialShard::next_queue() {
  if (!shares_) return queues_.front().empty() ? nullptr : &queues_.front();
  std::size_t next = queues_.size();
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (!queues_[i].empty() && (next == queues_.size() || shares_->progress(i) < shares_->progress(next))) next = i;
  return next < queues_.size() && shares_->may_begin(next) ? &queues_[next] : nullptr;
}

void SerialShard::renew(std::vector<Due>& queue) {
  for (Due& due : queue) due.at = next_due(*procs_[due.proc]);
  std::ranges::make_heap(queue, std::greater<>());
}

std::size_t SerialShard::waiting() const {
  std::size_t count = 0;
  for (const std::vector<Due>& queue : queues_) count += queue.size();
  return count;
}

void SerialShard::work(TargetWorker& worker, OpInFlight& in_flight) {
  std::array<Done, batch_ops> done;
  std::unique_lock lock(mutex_);
  Due due{};
  while (take(lock, due)) {
    // Another worker must attend the next op if it is due before this op is likely to end; except when this worker will
    // be back before another worker could wake.
    const bool long_service = !spin_ || likely_service() > wake_up_.margin();
    if (parked_workers_ > 0 && long_service && attended_.load(std::memory_order_relaxed) == never) {
      const std::vector<Due>* const next = next_queue();
      if (next && next->front().at - elapsed() < likely_service()) parked_.notify_one();
    }
    ShardProc& proc = *procs_[due.proc];
    // The proc keeps its old schedule until the batch is recorded, because count_outstanding() reads it.
    Schedule schedule = proc.schedule;
    Nanos previous_end = proc.previous_end, unhindered_end = proc.unhindered_end;
    const std::uint64_t rescheduled = rescheduled_;
    lock.unlock();
    const std::size_t count = carry_out_batch(proc, worker, in_flight, schedule, previous_end, unhindered_end, done);
    lock.lock();
    if (rescheduled == rescheduled_) proc.schedule = schedule;
    proc.previous_end = previous_end;
    proc.unhindered_end = unhindered_end;
    account(proc, done, count);
    if (shares_) shares_->op_started(proc.group, count - 1);
    enqueue(due.proc);
  }
}

/// Waits for a proc to be due and takes it from the queue. Returns false when the worker must stop.
bool SerialShard::take(std::unique_lock<std::mutex>& lock, Due& due) {
  while (!stopping_ && !(closed_ && exhausted())) {
    std::vector<Due>* const queue = next_queue();
    if (queue && (queue->front().at <= Nanos(0) || queue->front().at <= elapsed())) {
      due = queue->front();
      std::pop_heap(queue->begin(), queue->end(), std::greater<>());
      queue->pop_back();
      if (shares_) shares_->op_started(procs_[due.proc]->group, 1);
      return true;
    }
    const Nanos next = queue ? queue->front().at : waiting() > 0 ? elapsed() + MixBalancer::recheck_after : never;
    if (next < attended_.load(std::memory_order_relaxed)) {
      attend(lock, next);
    } else {
      ++parked_workers_;
      parked_.wait(lock);
      --parked_workers_;
    }
  }
  return false;
}

/// Waits until the op is due at `next`, or until another worker attends an earlier op. A worker that slept for a later
/// op finds on waking that it is not needed.
void SerialShard::attend(std::unique_lock<std::mutex>& lock, Nanos next) {
  const auto attended = [&] { return attended_.load(std::memory_order_relaxed) == next; };
  attended_.store(next, std::memory_order_relaxed);
  const Nanos wake = next - (spin_ ? wake_up_.margin() : Nanos(0));
  bool awake = elapsed() >= wake;
  if (!awake) {
    attending_.wait_until(lock, origin_ + wake);
    const Nanos late = elapsed() - wake;
    awake = late >= Nanos(0);
    if (awake) wake_up_.woke(late);
  }
  if (spin_ && awake && attended()) {
    lock.unlock();
    while (attended() && elapsed() < next) pause();
    lock.lock();
  }
  if (attended()) attended_.store(never, std::memory_order_relaxed);
}

std::size_t SerialShard::carry_out_batch(ShardProc& proc, TargetWorker& worker, OpInFlight& in_flight,
                                         Schedule& schedule, Nanos& previous_end, Nanos& unhindered_end,
                                         std::array<Done, batch_ops>& done) {
  const bool open_loop = schedule.open_loop();
  Nanos batch_end = never;
  for (std::size_t count = 0;;) {
    const Op op = proc.ops.next();
    const Nanos start = elapsed();
    in_flight.begin(start, proc.index, op);
    Done& entry = done[count++];
    ::new (&entry.result) OpResult(worker.carry_out(proc.index, op));  // a copy would have to wait for its parts
    const Nanos end = elapsed();
    in_flight.end();
    settle(proc, op, entry.result);
    entry.kind = op.kind;
    entry.times = times_of(schedule, start, previous_end, unhindered_end);
    entry.times.end = end;
    schedule.advance();
    previous_end = end;
    unhindered_end = entry.times.unhindered_end();
    if (batch_end == never) batch_end = start + batch_time;
    if (count == done.size() || end >= batch_end || (open_loop && schedule.due() > end)) return count;
  }
}

void SerialShard::account(ShardProc& proc, const std::array<Done, batch_ops>& done, std::size_t count) {
  std::uint64_t errors = 0;
  for (std::size_t i = 0; i < count; ++i) {
    record(proc, done[i].kind, done[i].times, done[i].result);
    if (done[i].result.error != 0) ++errors;
  }
  this->count(count, errors);
  const OpTimes& last = done[count - 1].times;
  const NanosF longer = last.end - last.start - service_mean_;
  service_deviation_ += (std::chrono::abs(longer) - service_deviation_) / 16;
  service_mean_ += longer / 16;
}

bool SerialShard::exhausted() {
  return std::ranges::all_of(
      queues_, [&](const std::vector<Due>& queue) { return queue.empty() || queue.front().at >= window_.end; });
}

void SerialShard::close(Nanos end, bool load_goes_on) {
  std::lock_guard lock(mutex_);
  window_.end = end;
  closed_ = !load_goes_on;
  if (load_goes_on) return;
  for (std::vector<Due>& queue : queues_) renew(queue);
  parked_.notify_all();
  attending_.notify_all();
}

bool SerialShard::is_idle() {
  std::lock_guard lock(mutex_);
  if (closed_) return waiting() == procs_.size() && exhausted();
  // A proc whose ops a worker carries out still has its schedule from before.
  return std::ranges::all_of(procs_, [&](const ShardProc* proc) { return proc->schedule.due() >= window_.end; });
}

void SerialShard::reschedule(std::vector<Schedule> schedules) {
  std::lock_guard lock(mutex_);
  ++rescheduled_;
  for (std::size_t place = 0; place < procs_.size(); ++place) procs_[place]->schedule = schedules[place];
  renew(queues_.front());  // the only queue in an open loop
  attended_.store(never, std::memory_order_relaxed);
  attending_.notify_all();
}

void SerialShard::count_outstanding(Nanos at) {
  std::lock_guard lock(mutex_);
  std::vector<bool> waits(procs_.size());
  for (const std::vector<Due>& queue : queues_)
    for (const Due& due : queue) waits[due.proc] = true;
  for (std::size_t place = 0; place < procs_.size(); ++place) {
    ShardProc& proc = *procs_[place];
    if (!proc.schedule.open_loop()) {
      // The start of this op is unknown, but it has not ended since the end of the op before.
      if (!waits[place]) record_outstanding(proc, std::max(proc.previous_end, window_.start), at, false);
      continue;
    }
    // When a worker is at the proc's ops, this is the schedule from before its batch.
    for (Schedule schedule = proc.schedule; schedule.due() < window_.end; schedule.advance())
      record_outstanding(proc, schedule.due(), at, waits[place]);
  }
  recorded_ = true;
}

void SerialShard::stop() {
  std::lock_guard lock(mutex_);
  stopping_ = true;
  parked_.notify_all();
  attending_.notify_all();
}

std::size_t SerialShard::wake(Nanos deadline, std::size_t workers) {
  std::lock_guard lock(mutex_);
  if (closed_ && exhausted()) return 0;
  const std::vector<Due>* const queue = next_queue();
  if (!queue || queue->front().at > deadline) return 0;
  std::size_t woken = 0;
  for (; woken < std::min(workers, parked_workers_); ++woken) parked_.notify_one();
  return workers - woken;
}

}  // namespace edagen
