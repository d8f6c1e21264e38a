#include "load/serial_shard.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {
namespace {

/// Leaves the core's other hardware thread its time.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace

SerialShard::SerialShard(std::vector<ShardProc*> procs, std::size_t groups, bool spin, Failed failed)
    : Shard(std::move(procs), groups, std::move(failed)), spin_(spin) {
  for (std::uint32_t i = 0; i < procs_.size(); ++i) queue_.push_back({procs_[i]->schedule.due(), i});
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void SerialShard::work(TargetWorker& worker, OpInFlight& in_flight) {
  std::array<Done, batch_ops> done;
  std::unique_lock lock(mutex_);
  Due due{};
  while (take(lock, due)) {
    // Someone else must be there for the next op if it is due before this one is likely to be over.
    if (parked_workers_ > 0 && !queue_.empty() && attended_.load(std::memory_order_relaxed) == never &&
        static_cast<double>((queue_.front().at - elapsed()).count()) < likely_service_ns())
      parked_.notify_one();
    lock.unlock();
    ShardProc& proc = *procs_[due.proc];
    double generator_lag_ns = 0;
    const std::size_t count = carry_out_batch(proc, worker, in_flight, done, generator_lag_ns);
    lock.lock();
    account(proc, done, count, generator_lag_ns);
    // Closed-loop procs take turns: each is due when its last op ended.
    queue_.push_back({proc.schedule.open_loop() ? proc.schedule.due() : proc.previous_end, due.proc});
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
}

/// Waits for a proc to be due and takes it from the queue; false when it is time to stop.
bool SerialShard::take(std::unique_lock<std::mutex>& lock, Due& due) {
  while (!stopping_) {
    const Nanos next = queue_.empty() ? never : queue_.front().at;
    if (next <= Nanos(0) || next <= elapsed()) {
      due = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      queue_.pop_back();
      return true;
    }
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

/// Waits until the op is due at `next`, or until another worker attends an earlier one. A worker that slept for a later
/// op finds on waking that it is not needed.
void SerialShard::attend(std::unique_lock<std::mutex>& lock, Nanos next) {
  const auto attended = [&] { return attended_.load(std::memory_order_relaxed) == next; };
  attended_.store(next, std::memory_order_relaxed);
  const Nanos wake = next - (spin_ ? wake_up_.margin() : Nanos(0));
  if (elapsed() < wake) {
    attending_.wait_until(lock, origin_ + wake);
    wake_up_.woke(std::max(elapsed() - wake, Nanos(0)));
  }
  if (spin_ && attended() && !stopping_) {
    lock.unlock();
    while (attended() && elapsed() < next) pause();
    lock.lock();
  }
  if (attended()) attended_.store(never, std::memory_order_relaxed);
}

std::size_t SerialShard::carry_out_batch(ShardProc& proc, TargetWorker& worker, OpInFlight& in_flight,
                                         std::array<Done, batch_ops>& done, double& generator_lag_ns) {
  const bool open_loop = proc.schedule.open_loop();
  Nanos batch_end = never;
  for (std::size_t count = 0;;) {
    const Op op = proc.ops.next();
    const Nanos start = elapsed();
    in_flight.begin(start, proc.index, op);
    const OpResult result = worker.carry_out(proc.index, op);
    const Nanos end = elapsed();
    in_flight.end();
    if (result.error != 0) report(proc, op, result.error);
    Done& entry = done[count++];
    entry.kind = op.kind;
    entry.result = result;
    const Nanos intended = proc.schedule.due();
    entry.times = times_of(proc, intended, start, end);
    if (open_loop) {
      generator_lag_ns += static_cast<double>((start - std::max(intended, proc.previous_end)).count());
      proc.schedule.advance();
    }
    proc.previous_end = end;
    if (batch_end == never) batch_end = start + batch_time;
    if (count == done.size() || end >= batch_end || (open_loop && proc.schedule.due() > end)) return count;
  }
}

void SerialShard::account(ShardProc& proc, const std::array<Done, batch_ops>& done, std::size_t count,
                          double generator_lag_ns) {
  std::uint64_t errors = 0;
  for (std::size_t i = 0; i < count; ++i) {
    record(proc, done[i].kind, done[i].times, done[i].result);
    if (done[i].result.error != 0) ++errors;
  }
  interval_stats_->generator_lag_ns += generator_lag_ns;
  this->count(count, errors);
  const auto service = static_cast<double>(done[count - 1].times.service.count());
  service_deviation_ns_ += (std::abs(service - service_mean_ns_) - service_deviation_ns_) / 16;
  service_mean_ns_ += (service - service_mean_ns_) / 16;
}

void SerialShard::stop() {
  std::lock_guard lock(mutex_);
  stopping_ = true;
  parked_.notify_all();
  attending_.notify_all();
}

std::size_t SerialShard::wake(Nanos deadline, std::size_t workers) {
  std::lock_guard lock(mutex_);
  if (queue_.empty() || queue_.front().at > deadline) return 0;
  std::size_t woken = 0;
  for (; woken < std::min(workers, parked_workers_); ++woken) parked_.notify_one();
  return workers - woken;
}

}  // namespace edagen
