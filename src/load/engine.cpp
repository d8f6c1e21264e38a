#include "load/engine.hpp"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>

#include "load/applied_load.hpp"
#include "load/pause_watch.hpp"
#include "load/processors.hpp"
#include "load/queue_shard.hpp"
#include "load/real_time.hpp"
#include "load/serial_shard.hpp"

namespace edagen {
namespace {

constexpr Nanos tick = std::chrono::milliseconds(1);
constexpr Nanos idle_tick = std::chrono::milliseconds(10);  ///< when no worker can be missing
constexpr Nanos overdue{200'000};
constexpr Nanos stuck_check = std::chrono::milliseconds(100);
constexpr int logged_failures = 10;
constexpr int longest_flush = 10;  ///< times as long as an op may take: there may be gigabytes to write

constexpr Nanos longest_drain_when_ending = std::chrono::seconds(1);

/// Each shard may have a worker that spins: one serves so many ops/s.
constexpr double ops_per_sec_of_shard = 60e3;
std::size_t spinning_shards(double ops_per_sec) {
  return 1 + static_cast<std::size_t>(ops_per_sec / ops_per_sec_of_shard);
}

std::size_t processors() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace

struct Engine::Proc : ShardProc {
  std::size_t job_set, client;
  double own_ops_per_sec;
  unsigned own_depth;
  bool queueable;
};

/// A load: one load point, or several that take over from each other. Shared with its workers, which may outlive it
/// when an op never returns.
class Engine::Run : public std::enable_shared_from_this<Engine::Run> {
 public:
  Run(Engine& engine, const LoadPoint& load)
      : engine_(engine),
        load_(load),
        interval_stats_(engine.group_names_.size()),
        spare_(std::make_unique<IntervalStats>(engine.group_names_.size())) {
    std::vector<ShardProc*> serial, queued;
    std::vector<double> shares(engine.group_names_.size(), 0);
    for (const auto& proc : engine.procs_) {
      if (!proc->active && !load.stays_up) continue;
      (proc->depth > 1 ? queued : serial).push_back(proc.get());
      if (proc->active) shares[proc->group] += proc->own_ops_per_sec;
    }
    if (!load.ops_per_sec && shares.size() > 1) shares_ = std::make_unique<KeptShares>(shares);
    const auto failed = [this](std::uint32_t proc, const Op& op, int error) { report_failure(proc, op, error); };
    const std::size_t groups = engine.group_names_.size();
    const auto deal = [&](const std::vector<ShardProc*>& procs, std::size_t most, auto add) {
      const std::size_t count = std::min({most, processors(), engine.options_.max_workers, procs.size()});
      for (std::size_t i = 0; i < count; ++i) {
        std::vector<ShardProc*> part;
        for (std::size_t p = i; p < procs.size(); p += count) part.push_back(procs[p]);
        shards_.push_back(add(std::move(part)));
      }
    };
    spinners_ = load.ops_per_sec ? std::min(spinning_shards(*load.ops_per_sec), processors()) : processors();
    deal(serial, spinners_, [&](std::vector<ShardProc*> part) {
      serial_.push_back(std::make_unique<SerialShard>(std::move(part), groups, spins(), shares_.get(), failed));
      return serial_.back().get();
    });
    deal(queued, processors(), [&](std::vector<ShardProc*> part) {
      queued_.push_back(std::make_unique<QueueShard>(std::move(part), groups, spins(), shares_.get(), failed));
      return queued_.back().get();
    });
    serial_procs_ = serial.size();
    most_workers_ = std::min(engine.options_.max_workers, serial_procs_);
    burst_.assign(serial_.size(), 1);
  }

  /// Whether `load` can go on with these shards and workers. Not where it should have others.
  bool can_become(const LoadPoint& load) const {
    if (!load.takes_over(load_)) return false;
    const double shards = *load.ops_per_sec / ops_per_sec_of_shard, spinners = static_cast<double>(spinners_);
    return shards > spinners - 1.5 && (shards < 1.5 * spinners || spinners_ == processors());
  }
  /// Measures `load`, with which the load begins or goes on.
  RunStats measure(const LoadPoint& load, RunObserver& observer);
  /// The load did not stay up: its workers have ended or are left behind.
  bool is_over() const { return is_over_; }
  /// Ends the load. Returns the number of ops that have not come back.
  std::size_t end_workers();

 private:
  struct Worker {
    explicit Worker(std::size_t slots) : in_flight(slots) {}
    std::vector<OpInFlight> in_flight;
    std::atomic<bool> gone{false};
    std::thread thread;
    std::optional<RealTime> real_time;  ///< of a worker that sleeps until ops are due
  };

  void spawn(SerialShard& shard);
  void spawn(QueueShard& shard);
  void spawn(std::size_t slots, std::function<void(Worker&)> life);
  bool flush(RunStats* counted);
  void supervise(Nanos at);
  void watch_stuck(Nanos at);
  void report_failure(std::uint32_t proc, const Op& op, int error);
  bool too_many_errors() const;
  bool is_broken();
  bool may_lack_workers() const;
  bool spins() const { return engine_.options_.spin && load_.ops_per_sec; }
  void update_priorities(TimePoint at);
  void harvest();
  Nanos begin();
  Nanos go_on();
  void begin_window();
  bool drain(Nanos end, bool ending);
  void finish_groups(RunStats& stats);

  Engine& engine_;
  LoadPoint load_;
  RunObserver* observer_ = nullptr;
  TimePoint origin_;                    ///< when the load began
  std::unique_ptr<KeptShares> shares_;  ///< in a closed loop of several kinds of procs
  std::vector<std::unique_ptr<SerialShard>> serial_;
  std::vector<std::unique_ptr<QueueShard>> queued_;
  std::vector<Shard*> shards_;               ///< all
  std::size_t spinners_ = 1;                 ///< serial shards that the rate asks for
  std::size_t serial_procs_, most_workers_;  ///< workers of the serial shards
  std::vector<std::size_t> burst_;           ///< workers to add to a shard that is late; doubles while it stays late
  std::vector<std::unique_ptr<Worker>> workers_;
  CpuMeter cpu_;
  std::optional<Measurement> measurement_;
  IntervalStats interval_stats_;          ///< of the current interval
  std::unique_ptr<IntervalStats> spare_;  ///< empty
  std::mutex failure_mutex_;
  int failures_logged_ = 0;
  std::atomic<std::size_t> queues_ready_{0};
  std::atomic_flag begun_;
  std::exception_ptr broken_;  ///< a worker could not be set up
  bool has_begun_ = false, is_over_ = false;
};

RunStats Engine::Run::measure(const LoadPoint& load, RunObserver& observer) {
  load_ = load;
  {
    std::lock_guard lock(failure_mutex_);
    observer_ = &observer;
  }
  const bool takes_over = std::exchange(has_begun_, true);
  const bool flushed = takes_over || !load_.sync_after || flush(nullptr);  // what was written before does not count
  Nanos next_tick = takes_over ? go_on() : begin();
  measurement_->load_began();
  if (takes_over && measurement_->measuring()) begin_window();
  Nanos next_stuck_check = next_tick + stuck_check;
  UsedProcessors used;
  PauseWatch pauses;
  bool interrupted = false, too_many = false, ended = false;
  while (!ended) {
    next_tick = std::min(next_tick + (may_lack_workers() ? tick : idle_tick), measurement_->interval_end());
    pauses.sleep_until(origin_ + next_tick);
    const Nanos at = now() - origin_;
    supervise(at);
    if (at >= next_stuck_check) {
      watch_stuck(at);
      update_priorities(origin_ + at);
      next_stuck_check = at + stuck_check;
    }
    interrupted = engine_.stop_.stop_requested();
    too_many = too_many_errors();
    const bool ending = interrupted || too_many || is_broken();
    if (at < measurement_->interval_end() && !ending) continue;
    harvest();
    const Measurement::Next next = measurement_->interval_ended(at, interval_stats_, ending);
    if (next == Measurement::Next::end) {
      is_over_ = !drain(std::min(at, measurement_->window().end), ending) || ending || !load_.stays_up;
      ended = true;
      continue;
    }
    interval_stats_.clear();
    if (next == Measurement::Next::window) {
      begin_window();
      used = UsedProcessors();
      pauses = PauseWatch();
    }
  }
  const Nanos drained = now() - origin_;
  RunStats stats = measurement_->finish(interval_stats_);
  stats.drain = std::max(drained - measurement_->window().end, Nanos(0));
  stats.interrupted = interrupted;
  stats.too_many_errors = too_many;
  stats.cpu_cores_used = used.by_process();
  stats.host_busy = used.share_of_host();
  stats.longest_pause = pauses.longest();
  finish_groups(stats);
  if (!is_over_) return stats;
  stats.stuck_ops = end_workers() + (flushed ? 0 : 1);
  if (broken_) std::rethrow_exception(broken_);
  if (load_.sync_after && stats.stuck_ops == 0 && !interrupted && !flush(&stats)) {
    stats.stuck_ops = 1;
    stats.interrupted = engine_.stop_.stop_requested();
  }
  return stats;
}

/// Begins the load; returns when, since its origin.
Nanos Engine::Run::begin() {
  if (load_.drop_caches) engine_.target_.drop_caches();
  for (const auto& shard : queued_) spawn(*shard);
  // Queues may have gigabytes of buffers to fill: the load begins when all are there.
  while (queues_ready_ < queued_.size() && !is_broken() && !engine_.stop_.stop_requested())
    std::this_thread::sleep_for(tick);
  measurement_.emplace(load_, engine_.group_names_, *observer_);
  origin_ = now();
  for (Shard* const shard : shards_) shard->begin_at(origin_, measurement_->window());
  begun_.test_and_set();
  begun_.notify_all();
  for (const auto& shard : serial_) spawn(*shard);
  return Nanos(0);
}

/// Goes on at another rate; returns from when on, since the load's origin.
Nanos Engine::Run::go_on() {
  const Nanos at = now() - origin_;
  for (Shard* const shard : shards_) shard->reschedule(engine_.schedules_of(shard->procs(), at));
  for (Shard* const shard : shards_) shard->begin_window({at, Nanos::max()});
  interval_stats_.clear();
  measurement_.emplace(load_, engine_.group_names_, *observer_, at);
  return at;
}

/// False when it does not end, or the run is to: then its thread is left behind.
bool Engine::Run::flush(RunStats* counted) {
  struct Flush {
    std::vector<int> failures;
    Nanos time{0};
    std::atomic<bool> done{false};
  };
  const auto flush = std::make_shared<Flush>();
  const TimePoint start = now();
  std::thread thread([flush, start, &target = engine_.target_] {
    flush->failures = target.sync();
    flush->time = now() - start;
    flush->done.store(true, std::memory_order_release);
  });
  bool reported = false;
  while (!flush->done.load(std::memory_order_acquire)) {
    const Nanos waited = now() - start;
    if (waited >= engine_.options_.stuck_after && !std::exchange(reported, true))
      observer_->op_stuck("all files", OpKind::fsync, waited);
    if (engine_.stop_.stop_requested() || waited >= longest_flush * engine_.options_.stuck_after) {
      thread.detach();
      return false;
    }
    std::this_thread::sleep_for(tick);
  }
  thread.join();
  if (counted == nullptr) return true;
  counted->sync_time = flush->time;
  for (const int error : flush->failures) {
    counted->ops.record_error(OpKind::fsync, error);
    observer_->op_failed("all files, at the end", OpKind::fsync, error);
  }
  return true;
}

void Engine::Run::spawn(SerialShard& shard) {
  spawn(1, [this, &shard, spin = spins()](Worker& worker) {
    const auto target_worker = engine_.target_.make_worker();
    if (spin) wake_without_slack();
    shard.work(*target_worker, worker.in_flight.front());
  });
  // A processor is left to all others, this thread among them.
  if (spins() && serial_.size() < processors())
    workers_.back()->real_time.emplace(workers_.back()->thread.native_handle());
}

void Engine::Run::spawn(QueueShard& shard) {
  spawn(shard.slots(), [this, &shard](Worker& worker) {
    const auto queue = engine_.target_.make_queue(shard.queued_procs());
    ++queues_ready_;
    begun_.wait(false);
    shard.work(*queue, worker.in_flight);
  });
}

void Engine::Run::spawn(std::size_t slots, std::function<void(Worker&)> life) {
  Worker* const worker = workers_.emplace_back(std::make_unique<Worker>(slots)).get();
  worker->thread = std::thread([self = shared_from_this(), worker, life = std::move(life)] {
    pthread_setname_np(pthread_self(), "edagen-worker");
    try {
      life(*worker);
    } catch (...) {
      std::lock_guard lock(self->failure_mutex_);
      if (!self->broken_) self->broken_ = std::current_exception();
    }
    worker->gone.store(true, std::memory_order_release);
  });
}

bool Engine::Run::is_broken() {
  std::lock_guard lock(failure_mutex_);
  return broken_ != nullptr;
}

/// Not where each shard has but one proc, nor where each proc has a worker that never rests.
bool Engine::Run::may_lack_workers() const {
  const bool all_there = workers_.size() - queued_.size() >= most_workers_;
  return serial_procs_ > serial_.size() && !(all_there && !load_.ops_per_sec);
}

/// Adds workers where ops are late because all others are blocked.
void Engine::Run::supervise(Nanos at) {
  for (std::size_t i = 0; i < serial_.size(); ++i) {
    std::size_t missing = serial_[i]->wake(at - overdue, burst_[i]);
    if (missing == 0 || cpu_.saturated(workers_.size())) {
      burst_[i] = 1;
      continue;
    }
    for (; missing > 0 && workers_.size() - queued_.size() < most_workers_; --missing) spawn(*serial_[i]);
    burst_[i] *= 2;
  }
}

void Engine::Run::watch_stuck(Nanos at) {
  for (const auto& worker : workers_)
    for (OpInFlight& op : worker->in_flight) {
      const std::int64_t since = op.since.load(std::memory_order_acquire);
      const bool stuck = since >= 0 && at - Nanos(since) >= engine_.options_.stuck_after;
      if (op.reported.exchange(stuck, std::memory_order_relaxed) || !stuck) continue;
      observer_->op_stuck(engine_.target_.describe(op.proc.load(std::memory_order_relaxed), op.op()), op.op().kind,
                          at - Nanos(since));
    }
}

void Engine::Run::update_priorities(TimePoint at) {
  for (const auto& worker : workers_)
    if (worker->real_time) worker->real_time->update(at);
}

void Engine::Run::report_failure(std::uint32_t proc, const Op& op, int error) {
  std::lock_guard lock(failure_mutex_);
  if (observer_ == nullptr || failures_logged_ >= logged_failures) return;
  ++failures_logged_;
  observer_->op_failed(engine_.target_.describe(proc, op), op.kind, error);
}

bool Engine::Run::too_many_errors() const {
  std::uint64_t errors = 0, operations = 0;
  for (Shard* const shard : shards_) errors += shard->errors(), operations += shard->operations();
  if (engine_.options_.max_errors) return errors > *engine_.options_.max_errors;
  return errors > std::max<std::uint64_t>(10, operations / 100);
}

/// Takes what all shards have seen into interval_stats_.
void Engine::Run::harvest() {
  for (Shard* const shard : shards_) {
    shard->harvest(spare_);
    interval_stats_.merge(*spare_);
    spare_->clear();
  }
}

/// In a moment, so that all parts know of it before it begins.
void Engine::Run::begin_window() {
  constexpr Nanos moment = std::chrono::milliseconds(1);
  Nanos start{0};
  do {
    start = now() - origin_ + moment;
    for (Shard* const shard : shards_) shard->begin_window({start, start + load_.duration});
  } while (now() - origin_ >= start);
  measurement_->begin_window(start);
}

/// Waits for the ops that were due before the window's `end`, and takes what all shards have seen by then. False when
/// they have not all ended.
bool Engine::Run::drain(Nanos end, bool ending) {
  for (Shard* const shard : shards_) shard->close(end, load_.stays_up && !ending);
  const Nanos longest = ending ? longest_drain_when_ending : longest_drain(load_.duration);
  const auto idle = [](Shard* shard) { return shard->is_idle(); };
  Nanos at = now() - origin_;
  bool all_ended = false;
  while (!(all_ended = std::ranges::all_of(shards_, idle)) && at < end + longest && !is_broken()) {
    std::this_thread::sleep_for(tick);
    at = now() - origin_;
    supervise(at);
    watch_stuck(at);
  }
  if (!all_ended || !load_.stays_up)
    for (Shard* const shard : shards_) shard->count_outstanding(at);
  harvest();
  return all_ended;
}

void Engine::Run::finish_groups(RunStats& stats) {
  double all = 0;
  for (Shard* const shard : shards_)
    shard->with_procs([&](const ShardProc& proc) {
      if (!proc.active) return;
      const double own = static_cast<const Proc&>(proc).own_ops_per_sec;
      all += own;
      GroupStats& group = stats.groups[proc.group];
      group.share += own;
      group.add_proc(load_.ops_per_sec ? std::optional(proc.ops_per_sec) : std::nullopt, proc.due, proc.ended);
    });
  for (GroupStats& group : stats.groups) group.share /= all;
}

/// Returns the number of ops that have not come back.
std::size_t Engine::Run::end_workers() {
  is_over_ = true;
  for (Shard* const shard : shards_) shard->stop();
  const TimePoint deadline = now() + engine_.options_.stuck_after;
  const auto is_gone = [](const auto& worker) { return worker->gone.load(std::memory_order_acquire); };
  while (!std::all_of(workers_.begin(), workers_.end(), is_gone) && now() < deadline) {
    std::this_thread::sleep_for(tick);
    watch_stuck(now() - origin_);
  }
  std::size_t stuck = 0;
  for (const auto& worker : workers_) {
    if (is_gone(worker)) {
      worker->thread.join();
      continue;
    }
    const auto ops = std::count_if(worker->in_flight.begin(), worker->in_flight.end(),
                                   [](const OpInFlight& op) { return op.since.load(std::memory_order_acquire) >= 0; });
    stuck += std::max<std::size_t>(1, static_cast<std::size_t>(ops));
    worker->thread.detach();  // it holds this Run until its ops return
  }
  std::lock_guard lock(failure_mutex_);
  if (stuck > 0) observer_ = nullptr;
  return stuck;
}

Engine::Engine(std::vector<EngineProc> procs, std::vector<std::string> group_names, Target& target,
               EngineOptions options, std::stop_token stop)
    : group_names_(std::move(group_names)), target_(target), options_(options), stop_(std::move(stop)) {
  procs_.reserve(procs.size());
  for (EngineProc& proc : procs) {
    const auto index = static_cast<std::uint32_t>(procs_.size());
    procs_.push_back(std::make_unique<Proc>(Proc{
        {index, std::move(proc.ops), proc.group, proc.ops_per_sec, Schedule::closed_loop(), proc.depth, Nanos(0), 0},
        proc.job_set,
        proc.client,
        proc.ops_per_sec,
        proc.depth,
        proc.queueable}));
  }
}

Engine::~Engine() { end_load(); }

RunStats Engine::run(const LoadPoint& load, RunObserver& observer) {
  const bool takes_over = up_ && up_->can_become(load);
  if (const std::uint64_t stuck = takes_over ? 0 : end_load(); stuck > 0) {
    RunStats nothing;
    nothing.requested_ops_per_sec = load.ops_per_sec;
    for (const std::string& name : group_names_) nothing.groups.push_back({.name = name});
    nothing.stuck_ops = stuck;
    return nothing;
  }
  apply(load, takes_over);
  if (!takes_over) up_ = std::make_shared<Run>(*this, load);
  const std::shared_ptr<Run> run = up_;
  RunStats stats = run->measure(load, observer);
  if (run->is_over()) up_ = nullptr;
  return stats;
}

std::uint64_t Engine::end_load() {
  const std::shared_ptr<Run> run = std::exchange(up_, nullptr);
  return run && !run->is_over() ? run->end_workers() : 0;
}

/// To the procs; the schedules of those that are at work are changed by their shards.
void Engine::apply(const LoadPoint& load, bool takes_over) {
  double own_total = 0;
  for (const auto& proc : procs_) {
    proc->active = load.includes(proc->job_set, proc->client);
    if (proc->active) own_total += proc->own_ops_per_sec;
  }
  const std::uint64_t seed = derive_seed(options_.seed, ++runs_);
  if (takes_over) applied_->steer(load, own_total, seed);
  else applied_ = std::make_unique<AppliedLoad>(load, own_total, seed);
  for (const auto& proc : procs_) {
    proc->ops_per_sec = applied_->ops_per_sec(proc->own_ops_per_sec);
    if (takes_over) continue;
    proc->schedule = schedules_of({proc.get()}, Nanos(0)).front();
    proc->previous_end = Nanos(0);
    proc->depth = applied_->depth(proc->own_depth, proc->queueable);
    applied_->choose_mix(proc->ops, proc->group);
  }
}

std::vector<Schedule> Engine::schedules_of(const std::vector<ShardProc*>& procs, Nanos start) const {
  std::vector<Schedule> schedules;
  schedules.reserve(procs.size());
  for (const ShardProc* const proc : procs)
    schedules.push_back(proc->active ? applied_->schedule(proc->ops_per_sec, proc->index, start) : Schedule::idle());
  return schedules;
}

}  // namespace edagen
