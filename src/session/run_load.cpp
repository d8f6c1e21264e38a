#include "session/run_load.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

#include "base/usable_processors.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "session/nfs_site.hpp"
#include "sim/sim_runner.hpp"

namespace edagen {
namespace {

std::vector<std::string> kind_names(const WorkloadSpec& workload) {
  std::vector<std::string> names;
  for (const ProcSpec& kind : workload.proc_kinds) names.push_back(kind.name);
  return names;
}

/// Whether O_DIRECT works, by mount; warns where the workload would have it for some of its opens and it does not.
std::vector<bool> direct_io(RunSite& site) {
  const bool wanted =
      std::ranges::any_of(site.workload().proc_kinds, [](const ProcSpec& kind) { return kind.direct_percent > 0; });
  std::vector<bool> possible;
  for (const DatasetRoot& root : site.roots()) {
    const MountDirectory& mount = site.mounts()[possible.size()];
    possible.push_back(direct_io_block(root.descriptor()).has_value());
    if (wanted && !possible.back())
      spdlog::warn("{} ({}) has no direct I/O: the workload's O_DIRECT writes are buffered here", mount.path,
                   mount.info.fstype);
  }
  return possible;
}

std::unique_ptr<PosixTarget> posix_target(const RunPlan& plan, RunSite& site) {
  const std::vector<bool> direct = direct_io(site);
  std::vector<ProcPlace> places;
  for (const PlannedProc& proc : site.dataset().procs) {
    if (!site.has(proc)) continue;
    const DatasetRoot& root = site.roots()[proc.mount];
    places.push_back({site.mounts()[proc.mount].path, root.path(), root.descriptor(), proc.directory,
                      &site.workload().proc_kinds[proc.kind], proc.files, direct[proc.mount]});
  }
  std::size_t queued = 0, ops_at_once = 0;
  for (const ProcPlace& place : places) {
    if (place.spec->io.depth == 1) continue;
    ++queued;
    ops_at_once += place.spec->io.depth;
  }
  const std::size_t threads = threads_of_queue(plan.max_workers, queued, usable_processor_count());
  if (site.queue_engine() == QueueEngine::threads && ops_at_once > plan.max_workers)
    spdlog::warn(
        "the I/O depth is {} ops at once, and --max-workers allows {} threads: the other ops wait for a thread, and "
        "their latency includes that",
        ops_at_once, plan.max_workers);
  return std::make_unique<PosixTarget>(std::move(places), site.queue_engine(), plan.max_workers, threads,
                                       plan.plans_at_once);
}

/// As many as the limit of open files allows; logs what the limit costs the `procs` on this host.
std::size_t workers_for(const PosixTarget& target, const RunPlan& plan, std::uint64_t procs) {
  const std::string mend = fmt::format("(ulimit -n {} would be enough)", target.descriptors_wanted());
  if (!target.keeps_files())
    spdlog::warn(
        "the limit of open files is too low to keep those of {} procs open: each read, write and lock opens its file "
        "and closes it again, and its latency includes that {}",
        procs, mend);
  if (target.most_workers() < std::min<std::size_t>(plan.max_workers, procs))
    spdlog::warn("the limit of open files allows {} ops in the kernel at once, of {} procs {}", target.most_workers(),
                 procs, mend);
  return std::max<std::size_t>(1, std::min(plan.max_workers, target.most_workers()));
}

}  // namespace

RunLoad::RunLoad(const RunPlan& plan, RunSite& site, std::stop_token stop)
    : plan_(plan), site_(site), nfs_(site.nfs_window()) {
  for (const ProcSpec& kind : site.workload().proc_kinds) mixes_.emplace_back(kind.weights);
  Hosts* const hosts = site.hosts();
  if (hosts && hosts->leads()) led_ = std::make_unique<LedLoad>(*hosts, kind_names(site.workload()));
  else if (hosts) followed_ = std::make_unique<FollowedLoad>(*hosts);
  if (const VolumeModel* const model = plan.model()) make_simulation(*model, std::move(stop));
  else make_engine(std::move(stop));
  if (led_) steered_ = std::make_unique<SteeredLoad>(*hosts, *led_, *runner_, nfs_, site.share()->clients());
}

SharedLoad* RunLoad::shared() {
  if (led_) return led_.get();
  return followed_.get();
}

void RunLoad::follow(const EventSink& emit, std::uint64_t& stuck_ops) {
  follow_load(*site_.hosts(), *followed_, *runner_, nfs_, site_.workload().proc_kinds.size(), site_.share()->clients(),
              emit, stuck_ops);
}

void RunLoad::dismiss() {
  if (steered_) steered_->dismiss();
}

std::vector<EngineProc> RunLoad::procs() const {
  std::vector<EngineProc> procs;
  const auto per_set = static_cast<std::uint64_t>(site_.workload().procs_per_job_set());
  for (const PlannedProc& proc : site_.dataset().procs) {
    const ProcSpec& kind = site_.workload().proc_kinds[proc.kind];
    // Job sets are added to one client after the other.
    const std::uint64_t job_set = proc.proc_of_client / per_set * plan_.clients + proc.client;
    procs.push_back({.ops = OpStream(kind, mixes_[proc.kind], proc.files, proc.seed),
                     .group = proc.kind,
                     .ops_per_sec = kind.ops_per_sec,
                     .job_set = job_set,
                     .client = proc.client,
                     .depth = kind.io.depth,
                     .paced = !kind.closed_loop,
                     .queueable = kind.queueable(),
                     .number = procs.size(),
                     .here = site_.has(proc)});
  }
  return procs;
}

void RunLoad::make_engine(std::stop_token stop) {
  EngineOptions options{.max_workers = plan_.max_workers,
                        .stuck_after = plan_.stuck_after,
                        .max_errors = plan_.max_errors,
                        .seed = plan_.seed,
                        .spin = plan_.spin,
                        .processes_here = std::size_t(site_.hosts() ? site_.hosts()->ranks_here() : 1),
                        .shared = shared(),
                        .elsewhere = {}};
  std::vector<EngineProc> here = procs();
  for (const EngineProc& proc : here)
    if (!proc.here) options.elsewhere.push_back({proc.group, proc.ops_per_sec, proc.job_set, proc.client, proc.paced});
  std::erase_if(here, [](const EngineProc& proc) { return !proc.here; });
  if (const auto* const own = std::get_if<OwnTarget>(&plan_.volume)) {
    std::vector<ProcFiles> files;
    for (const PlannedProc& proc : site_.dataset().procs)
      if (site_.has(proc)) files.push_back({proc.client, proc.proc_of_client, proc.files});
    target_ = own->make(files);
    if (!target_) throw run_error("target " + own->name, "was not made");
  } else if (NfsSite* const exports = site_.exports()) {
    target_ = exports->make_target(
        site_.dataset(), site_.workload(), [this](const PlannedProc& proc) { return site_.has(proc); }, stop);
  } else {
    auto target = posix_target(plan_, site_);
    options.max_workers = workers_for(*target, plan_, here.size());
    target_ = std::move(target);
  }
  runner_ = std::make_unique<Engine>(std::move(here), kind_names(site_.workload()), *target_, options, std::move(stop));
}

void RunLoad::make_simulation(const VolumeModel& model, std::stop_token stop) {
  std::vector<double> bytes_per_client(site_.workload().proc_kinds.size(), 0);
  std::set<std::pair<std::size_t, std::size_t>> counted;  // shared files count once for each kind
  for (const PlannedProc& proc : site_.dataset().procs)
    if (proc.client == 0 && counted.emplace(proc.kind, proc.first_sharer).second)
      bytes_per_client[proc.kind] += proc.files.dataset().bytes();
  std::vector<SimProc> sim_procs;
  for (EngineProc& proc : procs()) {
    const std::size_t kind = proc.group;
    const std::size_t first_sharer = site_.dataset().procs[sim_procs.size()].first_sharer;
    sim_procs.push_back({std::move(proc), bytes_per_client[kind] <= model.client.cache_bytes, first_sharer});
  }
  runner_ =
      make_sim_runner(model, std::move(sim_procs), kind_names(site_.workload()), plan_.seed, std::move(stop), shared());
}

}  // namespace edagen
