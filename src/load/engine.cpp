#include "load/engine.hpp"

#include <algorithm>
#include <thread>
#include <utility>

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
/// For ops to end when a run is interrupted, before they are given up, and for workers to give them up.
constexpr Nanos grace = std::chrono::milliseconds(300);

}  // namespace

/// A load: one load point, or several that take over from each other. The workers share it, because they may outlive it
/// when an op never returns.
class Engine::Run : public std::enable_shared_from_this<Engine::Run> {
 public:
  Run(Engine& engine, const LoadPoint& load)
      : engine_(engine),
        load_(load),
        spin_(engine.options_.spin && load.open_loop()),
        shards_(engine.procs_.of_load(load),
                {engine.group_names_.size(), engine.procs_.rate_here(load), spin_, engine.options_.max_workers,
                 engine.target_.queues_all_procs()},
                [this](std::uint32_t proc, const Op& op, int error) { report_failure(proc, op, error); }),
        workers_(shards_, engine.target_,
                 {std::min(engine.options_.max_workers, shards_.serial_procs()), load.open_loop() != nullptr, spin_,
                  engine.options_.stuck_after, engine.options_.processes_here}),
        interval_stats_(engine.group_names_.size()),
        pauses_([this] { return shards_.operations(); }) {}

  /// Whether this load can go on as `load`, with the same shards and workers.
  bool can_become(const LoadPoint& load) const {
    return load.takes_over(load_) && shards_.suit(*engine_.procs_.rate_here(load));
  }
  /// Measures `load`: the load begins with it or goes on as it.
  RunStats measure(const LoadPoint& load, const EventSink& emit);
  /// Whether the load did not stay up, so that its workers have ended or are left behind.
  bool is_over() const { return is_over_; }
  /// The number of ops that had not returned when the load ended.
  std::size_t stuck_ops() const { return stuck_ops_; }
  /// Ends the load. Returns the number of ops that have not returned.
  std::size_t end_workers();

 private:
  bool flush(RunStats* counted);
  bool flush_and_drop_caches();
  void report_failure(std::uint32_t proc, const Op& op, int error);
  void watch_stuck(Nanos at);
  bool too_many_errors() const;
  void add_procs(std::vector<GroupStats>& groups) const;
  double busy_share(const RunStats& stats) const;
  Nanos begin();
  Nanos go_on();
  SharedLoad* shared() const { return engine_.options_.shared; }
  TimePoint agreed_start();
  Measurement::Next agree(Measurement::Next next, bool ending);
  Nanos begin_window(std::optional<TimePoint> agreed = std::nullopt);
  bool drain(Nanos end, bool ending);
  void end_load(RunStats& stats, bool flushed);

  Engine& engine_;
  LoadPoint load_;
  const bool spin_;
  EventSink emit_;    ///< empty: the load has ended, and ops that return later emit nothing
  TimePoint origin_;  ///< when the load began
  Shards shards_;
  Workers workers_;
  std::optional<Measurement> measurement_;
  IntervalStats interval_stats_;  ///< of the current interval
  PauseWatch pauses_;             ///< one thread for all load points: the workers may be as many as there can be
  std::mutex failure_mutex_;
  int failures_logged_ = 0;
  bool has_begun_ = false, is_over_ = false;
  std::size_t stuck_ops_ = 0;
  TimePoint agreed_window_{};  ///< with several hosts: when the next window begins
  Nanos start_late_{0};
  Nanos began_{0};  ///< the load point, since the load began
};

RunStats Engine::Run::measure(const LoadPoint& load, const EventSink& emit) {
  load_ = load;
  {
    std::lock_guard lock(failure_mutex_);
    emit_ = emit;
  }
  const bool takes_over = std::exchange(has_begun_, true);
  const bool flushed = takes_over || flush_and_drop_caches();
  Nanos next_tick = takes_over ? go_on() : begin();
  measurement_->load_began();
  if (takes_over && measurement_->measuring()) begin_window();
  Nanos next_stuck_check = next_tick + stuck_check;
  UsedProcessors used;
  // Where a rate is measured at once, ops of a late beginning are served in the window.
  pauses_.restart(measurement_->measuring() ? start_late_ : Nanos(0));
  double cpu_cores_used = 0, host_busy = 0, throttled_share = 0;
  bool interrupted = false, too_many = false, ended = false;
  while (!ended) {
    next_tick = std::min(next_tick + (workers_.may_be_missing() ? tick : idle_tick), measurement_->interval_end());
    std::this_thread::sleep_until(origin_ + next_tick);
    const Nanos at = now() - origin_;
    workers_.add_where_late(at);
    if (at >= next_stuck_check) {
      watch_stuck(at);
      workers_.update_priorities(origin_ + at);
      next_stuck_check = at + stuck_check;
    }
    interrupted = engine_.stop_.stop_requested();
    too_many = too_many_errors();
    const bool ending = interrupted || too_many || workers_.is_broken() || (shared() && shared()->is_over());
    if (at < measurement_->interval_end() && !ending) continue;
    shards_.harvest(interval_stats_);
    Measurement::Next next = measurement_->interval_ended(at, interval_stats_, ending);
    if (shared()) next = agree(next, ending);
    if (next == Measurement::Next::end) {
      cpu_cores_used = used.by_process();
      host_busy = used.share_of_host();
      throttled_share = used.throttled_share();
      measurement_->end_window();
      is_over_ = !drain(std::min(at, measurement_->window().end), ending) || ending || !load_.stays_up;
      ended = true;
      continue;
    }
    interval_stats_.clear();
    if (next == Measurement::Next::window) {
      const Nanos late = begin_window(shared() ? std::optional(agreed_window_) : std::nullopt);
      used = UsedProcessors();
      // When a load stays up, ops that an earlier pause delayed are served in this window: that pause counts, too.
      if (load_.stays_up) pauses_.add_late(late);
      else pauses_.restart(late);
    }
  }
  const Nanos drained = now() - origin_;
  if (shared()) shared()->drained(interval_stats_);
  RunStats stats = measurement_->finish(interval_stats_);
  stats.drain = std::max(drained - measurement_->window().end, Nanos(0));
  stats.interrupted = interrupted;
  stats.too_many_errors = too_many;
  stats.cpu_cores_used = cpu_cores_used;
  stats.host_busy = host_busy;
  stats.longest_pause = pauses_.longest();
  stats.paused_share = pauses_.share();
  stats.pause_delay = pauses_.delay() / (1 - busy_share(stats));
  stats.throttled_share = throttled_share;
  stats.real_time_refused = workers_.is_real_time_refused();
  stats.start_late = start_late_;
  stats.first_op = std::max(shards_.first_op() - began_, Nanos(0));
  add_procs(stats.groups);
  if (is_over_) end_load(stats, flushed);
  return stats;
}

/// Ends the load and flushes what was written. `flushed`: what came before the load has returned.
void Engine::Run::end_load(RunStats& stats, bool flushed) {
  stats.stuck_ops = end_workers() + (flushed ? 0 : 1);
  if (!stats.interrupted) workers_.rethrow();  // workers that could not be set up in time are no failure then
  if (!load_.sync_after || stats.stuck_ops > 0 || stats.interrupted || flush(&stats)) return;
  stats.stuck_ops = 1;
  stats.interrupted = engine_.stop_.stop_requested();
}

/// Begins the load. Returns the time of the beginning, since the origin.
Nanos Engine::Run::begin() {
  workers_.start(weak_from_this());
  while (!workers_.are_ready() && !workers_.is_broken() && !engine_.stop_.stop_requested())
    std::this_thread::sleep_for(tick);
  measurement_.emplace(load_, engine_.group_names_, emit_);
  origin_ = agreed_start();
  for (Shard* const shard : shards_) shard->begin_at(origin_, measurement_->window());
  workers_.begin();
  return Nanos(0);
}

/// The start: now, or the time at which all hosts begin. Waits for their agreement.
TimePoint Engine::Run::agreed_start() {
  if (!shared()) return now();
  const TimePoint start = shared()->agree_start();
  std::this_thread::sleep_until(start);
  const TimePoint at = now();
  start_late_ = at - start;
  return std::min(at, start);
}

/// Called when an interval has ended. After a phase the load goes on until all hosts have decided what is next.
Measurement::Next Engine::Run::agree(Measurement::Next next, bool ending) {
  const bool phase_over = next != Measurement::Next::interval;
  shared()->interval_ended(measurement_->last_interval(), interval_stats_, phase_over, ending);
  if (!phase_over) return next;
  if (ending) return Measurement::Next::end;
  Nanos next_stuck_check{0};
  for (;;) {
    const std::optional<SharedLoad::Decision> decision = shared()->decision();
    if (decision && decision->next == Measurement::Next::interval) measurement_->extend_warmup();
    if (decision) agreed_window_ = decision->at;
    if (decision) return decision->next;
    if (shared()->is_over() || engine_.stop_.stop_requested()) return Measurement::Next::end;
    std::this_thread::sleep_for(tick);
    const Nanos at = now() - origin_;
    workers_.add_where_late(at);
    if (at < next_stuck_check) continue;
    watch_stuck(at);
    next_stuck_check = at + stuck_check;
  }
}

/// Goes on at another rate. Returns the time of the change, since the load's origin.
Nanos Engine::Run::go_on() {
  const Nanos at = std::max(agreed_start(), origin_) - origin_;
  began_ = at;
  for (Shard* const shard : shards_) shard->begin_next(at);
  for (Shard* const shard : shards_) shard->reschedule(engine_.procs_.schedules_of(shard->procs(), at));
  shards_.begin_window({at, Nanos::max()});
  interval_stats_.clear();
  measurement_.emplace(load_, engine_.group_names_, emit_, at);
  return at;
}

bool Engine::Run::flush(RunStats* counted) {
  return edagen::flush(engine_.target_, engine_.options_.stuck_after, engine_.stop_, emit_, counted);
}

/// Before a load: earlier writes do not count. False when a call does not return.
bool Engine::Run::flush_and_drop_caches() {
  if (load_.sync_after && !flush(nullptr)) return false;
  return !load_.drop_caches || drop_caches(engine_.target_, engine_.options_.stuck_after, engine_.stop_, emit_);
}

void Engine::Run::report_failure(std::uint32_t proc, const Op& op, int error) {
  std::lock_guard lock(failure_mutex_);
  if (!emit_ || failures_logged_ >= logged_failures) return;
  ++failures_logged_;
  emit_(OpFailed{engine_.target_.describe(proc, op), op.kind, error});
}

void Engine::Run::watch_stuck(Nanos at) {
  workers_.watch_stuck(at, [this](const std::string& what, OpKind kind, Nanos age) {
    emit_(OpStuck{what, kind, age});
    if (shared()) shared()->op_stuck(what, kind, age);
  });
}

bool Engine::Run::too_many_errors() const {
  const std::uint64_t errors = shards_.errors();
  if (engine_.options_.max_errors) return errors > *engine_.options_.max_errors;
  return errors > std::max<std::uint64_t>(10, shards_.operations() / 100);
}

/// The window begins in a moment, so that all shards have its times before; or when all hosts begin it. Returns by how
/// much that was over when this host heard of it: its ops of that time are not counted.
Nanos Engine::Run::begin_window(std::optional<TimePoint> agreed) {
  constexpr Nanos moment = std::chrono::milliseconds(1);
  Nanos start{0}, late{0};
  do {
    start = agreed.value_or(now() + moment) - origin_;
    shards_.begin_window({start, start + load_.duration});
    late = now() - origin_ - start;
  } while (!agreed && late >= Nanos(0));
  measurement_->begin_window(start);
  return std::max(late, Nanos(0));
}

/// Waits for the ops that were due before `end`, and harvests all shards. Returns false when some ops have not ended.
bool Engine::Run::drain(Nanos end, bool ending) {
  for (Shard* const shard : shards_) shard->close(end, load_.stays_up && !ending);
  const Nanos longest = ending ? longest_drain_when_ending(shared() != nullptr, engine_.target_.queues_all_procs())
                               : longest_drain(load_.duration);
  Nanos at = now() - origin_;
  bool all_ended = false;
  while (!(all_ended = shards_.are_idle()) && at < end + longest && !workers_.is_broken()) {
    std::this_thread::sleep_for(tick);
    at = now() - origin_;
    workers_.add_where_late(at);
    watch_stuck(at);
  }
  if (!all_ended || !load_.stays_up)
    for (Shard* const shard : shards_) shard->count_outstanding(at);
  shards_.harvest(interval_stats_);
  return all_ended;
}

/// Adds the procs of each kind, on all hosts, and the due and ended ops of the procs on this host.
void Engine::Run::add_procs(std::vector<GroupStats>& groups) const {
  shards_.add_procs(groups);
  engine_.procs_.add_elsewhere(load_, groups);
  double all = 0;
  for (const GroupStats& group : groups) all += group.share;
  for (GroupStats& group : groups) group.share /= all;
}

/// The share of the window in which the procs of this host were in ops. The busier they are, the longer it takes until
/// they have caught up after a pause: 1 / (1 - share) times the pause, with the pause.
double Engine::Run::busy_share(const RunStats& stats) const {
  constexpr double highest = 0.95;  // an overload has no end
  const double time = to_seconds(stats.length) * static_cast<double>(shards_.depth());
  return time > 0 ? std::min(highest, stats.ops.service().total() / 1e9 / time) : 0;
}

std::size_t Engine::Run::end_workers() {
  is_over_ = true;
  for (Shard* const shard : shards_) shard->stop();
  workers_.begin();  // also when the load never began
  TimePoint give_up = now() + engine_.options_.stuck_after, leave = give_up + grace;
  while (!workers_.have_ended() && now() < leave) {
    std::this_thread::sleep_for(tick);
    watch_stuck(now() - origin_);
    // When stuck ops end the load on all hosts, they have had their time already.
    if (shared() && workers_.only_stuck_are_left()) {
      give_up = std::min(give_up, now());
      leave = std::min(leave, give_up + grace);
    }
    if (engine_.stop_.stop_requested()) {
      give_up = std::min(give_up, now() + grace);
      // A launcher kills the processes of all hosts a second after its signal: ops that take longer are left behind.
      if (shared()) leave = std::min(leave, give_up + grace / 2);
    }
    if (now() >= give_up) shards_.abandon();
  }
  stuck_ops_ = workers_.join_or_abandon();
  std::lock_guard lock(failure_mutex_);
  if (stuck_ops_ > 0) emit_ = nullptr;
  return stuck_ops_;
}

Engine::Engine(std::vector<EngineProc> procs, std::vector<std::string> group_names, Target& target,
               EngineOptions options, std::stop_token stop)
    : procs_(std::move(procs), std::move(options.elsewhere), options.seed),
      group_names_(std::move(group_names)),
      target_(target),
      options_(std::move(options)),
      stop_(std::move(stop)) {}

Engine::~Engine() { end_load(); }

RunStats Engine::run(const LoadPoint& load, const EventSink& emit) {
  const bool takes_over = up_ && up_->can_become(load);
  if (const std::uint64_t stuck = takes_over ? 0 : end_load(); stuck > 0) {
    RunStats nothing;
    nothing.requested_ops_per_sec = load.requested_ops_per_sec();
    for (const std::string& name : group_names_) nothing.groups.push_back({.name = name});
    nothing.stuck_ops = stuck;
    nothing.interrupted = stop_.stop_requested();
    return nothing;
  }
  procs_.apply(load, takes_over);
  if (!takes_over) up_ = std::make_shared<Run>(*this, load);
  const std::shared_ptr<Run> run = up_;
  RunStats stats = run->measure(load, emit);
  if (run->is_over()) up_ = nullptr;
  return stats;
}

std::uint64_t Engine::end_load() {
  const std::shared_ptr<Run> run = std::exchange(up_, nullptr);
  if (!run) return 0;
  return run->is_over() ? run->stuck_ops() : run->end_workers();  // over: a worker has failed, which was thrown
}

}  // namespace edagen
