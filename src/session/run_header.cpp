#include "session/run_header.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/rfc3339.hpp"
#include "base/version.hpp"
#include "nfs/mountstats.hpp"
#include "session/measured.hpp"
#include "session/nfs_site.hpp"
#include "session/plan_warnings.hpp"

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
  const std::vector<LoadMount> named = site.load_mounts();
  for (const MountDirectory& mount : site.mounts()) {
    target.mounts.push_back(mount_figures(mount, nfs_mounts));
    target.mounts.back().path = named.at(target.mounts.size() - 1).path;
  }
  const bool all_nfs =
      std::ranges::all_of(site.mounts(), [](const MountDirectory& mount) { return mount.info.is_nfs(); });
  target.kind = all_nfs ? TargetKind::nfs : TargetKind::posix;
  return target;
}

/// The clients of the load point that has the fewest.
std::uint64_t fewest_clients(const RunPlan& plan) {
  const auto* const series = std::get_if<LoadSeries>(&plan.measurement);
  if (series == nullptr || series->swept != Swept::clients) return plan.clients;
  return std::min(plan.clients, static_cast<std::uint64_t>(std::ranges::min(series->values)));
}

/// The bytes of the files that so many clients have on the host with the most of them; shared files count once.
Bytes bytes_on_a_host(const RunSite& site, std::uint64_t clients) {
  const auto hosts = static_cast<std::uint64_t>(site.hosts() ? site.hosts()->size() : 1);
  std::set<std::pair<std::size_t, std::size_t>> counted;
  double bytes = 0;
  for (const PlannedProc& proc : site.dataset().procs)
    if (proc.client < clients && proc.client % hosts == 0 && counted.emplace(proc.kind, proc.first_sharer).second)
      bytes += proc.files.dataset().bytes();
  return static_cast<Bytes>(bytes);
}

/// Whether procs of a kind read data by way of the page cache.
bool reads_buffered(const ProcSpec& kind) {
  using enum OpKind;
  const auto has = [&](OpKind op) { return kind.weight(op) > 0; };
  return !kind.io.direct && std::ranges::any_of(std::array{read_file, read_seq, read_rand, rmw, mmap_read}, has);
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
  const auto is_memory = [](const MountDirectory& mount) {
    return mount.info.fstype == "tmpfs" || mount.info.fstype == "ramfs";
  };
  if (!site.mounts().empty() && std::ranges::all_of(site.mounts(), is_memory)) return "";  // which has no other storage
  const std::uint64_t clients = fewest_clients(plan);
  const std::string what = clients == plan.clients ? "dataset" : "part of the dataset of " + counted(clients, "client");
  IoFigures io = io_figures(plan, site);
  io.direct = io.direct && std::ranges::none_of(site.workload().proc_kinds, reads_buffered);
  return cache_warning(bytes_on_a_host(site, clients), site.memory_found(), io, what);
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
