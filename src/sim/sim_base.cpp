#include "sim/sim_base.hpp"

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
  for (std::uint32_t i = 0; i < procs_.size(); ++i) {
    if (!load.includes(procs_[i].job_set, procs_[i].client)) continue;
    active.push_back(i);
    own_total += procs_[i].ops_per_sec;
  }
  applied_ = std::make_unique<AppliedLoad>(load, own_total, derive_seed(seed_, ++runs_));
  for (const std::uint32_t i : active) {
    Proc& proc = procs_[i];
    proc.rate = applied_->ops_per_sec(proc.ops_per_sec);
    proc.depth_now = applied_->depth(proc.depth, proc.queueable);
    proc.schedule = applied_->schedule(proc.rate, i);
    applied_->choose_mix(proc.ops, proc.group);
    proc.completed = proc.completed_before = 0;
  }
  begin(active, load.ops_per_sec.has_value());
  interval_stats_.clear();
  Measurement measurement(load, groups_, observer);
  measurement.load_began();
  for (bool ending = false;;) {
    const Nanos end = measurement.interval_end();
    advance(static_cast<double>(end.count()));
    ending = stop_.stop_requested();
    const Measurement::Next next = measurement.interval_ended(end, interval_stats_, ending);
    interval_stats_.clear();
    if (next == Measurement::Next::window)
      for (const std::uint32_t i : active) procs_[i].completed_before = procs_[i].completed;
    if (next != Measurement::Next::end) continue;
    RunStats stats = measurement.result();
    stats.interrupted = ending;
    for (const std::uint32_t i : active)
      stats.groups[procs_[i].group].add_proc(load.ops_per_sec ? std::optional(procs_[i].rate) : std::nullopt,
                                             procs_[i].completed - procs_[i].completed_before, stats.length,
                                             load.arrivals == Arrivals::poisson);
    return stats;
  }
}

OpResult result_of(const Op& op) {
  OpResult result;
  switch (op.kind) {
    case OpKind::read_file:
    case OpKind::read_seq:
    case OpKind::read_rand:
    case OpKind::mmap_read: result.bytes_read = op.length; break;
    case OpKind::write_file:
    case OpKind::write_seq:
    case OpKind::write_rand:
    case OpKind::write_append:
    case OpKind::mmap_write: result.bytes_written = op.length; break;
    case OpKind::rmw:
    case OpKind::copyfile: result.bytes_read = result.bytes_written = op.length; break;
    default: break;
  }
  return result;
}

std::unique_ptr<LoadRunner> make_sim_runner(const VolumeModel& model, std::vector<SimProc> procs,
                                            std::vector<std::string> group_names, std::uint64_t seed,
                                            std::stop_token stop) {
  if (model.station)
    return make_station_sim(*model.station, std::move(procs), std::move(group_names), seed, std::move(stop));
  return make_volume_sim(model, std::move(procs), std::move(group_names), seed, std::move(stop));
}

}  // namespace edagen
