#include "load/engine.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "load/applied_load.hpp"
#include "load/flush.hpp"
#include "load/pause_watch.hpp"
#include "load/processors.hpp"
#include "load/shards.hpp"
#include "load/workers.hpp"

namespace edagen {
namespace {

constexpr Nanos tick = std::chrono::milliseconds(1);
constexpr Nanos idle_tick = std::chrono::milliseconds(10);  ///< when no worker can be missing
constexpr Nanos stuck_check = std::chrono::milliseconds(100);
constexpr int logged_failures = 10;
constexpr Nanos longest_drain_when_ending = std::chrono::seconds(1);

}  // namespace

struct Engine::Proc : ShardProc {
  std::size_t job_set, client;
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
        spin_(engine.options_.spin && load.ops_per_sec),
        shards_(procs_of(engine, load),
                {engine.group_names_.size(), load.ops_per_sec, spin_, engine.options_.max_workers},
                [this](std::uint32_t proc, const Op& op, int error) { report_failure(proc, op, error); }),
        workers_(shards_, engine.target_,
                 {std::min(engine.options_.max_workers, shards_.serial_procs()), load.ops_per_sec.has_value(), spin_,
                  engine.options_.stuck_after}),
        interval_stats_(engine.group_names_.size()) {}

  /// Whether `load` can go on with these shards and workers.
  bool can_become(const LoadPoint& load) const { return load.takes_over(load_) && shards_.suit(*load.ops_per_sec); }
  /// Measures `load`, with which the load begins or goes on.
  RunStats measure(const LoadPoint& load, RunObserver& observer);
  /// The load did not stay up: its workers have ended or are left behind.
  bool is_over() const { return is_over_; }
  /// Ends the load. Returns the number of ops that have not come back.
  std::size_t end_workers();

 private:
  static std::vector<ShardProc*> procs_of(const Engine& engine, const LoadPoint& load);
  bool flush(RunStats* counted);
  void report_failure(std::uint32_t proc, const Op& op, int error);
  bool too_many_errors() const;
  Nanos begin();
  Nanos go_on();
  void begin_window();
  bool drain(Nanos end, bool ending);

  Engine& engine_;
  LoadPoint load_;
  const bool spin_;
  RunObserver* observer_ = nullptr;
  TimePoint origin_;  ///< when the load began
  Shards shards_;
  Workers workers_;
  std::optional<Measurement> measurement_;
  IntervalStats interval_stats_;  ///< of the current interval
  std::mutex failure_mutex_;
  int failures_logged_ = 0;
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
    next_tick = std::min(next_tick + (workers_.may_be_missing() ? tick : idle_tick), measurement_->interval_end());
    pauses.sleep_until(origin_ + next_tick);
    const Nanos at = now() - origin_;
    workers_.add_where_late(at);
    if (at >= next_stuck_check) {
      workers_.watch_stuck(at, *observer_);
      workers_.update_priorities(origin_ + at);
      next_stuck_check = at + stuck_check;
    }
    interrupted = engine_.stop_.stop_requested();
    too_many = too_many_errors();
    const bool ending = interrupted || too_many || workers_.is_broken();
    if (at < measurement_->interval_end() && !ending) continue;
    shards_.harvest(interval_stats_);
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
  shards_.add_procs(stats.groups);
  if (!is_over_) return stats;
  stats.stuck_ops = end_workers() + (flushed ? 0 : 1);
  workers_.rethrow();
  if (load_.sync_after && stats.stuck_ops == 0 && !interrupted && !flush(&stats)) {
    stats.stuck_ops = 1;
    stats.interrupted = engine_.stop_.stop_requested();
  }
  return stats;
}

/// Begins the load; returns when, since its origin.
Nanos Engine::Run::begin() {
  if (load_.drop_caches) engine_.target_.drop_caches();
  workers_.make_queues(weak_from_this());
  while (!workers_.queues_are_made() && !workers_.is_broken() && !engine_.stop_.stop_requested())
    std::this_thread::sleep_for(tick);
  measurement_.emplace(load_, engine_.group_names_, *observer_);
  origin_ = now();
  for (Shard* const shard : shards_) shard->begin_at(origin_, measurement_->window());
  workers_.begin();
  return Nanos(0);
}

/// Goes on at another rate; returns from when on, since the load's origin.
Nanos Engine::Run::go_on() {
  const Nanos at = now() - origin_;
  for (Shard* const shard : shards_) shard->reschedule(engine_.schedules_of(shard->procs(), at));
  shards_.begin_window({at, Nanos::max()});
  interval_stats_.clear();
  measurement_.emplace(load_, engine_.group_names_, *observer_, at);
  return at;
}

std::vector<ShardProc*> Engine::Run::procs_of(const Engine& engine, const LoadPoint& load) {
  std::vector<ShardProc*> procs;
  for (const auto& proc : engine.procs_)
    if (proc->active || load.stays_up) procs.push_back(proc.get());
  return procs;
}

bool Engine::Run::flush(RunStats* counted) {
  return edagen::flush(engine_.target_, engine_.options_.stuck_after, engine_.stop_, *observer_, counted);
}

void Engine::Run::report_failure(std::uint32_t proc, const Op& op, int error) {
  std::lock_guard lock(failure_mutex_);
  if (observer_ == nullptr || failures_logged_ >= logged_failures) return;
  ++failures_logged_;
  observer_->op_failed(engine_.target_.describe(proc, op), op.kind, error);
}

bool Engine::Run::too_many_errors() const {
  const std::uint64_t errors = shards_.errors();
  if (engine_.options_.max_errors) return errors > *engine_.options_.max_errors;
  return errors > std::max<std::uint64_t>(10, shards_.operations() / 100);
}

/// In a moment, so that all parts know of it before it begins.
void Engine::Run::begin_window() {
  constexpr Nanos moment = std::chrono::milliseconds(1);
  Nanos start{0};
  do {
    start = now() - origin_ + moment;
    shards_.begin_window({start, start + load_.duration});
  } while (now() - origin_ >= start);
  measurement_->begin_window(start);
}

/// Waits for the ops that were due before the window's `end`, and takes what all shards have seen by then. False when
/// they have not all ended.
bool Engine::Run::drain(Nanos end, bool ending) {
  for (Shard* const shard : shards_) shard->close(end, load_.stays_up && !ending);
  const Nanos longest = ending ? longest_drain_when_ending : longest_drain(load_.duration);
  Nanos at = now() - origin_;
  bool all_ended = false;
  while (!(all_ended = shards_.are_idle()) && at < end + longest && !workers_.is_broken()) {
    std::this_thread::sleep_for(tick);
    at = now() - origin_;
    workers_.add_where_late(at);
    workers_.watch_stuck(at, *observer_);
  }
  if (!all_ended || !load_.stays_up)
    for (Shard* const shard : shards_) shard->count_outstanding(at);
  shards_.harvest(interval_stats_);
  return all_ended;
}

std::size_t Engine::Run::end_workers() {
  is_over_ = true;
  for (Shard* const shard : shards_) shard->stop();
  const TimePoint deadline = now() + engine_.options_.stuck_after;
  while (!workers_.have_ended() && now() < deadline) {
    std::this_thread::sleep_for(tick);
    workers_.watch_stuck(now() - origin_, *observer_);
  }
  const std::size_t stuck = workers_.part();
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
    procs_.push_back(std::make_unique<Proc>(Proc{{.index = index,
                                                  .ops = std::move(proc.ops),
                                                  .group = proc.group,
                                                  .ops_per_sec = proc.ops_per_sec,
                                                  .schedule = Schedule::closed_loop(),
                                                  .depth = proc.depth,
                                                  .own_ops_per_sec = proc.ops_per_sec},
                                                 proc.job_set,
                                                 proc.client,
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
