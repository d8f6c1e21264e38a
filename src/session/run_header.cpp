#include "session/run_header.hpp"

#include <algorithm>

#include "base/rfc3339.hpp"
#include "base/version.hpp"
#include "nfs/mountstats.hpp"
#include "session/cache_warning.hpp"
#include "session/measured.hpp"
#include "session/mix_warning.hpp"
#include "session/nfs_site.hpp"

namespace edagen {
namespace {

MountFigures mount_figures(const MountDirectory& mount, const std::vector<NfsMountStats>& nfs_mounts) {
  MountFigures figures{.path = mount.path,
                       .source = mount.info.source,
                       .fstype = mount.info.fstype,
                       .options = mount.info.options,
                       .nfs_version = {},
                       .connections = {}};
  for (const NfsMountStats& counted : nfs_mounts)
    if (counted.mount_point == mount.info.mount_point) {
      figures.nfs_version = counted.version();
      figures.connections = counted.connections.size();
    }
  return figures;
}

TargetFigures target_figures(const RunPlan& plan, const RunSite& site) {
  if (const VolumeModel* const model = plan.model())
    return {.kind = TargetKind::sim, .mounts = {}, .model = model->name};
  if (const auto* const own = std::get_if<OwnTarget>(&plan.volume))
    return {.kind = TargetKind::own, .mounts = {}, .model = own->name};
  if (const NfsSite* const exports = site.exports())
    return {.kind = TargetKind::nfs, .mounts = exports->figures(plan.clients), .model = {}};
  TargetFigures target;
  const std::vector<NfsMountStats> nfs_mounts = in_force(read_mountstats());
  for (const MountDirectory& mount : site.mounts()) target.mounts.push_back(mount_figures(mount, nfs_mounts));
  const bool all_nfs =
      std::ranges::all_of(site.mounts(), [](const MountDirectory& mount) { return mount.info.is_nfs(); });
  target.kind = all_nfs ? TargetKind::nfs : TargetKind::posix;
  return target;
}

}  // namespace

IoFigures io_figures(const RunPlan& plan, const RunSite& site) {
  IoFigures io;
  FsyncWhen fsync = FsyncWhen::none;
  for (const ProcSpec& kind : site.workload().proc_kinds) {
    io.depth = std::max<std::uint64_t>(io.depth, kind.io.depth);
    io.direct = io.direct || kind.io.direct;
    fsync = std::max(fsync, kind.io.fsync);
  }
  io.engine = plan.model()                                   ? "simulated"
              : site.exports()                               ? "nfs"
              : io.depth == 1                                ? "blocking"
              : site.queue_engine() == QueueEngine::io_uring ? "io_uring"
                                                             : "threads";
  io.fsync = to_string(fsync);
  io.drop_caches = std::visit([](const auto& measurement) { return measurement.load.drop_caches; }, plan.measurement);
  return io;
}

std::string cache_warning(const RunPlan& plan, const RunSite& site) {
  // edagen's own NFS clients have no page cache.
  if (plan.model() || plan.exports() || std::holds_alternative<OwnTarget>(plan.volume)) return "";
  const int hosts = site.hosts() ? site.hosts()->size() : 1;
  return cache_warning(static_cast<Bytes>(site.dataset().totals().bytes) / hosts, free_memory(),
                       io_figures(plan, site));
}

Result run_header(const RunPlan& plan, const RunSite& site) {
  const DatasetTotals totals = site.dataset().totals();
  Result result;
  result.edagen_version = std::string(program_version);
  result.command = plan.command;
  result.labels = plan.labels;
  result.started_at = rfc3339_now();
  result.host = this_host();
  result.workload = {.name = plan.workload.name, .phase = plan.workload.phase, .seed = plan.seed};
  result.target = target_figures(plan, site);
  result.clients = plan.clients;
  result.procs = plan.procs();
  result.job_sets = static_cast<double>(plan.procs()) / plan.workload.procs_per_job_set();
  result.dataset = {.files = totals.files,
                    .directories = totals.directories,
                    .bytes = static_cast<std::uint64_t>(totals.bytes),
                    .scaled_down = site.dataset().scaled_down(),
                    .build = site.built().elapsed,
                    .reused = site.built().reused};
  result.io = io_figures(plan, site);
  if (const std::string warning = cache_warning(plan, site); !warning.empty()) result.notes.push_back(warning);
  if (const std::string warning = mix_warning(plan.workload, plan.procs_per_client); !warning.empty())
    result.notes.push_back(warning);
  return result;
}

}  // namespace edagen
