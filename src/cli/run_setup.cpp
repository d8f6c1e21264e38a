#include "run_setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <thread>

#include "edagen/core/error.hpp"
#include "edagen/core/version.hpp"
#include "edagen/mounts/mountstats.hpp"
#include "edagen/result/measured.hpp"
#include "exit_status.hpp"
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
  for (const MountDirectory& mount : mounts) volumes[mount.volume] = free_bytes(mount.real) / 10;
  double least = 0;
  for (const auto& [volume, budget] : volumes) least = least == 0 ? budget : std::min(least, budget);
  return least * static_cast<double>(volumes.size());
}

std::vector<std::string> kind_names(const WorkloadSpec& workload) {
  std::vector<std::string> names;
  for (const ProcSpec& kind : workload.proc_kinds) names.push_back(kind.name);
  return names;
}

std::string temporary_place() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) throw usage_error("TMPDIR", error.message(), "or give a --mount");
  return place.string();
}

std::size_t build_threads() { return std::clamp<std::size_t>(2 * std::thread::hardware_concurrency(), 4, 64); }

}  // namespace

RunSetup::RunSetup(LoadOptions& options)
    : options_(options),
      watch_(options.engine_options().stuck_after, options.talk.live_line()),
      workload_(options.load_workload()) {
  for (const ProcSpec& kind : workload_.proc_kinds) own_weights_.push_back(kind.weights);
  options.resolve_targets();
  DatasetScale scale = options.dataset_scale_options();
  if (options.sim.empty()) {
    plan_on_mounts(scale);
    return;
  }
  if (options.keep_dataset || options.reuse_dataset)
    throw usage_error(options.keep_dataset ? "--keep-dataset" : "--reuse-dataset", "a modelled volume has no dataset");
  model_ = load_volume(options.sim);
  if (!scale.factor) scale.factor = 1;
  plan_ = plan_dataset(workload_, options.clients, options.procs_per_client(workload_), 1, options.seed, scale);
}

void RunSetup::plan_on_mounts(DatasetScale scale) {
  const bool embedded = options_.mounts.empty();
  const std::vector<std::string> directories = embedded ? std::vector{temporary_place()} : options_.mounts;
  StuckWatch::Thread self(watch_);
  self.begins("looking at", fmt::format("{}", fmt::join(directories, ", ")));
  mounts_ = check_mounts(directories);
  scale.budget_bytes = dataset_budget(mounts_);
  if (embedded) {
    scale.budget_bytes = std::min(scale.budget_bytes, embedded_budget);
    if (options_.keep_dataset || options_.reuse_dataset)
      throw usage_error(options_.keep_dataset ? "--keep-dataset" : "--reuse-dataset", "needs --mount");
  }
  plan_ = plan_dataset(workload_, options_.clients, options_.procs_per_client(workload_), mounts_.size(), options_.seed,
                       scale);
  plan_io();
  if (embedded) return;
  std::vector<DatasetPlace> places;
  for (const MountDirectory& mount : mounts_) places.push_back(dataset_place(mount));
  builder_ = std::make_unique<DatasetBuilder>(plan_, places, options_.reuse_dataset);
}

void RunSetup::end_with(std::stop_token stop) {
  watch_.end_with(stop, [this](const std::string& what) {
    spdlog::error("{} does not return: ending without it", what);
    if (touched_ && !mounts_.empty())
      spdlog::error("the dataset is left as it is; edagen clean --mount {} removes it",
                    temporary_.empty() ? options_.mounts.front() : temporary_.string());
    ::_exit(exit_status::interrupted);
  });
}

/// What queues and O_DIRECT ask of this machine and its file systems.
void RunSetup::plan_io() {
  double buffers = 0;
  bool queues = false;
  for (const PlannedProc& proc : plan_.procs) {
    const ProcSpec& kind = workload_.proc_kinds[proc.kind];
    if (kind.io.depth == 1) continue;
    queues = true;
    if (kind.weight(OpKind::write_seq) + kind.weight(OpKind::write_rand) > 0)
      buffers += kind.io.depth * static_cast<double>(kind.write_size.max());
  }
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (buffers > memory / 2)
    throw usage_error("--io-depth", fmt::format("the writes under way would need {} of buffers, more than half of the memory",
                                                format_bytes(static_cast<Bytes>(buffers))),
                      "fewer clients or procs, or a lower depth");
  if (queues && options_.io_engine != "threads") {
    const std::string refusal = io_uring_refusal();
    if (!refusal.empty() && options_.io_engine == "io_uring") throw usage_error("--io-engine", "no io_uring here: " + refusal);
    if (!refusal.empty()) spdlog::warn("no io_uring here ({}): threads keep the queues filled", refusal);
    else queue_engine_ = QueueEngine::io_uring;
  }
  if (options_.dry_run) return;
  for (ProcSpec& kind : workload_.proc_kinds) {
    Bytes largest = 1;
    for (std::size_t i = 0; kind.io.direct && i < mounts_.size(); ++i) {
      const std::optional<Bytes> block = direct_io_block(mounts_[i].real);
      if (!block)
        throw usage_error(mounts_[i].path, fmt::format("{} does no direct I/O, which {} asks for", mounts_[i].info.fstype,
                                                       options_.direct ? "--direct" : kind.name), "--buffered");
      largest = std::max(largest, *block);
    }
    if (kind.io.direct) kind.io.direct_block = largest;
  }
}

RunSetup::~RunSetup() { clean_up(); }

double RunSetup::own_ops_per_sec() const {
  double rate = 0;
  for (const PlannedProc& proc : plan_.procs) rate += workload_.proc_kinds[proc.kind].ops_per_sec;
  return rate;
}

std::uint64_t RunSetup::job_sets() const {
  return plan_.procs.size() / static_cast<std::uint64_t>(workload_.procs_per_job_set());
}

std::vector<std::string> RunSetup::nfs_mount_points() const {
  std::vector<std::string> points;
  for (const MountDirectory& mount : mounts_)
    if (mount.info.is_nfs()) points.push_back(mount.info.mount_point);
  return points;
}

std::string RunSetup::plan_text(const std::string& load) const {
  const DatasetTotals totals = plan_.totals();
  const std::string where = model_ ? "a modelled volume"
                                   : fmt::format("{} {}", mounts_.size(), mounts_.size() == 1 ? "mount" : "mounts");
  std::string text = fmt::format("{}: {} clients x {} procs on {}, seed {}\n", workload_.name, options_.clients,
                                 plan_.procs.size() / options_.clients, where, options_.seed);
  if (model_) text += fmt::format("  volume   {} (simulated)  {}\n", model_->name, model_->description);
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
  const IoFigures io = io_figures();
  if (io.depth > 1 || io.direct || io.fsync != "none" || io.drop_caches)
    text += fmt::format("  I/O      {}{}{}{}\n",
                        io.depth > 1 ? fmt::format("depth {} ({})", io.depth, io.engine) : std::string("one op at a time"),
                        io.direct ? ", O_DIRECT" : ", buffered", io.fsync != "none" ? ", fsync at " + io.fsync : "",
                        io.drop_caches ? ", caches dropped before" : "");
  return text + "  load     " + load + "\n";
}

bool RunSetup::build_dataset(std::stop_token stop) {
  if (model_) return true;
  touched_ = true;
  if (options_.mounts.empty()) {
    std::string pattern = temporary_place() + "/edagen-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw run_error(pattern, std::strerror(errno));
    temporary_ = pattern;
    mounts_ = check_mounts({pattern});
    spdlog::info("no --mount given: working in {} ({}), which is not an NFS volume", pattern, mounts_[0].info.fstype);
    builder_ = std::make_unique<DatasetBuilder>(plan_, std::vector{dataset_place(mounts_[0])}, false);
  }
  if (builder_->reuses()) spdlog::info("checking the dataset that is there");
  if (builder_->resumes()) spdlog::info("going on with the dataset that an interrupted run has left");
  {
    Progress progress(options_.talk.live_line());
    built_ = builder_->build(build_threads(), stop, watch_,
                             [&](const BuildProgress& state) { progress.show(build_text(state)); });
  }
  if (built_.interrupted) return false;
  spdlog::info("dataset: {} files, {}, {} in {}", format_count(static_cast<double>(plan_.totals().files)),
               format_bytes(static_cast<Bytes>(plan_.totals().bytes)),
               built_.reused ? fmt::format("reused ({} made anew)", built_.files_made) : "built",
               format_duration(built_.elapsed));
  return true;
}

std::string RunSetup::made_dataset() const {
  return builder_ && built_.complete && !built_.reused ? builder_->roots().front().marker()->id : "";
}

LoadRunner& RunSetup::runner(std::stop_token stop) {
  for (const ProcSpec& kind : workload_.proc_kinds) mixes_.emplace_back(kind.weights);
  if (model_) make_simulation(stop);
  else make_engine(stop);
  return *runner_;
}

std::vector<EngineProc> RunSetup::engine_procs() {
  std::vector<EngineProc> procs;
  const auto per_set = static_cast<std::uint64_t>(workload_.procs_per_job_set());
  for (const PlannedProc& proc : plan_.procs) {
    const ProcSpec& kind = workload_.proc_kinds[proc.kind];
    // Job sets are added to one client after the other.
    const std::uint64_t job_set = proc.proc_of_client / per_set * options_.clients + proc.client;
    procs.push_back({.ops = OpStream(kind, mixes_[proc.kind], proc.files, proc.seed),
                     .group = proc.kind,
                     .ops_per_sec = kind.ops_per_sec,
                     .job_set = job_set,
                     .client = proc.client,
                     .depth = kind.io.depth,
                     .queueable = kind.queueable()});
  }
  return procs;
}

void RunSetup::make_engine(std::stop_token stop) {
  std::vector<bool> direct;
  for (const MountDirectory& mount : mounts_) {
    const DatasetRoot& root = builder_->roots()[direct.size()];
    direct.push_back(direct_io_block(root.descriptor()).has_value());
    const bool wanted = std::any_of(workload_.proc_kinds.begin(), workload_.proc_kinds.end(),
                                    [](const ProcSpec& kind) { return kind.direct_percent > 0; });
    if (wanted && !direct.back())
      spdlog::warn("{} ({}) has no direct I/O: the workload's O_DIRECT writes are buffered here", mount.path,
                   mount.info.fstype);
  }
  std::vector<ProcPlace> places;
  for (const PlannedProc& proc : plan_.procs) {
    const DatasetRoot& root = builder_->roots()[proc.mount];
    places.push_back({mounts_[proc.mount].path, root.path(), root.descriptor(), proc_directory(proc.client, proc.proc_of_client),
                      &workload_.proc_kinds[proc.kind], proc.files, direct[proc.mount]});
  }
  const std::size_t threads = std::max<std::size_t>(1, options_.max_workers / std::max(1u, std::thread::hardware_concurrency()));
  target_ = std::make_unique<PosixTarget>(std::move(places), queue_engine_, options_.max_workers, threads);
  EngineOptions engine = options_.engine_options();
  fit_workers(engine);
  runner_ = std::make_unique<Engine>(engine_procs(), kind_names(workload_), *target_, engine, stop);
}

/// To the limit of open files; says what that costs.
void RunSetup::fit_workers(EngineOptions& engine) const {
  const std::string mend = fmt::format("(ulimit -n {} would be enough)", target_->descriptors_wanted());
  if (!target_->keeps_files())
    spdlog::warn("the limit of open files is too low to keep those of {} procs open: each read, write and lock opens its file "
                 "and closes it again, and its latency includes that {}", plan_.procs.size(), mend);
  if (target_->most_workers() < std::min(engine.max_workers, plan_.procs.size()))
    spdlog::warn("the limit of open files allows {} ops in the kernel at once, of {} procs {}", target_->most_workers(),
                 plan_.procs.size(), mend);
  engine.max_workers = std::max<std::size_t>(1, std::min(engine.max_workers, target_->most_workers()));
}

void RunSetup::make_simulation(std::stop_token stop) {
  std::vector<double> bytes_per_client(workload_.proc_kinds.size(), 0);
  for (const PlannedProc& proc : plan_.procs)
    if (proc.client == 0) bytes_per_client[proc.kind] += proc.files.dataset().bytes();
  std::vector<SimProc> procs;
  for (EngineProc& proc : engine_procs()) {
    const std::size_t kind = proc.group;
    procs.push_back({std::move(proc), bytes_per_client[kind] <= model_->client.cache_bytes});
  }
  runner_ = make_sim_runner(*model_, std::move(procs), kind_names(workload_), options_.seed, stop);
}

void RunSetup::set_read_percent(double percent) {
  for (std::size_t i = 0; i < mixes_.size(); ++i) {
    ProcSpec& kind = workload_.proc_kinds[i];
    kind.weights = own_weights_[i];
    kind.set_read_percent(percent);
    mixes_[i] = OpMix(kind.weights);
  }
}

IoFigures RunSetup::io_figures() const {
  IoFigures io;
  FsyncWhen fsync = FsyncWhen::none;
  for (const ProcSpec& kind : workload_.proc_kinds) {
    io.depth = std::max<std::uint64_t>(io.depth, kind.io.depth);
    io.direct = io.direct || kind.io.direct;
    fsync = std::max(fsync, kind.io.fsync);
  }
  io.engine = model_ ? "simulated" : io.depth == 1 ? "blocking"
              : queue_engine_ == QueueEngine::io_uring ? "io_uring" : "threads";
  io.fsync = fsync_names[static_cast<std::size_t>(fsync)];
  io.drop_caches = options_.drop_caches;
  return io;
}

TargetFigures RunSetup::target_figures() const {
  TargetFigures target;
  if (model_) return {.kind = TargetKind::sim, .mounts = {}, .model = model_->name};
  const std::vector<NfsMountStats> nfs_mounts = read_mountstats();
  bool all_nfs = true;
  for (const MountDirectory& mount : mounts_) {
    MountFigures figures{.path = mount.path, .source = mount.info.source, .fstype = mount.info.fstype,
                         .options = mount.info.options, .nfs_version = {}, .connections = {}};
    for (const NfsMountStats& counted : nfs_mounts)
      if (counted.mount_point == mount.info.mount_point) {
        figures.nfs_version = counted.version();
        figures.connections = counted.connections.size();
      }
    target.mounts.push_back(std::move(figures));
    all_nfs = all_nfs && mount.info.is_nfs();
  }
  target.kind = all_nfs ? TargetKind::nfs : TargetKind::posix;
  return target;
}

Result RunSetup::result(const std::vector<std::string>& command) const {
  const DatasetTotals totals = plan_.totals();
  const std::uint64_t procs_per_client = options_.procs_per_client(workload_);
  Result made;
  made.edagen_version = std::string(program_version);
  made.command = command;
  made.started_at = rfc3339_now();
  made.host = this_host();
  made.workload = {.name = workload_.name, .phase = workload_.phase, .seed = options_.seed};
  made.target = target_figures();
  made.clients = options_.clients;
  made.procs = plan_.procs.size();
  made.job_sets = static_cast<double>(options_.clients * procs_per_client) / workload_.procs_per_job_set();
  made.dataset = {.files = totals.files,
                  .directories = totals.directories,
                  .bytes = static_cast<std::uint64_t>(totals.bytes),
                  .scaled_down = plan_.scaled_down,
                  .build = built_.elapsed,
                  .reused = built_.reused};
  made.io = io_figures();
  return made;
}

bool RunSetup::clean_up() {
  if (leave_) {
    spdlog::warn("the dataset was left behind; edagen clean removes it when the storage answers again");
    static_cast<void>(runner_.release());  // threads in stuck ops still use them
    static_cast<void>(target_.release());
    return true;
  }
  runner_.reset();
  target_.reset();
  if (!touched_ || !builder_) return true;
  // A dataset that an interrupted build has left on a mount of the user's is gone on with next time.
  const bool stays = temporary_.empty() && (options_.keep_dataset || options_.reuse_dataset || !built_.complete);
  if (stays && !built_.complete && builder_->roots().front().claimed())
    spdlog::warn("what was built of the dataset is left: the next run goes on with it, edagen clean --mount {} removes it",
                 options_.mounts.front());
  if (stays) {
    touched_ = false;
    return true;
  }
  bool removed = true;
  try {
    StuckWatch::Thread self(watch_);
    for (DatasetRoot& root : builder_->roots()) {
      self.begins("looking at", root.place().mount);
      if (!root.in_place())
        spdlog::warn("{} was unmounted or replaced during the run, which went on in what was there before", root.place().mount);
      self.rests();
      root.remove(build_threads(), watch_);
    }
    if (!temporary_.empty()) ::rmdir(temporary_.c_str());
  } catch (const std::exception& error) {
    spdlog::error("the dataset is not removed as it should be: {}", error.what());
    removed = false;
  }
  touched_ = false;
  return removed;
}

}  // namespace edagen
