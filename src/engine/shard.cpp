#include "shard.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

Op OpInFlight::op() const {
  const std::uint64_t packed = name.load(std::memory_order_relaxed);
  Op op;
  op.kind = static_cast<OpKind>(packed & 0xff);
  op.name = {static_cast<NameClass>(packed >> 8 & 0xff), packed >> 16};
  return op;
}

Shard::Shard(std::vector<ShardProc*> procs, std::size_t groups, TimePoint origin, Failed failed)
    : procs_(std::move(procs)), origin_(origin), failed_(std::move(failed)), seen_(std::make_unique<Seen>(groups)) {
  for (std::uint32_t i = 0; i < procs_.size(); ++i) queue_.push_back({procs_[i]->schedule.due(), i});
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void Shard::work(TargetWorker& worker, OpInFlight& in_flight) {
  std::array<Done, batch_ops> done;
  std::unique_lock lock(mutex_);
  Due due{};
  while (take(lock, due)) {
    // Someone else must be there for the next op if it is due before this one is likely to be over.
    if (parked_workers_ > 0 && !queue_.empty() && attended_ == never &&
        static_cast<double>((queue_.front().at - elapsed()).count()) < likely_service_ns())
      parked_.notify_one();
    lock.unlock();
    ShardProc& proc = *procs_[due.proc];
    double generator_lag_ns = 0;
    const std::size_t count = carry_out_batch(proc, worker, in_flight, done, generator_lag_ns);
    lock.lock();
    account(proc, done, count, generator_lag_ns);
    proc.completed += count;
    // Unpaced procs take turns: each is due when its last op ended.
    queue_.push_back({proc.schedule.paced() ? proc.schedule.due() : proc.previous_end, due.proc});
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
}

/// Waits for a proc to be due and takes it from the queue; false when it is time to stop.
bool Shard::take(std::unique_lock<std::mutex>& lock, Due& due) {
  while (!stopping_) {
    const Nanos next = queue_.empty() ? never : queue_.front().at;
    if (next <= Nanos(0) || next <= elapsed()) {
      due = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
      queue_.pop_back();
      return true;
    }
    if (next < attended_) {
      // This worker sleeps until the op is due. One that sleeps for a later op finds on waking that it is not needed.
      attended_ = next;
      attending_.wait_until(lock, origin_ + next);
      if (attended_ == next) attended_ = never;
    } else {
      ++parked_workers_;
      parked_.wait(lock);
      --parked_workers_;
    }
  }
  return false;
}

std::size_t Shard::carry_out_batch(ShardProc& proc, TargetWorker& worker, OpInFlight& in_flight,
                                   std::array<Done, batch_ops>& done, double& generator_lag_ns) {
  const bool paced = proc.schedule.paced();
  Nanos batch_end = never;
  for (std::size_t count = 0;;) {
    const Op op = proc.ops.next();
    const Nanos start = elapsed();
    in_flight.begin(start, proc.index, op);
    const OpResult result = worker.carry_out(proc.index, op);
    const Nanos end = elapsed();
    in_flight.end();
    if (result.error != 0) {
      proc.ops.failed(op);
      failed_(proc.index, op, result.error);
    }
    Done& entry = done[count++];
    entry.kind = op.kind;
    entry.result = result;
    entry.times = {end - start, end - start, Nanos(0)};
    if (paced) {
      const Nanos intended = proc.schedule.due();
      entry.times = {end - intended, end - start, start - intended};
      generator_lag_ns += static_cast<double>((start - std::max(intended, proc.previous_end)).count());
      proc.schedule.advance();
    }
    proc.previous_end = end;
    if (batch_end == never) batch_end = start + batch_time;
    if (count == done.size() || end >= batch_end || (paced && proc.schedule.due() > end)) return count;
  }
}

void Shard::account(const ShardProc& proc, const std::array<Done, batch_ops>& done, std::size_t count,
                    double generator_lag_ns) {
  const bool paced = proc.schedule.paced();
  std::uint64_t errors = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Done& op = done[i];
    if (paced) seen_->ops.record(op.kind, op.times, op.result);
    else seen_->ops.record_unpaced(op.kind, op.times.service, op.result);
    if (op.result.error != 0) ++errors;
  }
  seen_->generator_lag_ns += generator_lag_ns;
  seen_->group_operations[proc.group] += count;
  operations_.store(operations_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  if (errors != 0) errors_.store(errors_.load(std::memory_order_relaxed) + errors, std::memory_order_relaxed);
  const auto service = static_cast<double>(done[count - 1].times.service.count());
  service_deviation_ns_ += (std::abs(service - service_mean_ns_) - service_deviation_ns_) / 16;
  service_mean_ns_ += (service - service_mean_ns_) / 16;
}

void Shard::stop() {
  std::lock_guard lock(mutex_);
  stopping_ = true;
  parked_.notify_all();
  attending_.notify_all();
}

void Shard::harvest(std::unique_ptr<Seen>& fresh) {
  std::lock_guard lock(mutex_);
  std::swap(seen_, fresh);
}

std::size_t Shard::wake(Nanos deadline, std::size_t workers) {
  std::lock_guard lock(mutex_);
  if (queue_.empty() || queue_.front().at > deadline) return 0;
  std::size_t woken = 0;
  for (; woken < std::min(workers, parked_workers_); ++woken) parked_.notify_one();
  return workers - woken;
}

}  // namespace edagen
