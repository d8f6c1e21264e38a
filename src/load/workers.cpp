#include "load/workers.hpp"

#include <pthread.h>

#include <algorithm>
#include <numeric>
#include <system_error>
#include <utility>

#include "base/usable_processors.hpp"

namespace edagen {
namespace {

struct EndOfRealTime {
  explicit EndOfRealTime(RealTime& priority) : real_time(priority) {}
  EndOfRealTime(const EndOfRealTime&) = delete;
  EndOfRealTime& operator=(const EndOfRealTime&) = delete;
  ~EndOfRealTime() { real_time.end(); }
  RealTime& real_time;
};

}  // namespace

Workers::Workers(const Shards& shards, Target& target, const Options& options)
    : shards_(shards),
      target_(target),
      options_(options),
      in_shard_(shards.serial().size(), 1),
      burst_(shards.serial().size(), 1),
      real_time_(std::max(1u, std::thread::hardware_concurrency()), usable_processor_count(), options.processes_here) {}

void Workers::start(std::weak_ptr<void> owner) {
  owner_ = std::move(owner);
  for (const auto& shard : shards_.queued()) start(*shard);
  for (const auto& shard : shards_.serial()) start(*shard);
}

void Workers::begin() {
  begun_.test_and_set();
  begun_.notify_all();
}

void Workers::start(SerialShard& shard) {
  start(1, [this, &shard](Worker& worker) {
    const auto target_worker = target_.make_worker();
    const EndOfRealTime end(worker.real_time);  // before the target's worker is freed
    if (options_.spin) wake_without_slack();
    ++ready_;
    begun_.wait(false);
    shard.work(*target_worker, worker.in_flight.front());
  });
  raise_if_spinning();
}

void Workers::start(QueueShard& shard) {
  start(shard.slots(), [this, &shard](Worker& worker) {
    const auto queue = target_.make_queue(shard.queued_procs());
    const EndOfRealTime end(worker.real_time);
    if (options_.spin) wake_without_slack();
    ++ready_;
    begun_.wait(false);
    shard.work(*queue, worker.in_flight);
  });
  if (target_.queues_all_procs()) raise_if_spinning();
}

/// Lets the thread of the last worker have real-time priority. When each processor has a shard, spinning would leave no
/// processor to others.
void Workers::raise_if_spinning() {
  if (options_.spin && shards_.may_spin()) workers_.back()->real_time.begin(workers_.back()->thread.native_handle());
}

void Workers::start(std::size_t slots, std::function<void(Worker&)> life) {
  Worker* const worker = workers_.emplace_back(std::make_unique<Worker>(slots)).get();
  const auto live = [this, owner = owner_.lock(), worker, life = std::move(life)] {
    pthread_setname_np(pthread_self(), "edagen-worker");
    try {
      life(*worker);
    } catch (...) {
      std::lock_guard lock(broken_mutex_);
      if (!broken_) broken_ = std::current_exception();
    }
    worker->gone.store(true, std::memory_order_release);
  };
  try {
    worker->thread = std::thread(live);
  } catch (const std::system_error&) {
    workers_.pop_back();  // a worker without a thread would never end
    throw;
  }
}

bool Workers::is_broken() {
  std::lock_guard lock(broken_mutex_);
  return broken_ != nullptr;
}

void Workers::rethrow() {
  if (broken_) std::rethrow_exception(broken_);
}

bool Workers::may_be_missing() const {
  const bool all_there = no_more_threads_ || of_serial_shards() >= options_.most;
  return shards_.serial_procs() > shards_.serial().size() && !(all_there && !options_.open_loop);
}

void Workers::add_where_late(Nanos at) {
  constexpr Nanos overdue{200'000};
  for (std::size_t i = 0; i < burst_.size(); ++i) {
    SerialShard& shard = *shards_.serial()[i];
    // A worker for each proc is enough. One more would be missing in another shard, since all have a maximum together.
    std::size_t missing = std::min(shard.wake(at - overdue, burst_[i]), shard.procs().size() - in_shard_[i]);
    if (missing == 0 || cpu_.saturated(workers_.size())) {
      burst_[i] = 1;
      continue;
    }
    for (; missing > 0 && of_serial_shards() < options_.most && !no_more_threads_; --missing) start_if_allowed(i);
    burst_[i] *= 2;
  }
}

/// When the system refuses a thread, the existing workers go on.
void Workers::start_if_allowed(std::size_t shard) {
  try {
    start(*shards_.serial()[shard]);
    ++in_shard_[shard];
  } catch (const std::system_error&) {
    no_more_threads_ = true;
  }
}

void Workers::watch_stuck(Nanos at, const Stuck& stuck) {
  for (const auto& worker : workers_)
    for (OpInFlight& op : worker->in_flight) {
      const std::int64_t since = op.since.load(std::memory_order_acquire);
      const bool is_stuck = since >= 0 && at - Nanos(since) >= options_.stuck_after;
      if (op.reported.exchange(is_stuck, std::memory_order_relaxed) || !is_stuck) continue;
      stuck(target_.describe(op.proc.load(std::memory_order_relaxed), op.op()), op.op().kind, at - Nanos(since));
    }
}

void Workers::update_priorities(TimePoint at) {
  std::vector<double> used;
  for (const auto& worker : workers_)
    if (worker->real_time.has_begun()) used.push_back(worker->real_time.used(at));
  const double all = std::reduce(used.begin(), used.end());
  std::size_t next = 0;
  for (const auto& worker : workers_)
    if (worker->real_time.has_begun()) worker->real_time.raise(real_time_.raises(used[next++], all));
}

bool Workers::is_real_time_refused() const {
  return std::ranges::any_of(workers_, [](const auto& worker) { return worker->real_time.is_refused(); });
}

bool Workers::have_ended() const {
  return std::ranges::all_of(workers_, [](const auto& worker) { return worker->gone.load(std::memory_order_acquire); });
}

bool Workers::only_stuck_are_left() const {
  const auto is_stuck = [](const auto& worker) {
    bool any = false, all = true;
    for (const OpInFlight& op : worker->in_flight) {
      if (op.since.load(std::memory_order_acquire) < 0) continue;
      any = true;
      all = all && op.reported.load(std::memory_order_relaxed);
    }
    return any && all;
  };
  return std::ranges::all_of(
      workers_, [&](const auto& worker) { return worker->gone.load(std::memory_order_acquire) || is_stuck(worker); });
}

std::size_t Workers::join_or_abandon() {
  std::size_t stuck = 0;
  for (const auto& worker : workers_) {
    const auto ops = static_cast<std::size_t>(std::ranges::count_if(
        worker->in_flight, [](const OpInFlight& op) { return op.since.load(std::memory_order_acquire) >= 0; }));
    if (worker->gone.load(std::memory_order_acquire)) {
      worker->thread.join();
      stuck += ops;  // the queue has given them up
      continue;
    }
    stuck += std::max<std::size_t>(1, ops);
    worker->thread.detach();  // the thread keeps what it uses until its ops return
  }
  return stuck;
}

}  // namespace edagen
