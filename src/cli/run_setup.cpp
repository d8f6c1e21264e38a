#include "run_setup.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <thread>

#include "edagen/core/error.hpp"
#include "progress.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

/// The embedded default builds in seconds.
constexpr double embedded_budget = 512.0 * MiB;

double free_bytes(const std::string& directory) {
  struct statvfs info {};
  if (::statvfs(directory.c_str(), &info) != 0) throw usage_error(directory, std::strerror(errno));
  return static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
}

/// A tenth of the free space of all volumes, each counted once.
double dataset_budget(const std::vector<MountDirectory>& mounts) {
  std::map<std::string, double> volumes;
  for (const MountDirectory& mount : mounts) volumes[mount.volume()] = free_bytes(mount.real) / 10;
  double least = 0;
  for (const auto& [volume, budget] : volumes) least = least == 0 ? budget : std::min(least, budget);
  return least * static_cast<double>(volumes.size());
}

std::size_t build_threads() { return std::clamp<std::size_t>(2 * std::thread::hardware_concurrency(), 4, 64); }

}  // namespace

RunSetup::RunSetup(const LoadOptions& options) : options_(options), workload_(options.load_workload()) {
  DatasetScale scale = options.dataset_scale_options();
  const bool embedded = options.mounts.empty();
  mounts_ = check_mounts(embedded ? std::vector{fs::temp_directory_path().string()} : options.mounts);
  scale.budget_bytes = dataset_budget(mounts_);
  if (embedded) {
    scale.budget_bytes = std::min(scale.budget_bytes, embedded_budget);
    if (options.keep_dataset || options.reuse_dataset)
      throw usage_error(options.keep_dataset ? "--keep-dataset" : "--reuse-dataset", "needs --mount");
  }
  plan_ = plan_dataset(workload_, options.clients, options.procs_per_client(workload_), mounts_.size(), options.seed,
                       scale);
  if (embedded) return;
  std::vector<DatasetPlace> places;
  for (const MountDirectory& mount : mounts_) places.push_back({mount.real, mount.volume()});
  builder_ = std::make_unique<DatasetBuilder>(plan_, places, options.reuse_dataset);
}

RunSetup::~RunSetup() { clean_up(); }

double RunSetup::own_ops_per_sec() const {
  double rate = 0;
  for (const PlannedProc& proc : plan_.procs) rate += workload_.proc_kinds[proc.kind].ops_per_sec;
  return rate;
}

std::string RunSetup::plan_text(const std::string& load) const {
  const DatasetTotals totals = plan_.totals();
  std::string text = fmt::format("{}: {} clients x {} procs on {} {}, seed {}\n", workload_.name, options_.clients,
                                 plan_.procs.size() / options_.clients, mounts_.size(),
                                 mounts_.size() == 1 ? "mount" : "mounts", options_.seed);
  for (const MountDirectory& mount : mounts_)
    text += fmt::format("  mount    {}  {} {}{}\n", mount.path, mount.info.fstype, mount.info.source,
                        mount.info.is_nfs() ? "" : "  (not NFS)");
  text += fmt::format("  dataset  {} files in {} directories, {}{}\n", format_count(static_cast<double>(totals.files)),
                      format_count(static_cast<double>(totals.directories)),
                      format_bytes(static_cast<Bytes>(totals.bytes)),
                      plan_.scaled_down ? "; scaled down from the workload's own size" : "");
  for (std::size_t i = 0; i < plan_.kinds.size(); ++i) {
    const DatasetSpec& kind = plan_.kinds[i];
    text += fmt::format("           {}: {} x {} and {} empty files per proc\n", workload_.proc_kinds[i].name,
                        format_count(static_cast<double>(kind.data_files)),
                        format_bytes(static_cast<Bytes>(kind.file_size.mean())),
                        format_count(static_cast<double>(kind.empty_files)));
  }
  return text + "  load     " + load + "\n";
}

bool RunSetup::build_dataset(std::stop_token stop) {
  touched_ = true;
  if (options_.mounts.empty()) {
    std::string pattern = (fs::temp_directory_path() / "edagen-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw run_error(pattern, std::strerror(errno));
    temporary_ = pattern;
    mounts_ = check_mounts({pattern});
    spdlog::info("no --mount given: working in {} ({}), which is not an NFS volume", pattern, mounts_[0].info.fstype);
    builder_ = std::make_unique<DatasetBuilder>(plan_, std::vector{DatasetPlace{pattern, mounts_[0].volume()}}, false);
  }
  if (builder_->reuses()) spdlog::info("checking the dataset that is there");
  if (builder_->resumes()) spdlog::info("going on with the dataset that an interrupted run has left");
  {
    Progress progress(options_.talk.live_line());
    built_ = builder_->build(build_threads(), stop,
                             [&](const BuildProgress& state) { progress.show(build_text(state)); });
  }
  if (built_.interrupted) return false;
  spdlog::info("dataset: {} files, {}, {} in {}", format_count(static_cast<double>(plan_.totals().files)),
               format_bytes(static_cast<Bytes>(plan_.totals().bytes)),
               built_.reused ? fmt::format("reused ({} made anew)", built_.files_made) : "built",
               format_duration(built_.elapsed));
  return true;
}

std::string RunSetup::data_path(const PlannedProc& proc) const {
  return mounts_[proc.mount].real + "/" + dataset_directory + "/" + proc_directory(proc.client, proc.proc_of_client);
}

Engine& RunSetup::engine(std::stop_token stop) {
  std::vector<ProcPlace> places;
  std::vector<EngineProc> procs;
  std::vector<bool> direct;
  for (const MountDirectory& mount : mounts_) {
    direct.push_back(direct_io_works(mount.real + "/" + dataset_directory));
    const bool wanted = std::any_of(workload_.proc_kinds.begin(), workload_.proc_kinds.end(),
                                    [](const ProcSpec& kind) { return kind.direct_percent > 0; });
    if (wanted && !direct.back())
      spdlog::warn("{} ({}) has no direct I/O: the workload's O_DIRECT writes are buffered here", mount.path,
                   mount.info.fstype);
  }
  for (const ProcSpec& kind : workload_.proc_kinds) mixes_.emplace_back(kind.weights);
  std::vector<std::string> names;
  for (const ProcSpec& kind : workload_.proc_kinds) names.push_back(kind.name);
  for (const PlannedProc& proc : plan_.procs) {
    const ProcSpec& kind = workload_.proc_kinds[proc.kind];
    places.push_back({mounts_[proc.mount].path, data_path(proc), &kind, proc.files, direct[proc.mount]});
    procs.push_back({OpStream(kind, mixes_[proc.kind], proc.files, proc.seed), proc.kind, kind.ops_per_sec});
  }
  target_ = std::make_unique<PosixTarget>(std::move(places));
  engine_ = std::make_unique<Engine>(std::move(procs), names, *target_, options_.engine_options(), stop);
  return *engine_;
}

Document RunSetup::document(const std::vector<std::string>& command) const {
  const DatasetTotals totals = plan_.totals();
  const std::uint64_t procs_per_client = options_.procs_per_client(workload_);
  Document mounts = Document::array();
  for (const MountDirectory& mount : mounts_)
    mounts.push_back({{"path", mount.path},
                      {"source", mount.info.source},
                      {"fstype", mount.info.fstype},
                      {"options", mount.info.options}});
  const bool nfs = std::all_of(mounts_.begin(), mounts_.end(), [](const auto& mount) { return mount.info.is_nfs(); });
  return {{"schema", "edagen.result/1"},
          {"edagen_version", EDAGEN_VERSION},
          {"command", command},
          {"started_at", rfc3339_now()},
          {"finished_at", nullptr},
          {"status", "running"},
          {"host", host_json()},
          {"workload", {{"name", workload_.name}, {"phase", workload_.phase}, {"seed", options_.seed}}},
          {"target", {{"kind", nfs ? "nfs" : "posix"}, {"mounts", std::move(mounts)}}},
          {"clients", options_.clients},
          {"procs", plan_.procs.size()},
          {"job_sets", static_cast<double>(options_.clients * procs_per_client) / workload_.procs_per_job_set()},
          {"dataset",
           {{"files", totals.files},
            {"directories", totals.directories},
            {"bytes", static_cast<std::int64_t>(totals.bytes)},
            {"scaled_down", plan_.scaled_down},
            {"build_seconds", to_seconds(built_.elapsed)},
            {"reused", built_.reused}}},
          {"load_points", Document::array()}};
}

void RunSetup::clean_up() {
  if (leave_) {
    spdlog::warn("the dataset was left behind; edagen clean removes it when the storage answers again");
    static_cast<void>(engine_.release());  // threads in stuck ops still use them
    static_cast<void>(target_.release());
    return;
  }
  engine_.reset();
  target_.reset();
  if (!touched_) return;
  touched_ = false;
  // A dataset that an interrupted build has left on a mount of the user's is gone on with next time.
  const bool unfinished = built_.files_made == 0 || built_.interrupted;
  const bool stays = temporary_.empty() && (options_.keep_dataset || options_.reuse_dataset || unfinished);
  if (stays) return;
  try {
    for (const MountDirectory& mount : mounts_) remove_dataset(mount.real, build_threads());
    if (!temporary_.empty()) fs::remove(temporary_);
  } catch (const std::exception& error) {
    spdlog::warn("could not remove the dataset: {}", error.what());
  }
}

}  // namespace edagen
