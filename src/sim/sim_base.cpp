#include "sim/sim_base.hpp"

namespace edagen {

SimBase::SimBase(std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop)
    : random_(derive_seed(seed, 0x73696d)),
      groups_(std::move(groups)),
      seed_(seed),
      stop_(std::move(stop)),
      interval_stats_(groups_.size()) {
  procs_.reserve(procs.size());
  std::size_t clients = 0;
  for (SimProc& sim : procs) {
    clients = std::max(clients, sim.proc.client + 1);
    const std::size_t first_sharer = sim.first_sharer.value_or(procs_.size());
    procs_.push_back({std::move(sim.proc), sim.cacheable, first_sharer, false, 1, 0, Schedule::closed_loop(), 0, 0});
  }
  interval_stats_.clients.resize(clients);
}

RunStats SimBase::run(const LoadPoint& load, const EventSink& emit) {
  const bool takes_over = up_ && load.takes_over(*up_);
  if (!takes_over) {
    load_began_ = *clock_;
    at_ = Nanos(0);
  }
  const Nanos start = at_;
  apply(load, takes_over);
  if (takes_over) reschedule(static_cast<double>(at_.count()));
  else begin(procs_now_);
  interval_stats_.clear();
  if (shared_) shared_->agree_start();
  Measurement measurement(load, groups_, emit, start);
  measurement.load_began();
  window_ = measurement.window();
  bool ending = false, all_ended = false;
  for (;;) {
    at_ = measurement.interval_end();
    advance(static_cast<double>(at_.count()));
    ending = stop_.stop_requested() || (shared_ && shared_->is_over());
    Measurement::Next next = measurement.interval_ended(at_, interval_stats_, ending);
    if (shared_) next = agree(measurement, next, ending);
    if (next == Measurement::Next::end) {
      measurement.end_window();
      window_.end = std::min(window_.end, at_);
      all_ended = drain(ending ? Nanos(0) : longest_drain(load.duration));
      break;
    }
    interval_stats_.clear();
    if (next != Measurement::Next::window) continue;
    measurement.begin_window(at_);
    window_ = measurement.window();
    for (const std::uint32_t i : procs_now_) procs_[i].ended = procs_[i].due = 0;
  }
  if (shared_) shared_->drained(interval_stats_);
  RunStats stats = measurement.finish(interval_stats_);
  stats.drain = at_ - window_.end;
  stats.interrupted = ending;
  double own_total = 0;
  for (const std::uint32_t i : procs_now_)
    if (procs_[i].active) own_total += procs_[i].ops_per_sec;
  for (const std::uint32_t i : procs_now_) {
    const Proc& proc = procs_[i];
    if (!proc.active) continue;
    GroupStats& group = stats.groups[proc.group];
    group.share += proc.ops_per_sec / own_total;
    group.paced = proc.paced;
    group.add_proc(proc.schedule.open_loop() ? std::optional(proc.rate) : std::nullopt, proc.due, proc.ended);
  }
  up_ = load.stays_up && all_ended && !ending ? std::optional(load) : std::nullopt;
  *clock_ = load_began_ + static_cast<double>(at_.count());
  return stats;
}

/// Like Engine::Run::agree(), except that virtual time waits for the decision.
Measurement::Next SimBase::agree(Measurement& measurement, Measurement::Next next, bool ending) {
  const bool phase_over = next != Measurement::Next::interval;
  shared_->interval_ended(measurement.last_interval(), interval_stats_, phase_over, ending);
  if (!phase_over) return next;
  while (!ending && !shared_->is_over() && !stop_.stop_requested()) {
    const std::optional<SharedLoad::Decision> decision = shared_->decision();
    if (decision && decision->next == Measurement::Next::interval) measurement.extend_warmup();
    if (decision) return decision->next;
    shared_->rest();
  }
  return Measurement::Next::end;
}

/// Applies the load point to the procs that take part.
void SimBase::apply(const LoadPoint& load, bool takes_over) {
  if (!takes_over) procs_now_.clear();
  AppliedLoad::Procs all;
  std::vector<double> shares(groups_.size(), 0);
  for (std::uint32_t i = 0; i < procs_.size(); ++i) {
    procs_[i].active = load.includes(procs_[i].job_set, procs_[i].client);
    if (!takes_over && (procs_[i].active || load.stays_up)) procs_now_.push_back(i);
    if (!procs_[i].active) continue;
    all.add(procs_[i].ops_per_sec, procs_[i].paced);
    shares[procs_[i].group] += procs_[i].ops_per_sec;
  }
  const std::uint64_t seed = derive_seed(seed_, ++runs_);
  if (takes_over) {
    applied_->steer(load, all.own_ops_per_sec, seed);
  } else {
    const bool keeps_shares = !load.open_loop() && !all.any_unpaced && MixBalancer::are_needed(shares);
    shares_ = keeps_shares ? std::make_unique<MixBalancer>(shares) : nullptr;
    applied_ = std::make_unique<AppliedLoad>(load, all, seed);
  }
  for (const std::uint32_t i : procs_now_) {
    Proc& proc = procs_[i];
    proc.rate = applied_->ops_per_sec(proc.ops_per_sec);
    proc.schedule = proc.active ? applied_->schedule(proc.rate, proc.paced, i, at_) : Schedule::idle();
    proc.ended = proc.due = 0;
    if (takes_over) continue;
    proc.depth_now = applied_->depth(proc.depth, proc.queueable);
    applied_->choose_mix(proc.ops, proc.group);
  }
}

/// Advances, as the load goes on, until the ops that were due in the window have ended, at most to `at_most`. Ops that
/// have not ended then are counted with their age. Returns false when there are any.
bool SimBase::drain(Nanos at_most) {
  constexpr int steps = 20;
  const auto due = [](const Proc& proc) { return proc.schedule.due(); };
  const auto intended_in_window = [this](double intended) {
    return window_.contains(Nanos(static_cast<Nanos::rep>(intended)));
  };
  const auto is_open = [&] {
    bool open = std::ranges::any_of(
        procs_now_, [&](std::uint32_t i) { return procs_[i].schedule.open_loop() && due(procs_[i]) < window_.end; });
    for_each_in_flight([&](Proc&, double intended) { open = open || intended_in_window(intended); });
    return open;
  };
  at_ = window_.end;
  Nanos step = at_most / steps / 16;
  const Nanos last = at_ + at_most;
  bool open = false;
  while ((open = is_open()) && at_ < last) {
    at_ = std::min(at_ + step, last);
    step = std::min(2 * step, at_most / steps);
    advance(static_cast<double>(at_.count()));
  }
  if (!open) return true;
  const auto outstanding = [&](Proc& proc, Nanos intended) {
    if (!proc.here) return;
    ++proc.due;
    interval_stats_.ops.record_outstanding(at_ - intended);
    interval_stats_.clients[proc.client].record_outstanding(at_ - intended);
  };
  for_each_in_flight([&](Proc& proc, double intended) {
    if (intended_in_window(intended)) outstanding(proc, Nanos(static_cast<Nanos::rep>(intended)));
  });
  for (const std::uint32_t i : procs_now_) {
    Proc& proc = procs_[i];
    for (; proc.schedule.open_loop() && due(proc) < window_.end; proc.schedule.advance())
      if (window_.contains(due(proc))) outstanding(proc, due(proc));
  }
  return false;
}

std::unique_ptr<LoadRunner> make_sim_runner(const VolumeModel& model, std::vector<SimProc> procs,
                                            std::vector<std::string> group_names, std::uint64_t seed,
                                            std::stop_token stop, SharedLoad* shared) {
  auto made = model.station
                  ? make_station_sim(*model.station, std::move(procs), std::move(group_names), seed, std::move(stop))
                  : make_volume_sim(model, std::move(procs), std::move(group_names), seed, std::move(stop));
  if (shared) made->share(*shared);
  if (model.clock) made->use_clock(model.clock);
  return made;
}

}  // namespace edagen
