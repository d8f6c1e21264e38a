#include "sim/sim_base.hpp"

#include <algorithm>

namespace edagen {

SimBase::SimBase(std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop)
    : random_(derive_seed(seed, 0x73696d)),
      groups_(std::move(groups)),
      seed_(seed),
      stop_(std::move(stop)),
      interval_stats_(groups_.size()) {
  procs_.reserve(procs.size());
  for (SimProc& sim : procs)
    procs_.push_back({std::move(sim.proc), sim.cacheable, 1, 0, Schedule::closed_loop(), 0, 0});
}

RunStats SimBase::run(const LoadPoint& load, RunObserver& observer) {
  std::vector<std::uint32_t> active;
  double own_total = 0;
  std::vector<double> shares(groups_.size(), 0);
  for (std::uint32_t i = 0; i < procs_.size(); ++i) {
    if (!load.includes(procs_[i].job_set, procs_[i].client)) continue;
    active.push_back(i);
    own_total += procs_[i].ops_per_sec;
    shares[procs_[i].group] += procs_[i].ops_per_sec;
  }
  shares_ = !load.ops_per_sec && shares.size() > 1 ? std::make_unique<KeptShares>(shares) : nullptr;
  applied_ = std::make_unique<AppliedLoad>(load, own_total, derive_seed(seed_, ++runs_));
  for (const std::uint32_t i : active) {
    Proc& proc = procs_[i];
    proc.rate = applied_->ops_per_sec(proc.ops_per_sec);
    proc.depth_now = applied_->depth(proc.depth, proc.queueable);
    proc.schedule = applied_->schedule(proc.rate, i);
    applied_->choose_mix(proc.ops, proc.group);
    proc.ended = proc.due = 0;
  }
  begin(active, load.ops_per_sec.has_value());
  interval_stats_.clear();
  Measurement measurement(load, groups_, observer);
  measurement.load_began();
  window_ = measurement.window();
  bool ending = false;
  for (;;) {
    const Nanos end = measurement.interval_end();
    advance(static_cast<double>(end.count()));
    ending = stop_.stop_requested();
    const Measurement::Next next = measurement.interval_ended(end, interval_stats_, ending);
    if (next == Measurement::Next::end) {
      window_.end = std::min(window_.end, end);
      drain(active, ending ? Nanos(0) : longest_drain(load.duration));
      break;
    }
    interval_stats_.clear();
    if (next != Measurement::Next::window) continue;
    measurement.begin_window(end);
    window_ = measurement.window();
    for (const std::uint32_t i : active) procs_[i].ended = procs_[i].due = 0;
  }
  RunStats stats = measurement.finish(interval_stats_);
  stats.interrupted = ending;
  for (const std::uint32_t i : active) {
    const Proc& proc = procs_[i];
    GroupStats& group = stats.groups[proc.group];
    group.share += proc.ops_per_sec / own_total;
    group.add_proc(load.ops_per_sec ? std::optional(proc.rate) : std::nullopt, proc.due, proc.ended);
  }
  return stats;
}

/// Goes on until the ops that were due in the window have ended; the load does, too. Then those that have not are
/// counted with their age.
void SimBase::drain(const std::vector<std::uint32_t>& active, Nanos at_most) {
  constexpr int steps = 20;
  const auto due = [](const Proc& proc) { return proc.schedule.due(); };
  const auto intended_in_window = [this](double intended) {
    return window_.contains(Nanos(static_cast<Nanos::rep>(intended)));
  };
  const auto is_open = [&] {
    bool open = std::ranges::any_of(
        active, [&](std::uint32_t i) { return procs_[i].schedule.open_loop() && due(procs_[i]) < window_.end; });
    for_each_in_flight([&](Proc&, double intended) { open = open || intended_in_window(intended); });
    return open;
  };
  Nanos at = window_.end;
  for (int step = 0; step < steps && at_most > Nanos(0) && is_open(); ++step) {
    at += at_most / steps;
    advance(static_cast<double>(at.count()));
  }
  const auto outstanding = [&](Proc& proc, Nanos intended) {
    ++proc.due;
    interval_stats_.ops.record_outstanding(at - intended);
  };
  for_each_in_flight([&](Proc& proc, double intended) {
    if (intended_in_window(intended)) outstanding(proc, Nanos(static_cast<Nanos::rep>(intended)));
  });
  for (const std::uint32_t i : active) {
    Proc& proc = procs_[i];
    for (; proc.schedule.open_loop() && due(proc) < window_.end; proc.schedule.advance())
      if (window_.contains(due(proc))) outstanding(proc, due(proc));
  }
}

std::unique_ptr<LoadRunner> make_sim_runner(const VolumeModel& model, std::vector<SimProc> procs,
                                            std::vector<std::string> group_names, std::uint64_t seed,
                                            std::stop_token stop) {
  if (model.station)
    return make_station_sim(*model.station, std::move(procs), std::move(group_names), seed, std::move(stop));
  return make_volume_sim(model, std::move(procs), std::move(group_names), seed, std::move(stop));
}

}  // namespace edagen
