#include "load/engine_procs.hpp"

namespace edagen {

EngineProcs::EngineProcs(std::vector<EngineProc> procs, std::vector<ProcElsewhere> elsewhere, std::uint64_t seed)
    : elsewhere_(std::move(elsewhere)), seed_(seed) {
  procs_.reserve(procs.size());
  for (EngineProc& proc : procs) {
    const auto index = static_cast<std::uint32_t>(procs_.size());
    procs_.push_back(std::make_unique<Proc>(Proc{{.index = index,
                                                  .ops = std::move(proc.ops),
                                                  .group = proc.group,
                                                  .client = proc.client,
                                                  .ops_per_sec = proc.ops_per_sec,
                                                  .schedule = Schedule::closed_loop(),
                                                  .depth = proc.depth,
                                                  .paced = proc.paced,
                                                  .own_ops_per_sec = proc.ops_per_sec},
                                                 proc.job_set,
                                                 proc.depth,
                                                 proc.queueable,
                                                 proc.number.value_or(index)}));
  }
}

std::vector<ShardProc*> EngineProcs::of_load(const LoadPoint& load) const {
  std::vector<ShardProc*> procs;
  for (const auto& proc : procs_)
    if (proc->active || load.stays_up) procs.push_back(proc.get());
  return procs;
}

AppliedLoad::Procs EngineProcs::here(const LoadPoint& load) const {
  AppliedLoad::Procs all;
  for (const auto& proc : procs_)
    if (load.includes(proc->job_set, proc->client)) all.add(proc->own_ops_per_sec, proc->paced);
  return all;
}

AppliedLoad::Procs EngineProcs::everywhere(const LoadPoint& load) const {
  AppliedLoad::Procs all = here(load);
  for (const ProcElsewhere& proc : elsewhere_)
    if (load.includes(proc.job_set, proc.client)) all.add(proc.ops_per_sec, proc.paced);
  return all;
}

std::optional<double> EngineProcs::rate_here(const LoadPoint& load) const {
  const OpenLoop* const open = load.open_loop();
  if (!open) return std::nullopt;
  const double all = everywhere(load).own_ops_per_sec;
  return all > 0 ? open->ops_per_sec * here(load).own_ops_per_sec / all : 0;
}

void EngineProcs::apply(const LoadPoint& load, bool takes_over) {
  const AppliedLoad::Procs all = everywhere(load);
  for (const auto& proc : procs_) proc->active = load.includes(proc->job_set, proc->client);
  const std::uint64_t seed = derive_seed(seed_, ++loads_);
  if (takes_over) applied_->steer(load, all.own_ops_per_sec, seed);
  else applied_ = std::make_unique<AppliedLoad>(load, all, seed);
  for (const auto& proc : procs_) {
    proc->ops_per_sec = applied_->ops_per_sec(proc->own_ops_per_sec);
    if (takes_over) continue;
    proc->schedule = schedules_of({proc.get()}, Nanos(0)).front();
    proc->previous_end = proc->unhindered_end = Nanos(0);
    proc->depth = applied_->depth(proc->own_depth, proc->queueable);
    applied_->choose_mix(proc->ops, proc->group);
  }
}

std::vector<Schedule> EngineProcs::schedules_of(const std::vector<ShardProc*>& procs, Nanos start) const {
  std::vector<Schedule> schedules;
  schedules.reserve(procs.size());
  for (const ShardProc* const proc : procs)
    schedules.push_back(
        proc->active ? applied_->schedule(proc->ops_per_sec, proc->paced, static_cast<const Proc*>(proc)->number, start)
                     : Schedule::idle());
  return schedules;
}

void EngineProcs::add_elsewhere(const LoadPoint& load, std::vector<GroupStats>& groups) const {
  for (const ProcElsewhere& proc : elsewhere_) {
    if (!load.includes(proc.job_set, proc.client)) continue;
    GroupStats& group = groups[proc.group];
    group.share += proc.ops_per_sec;
    group.paced = proc.paced;
    group.add_proc(applied_->scheduled_ops_per_sec(proc.ops_per_sec, proc.paced), 0, 0);
  }
}

}  // namespace edagen
