#include "session/run_site.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/free_space.hpp"
#include "base/usable_processors.hpp"
#include "base/words.hpp"
#include "dataset/dataset_budget.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs_dataset/nfs_tree.hpp"
#include "session/fresh_directory.hpp"
#include "session/nfs_site.hpp"
#include "target/descriptor_budget.hpp"

namespace edagen {
namespace {

/// What a fresh directory may hold: it is built in seconds.
constexpr double fresh_budget = 512.0 * MiB;

double free_bytes(const std::string& directory) {
  const std::optional<FreeSpace> space = free_space(directory);
  if (!space) throw usage_error(directory, std::strerror(errno));
  return space->bytes.value_or(space_where_unknown);
}

double free_budget(const std::vector<MountDirectory>& mounts, std::uint64_t clients) {
  std::vector<MountSpace> spaces;
  for (const MountDirectory& mount : mounts) spaces.push_back({space_of(mount.volume), free_bytes(mount.real)});
  return dataset_budget(std::move(spaces), clients);
}

/// A dataset that is there was fitted to what was free before it; nullopt: there is none, or its scale was given.
std::optional<double> budget_of_dataset(const std::vector<MountDirectory>& mounts) {
  for (const MountDirectory& mount : mounts) {
    const DatasetRoot root(dataset_place(mount));
    if (root.marker() && root.marker()->budget_bytes) return root.marker()->budget_bytes;
  }
  return std::nullopt;
}

/// What was left of runs that were killed.
void log_fresh_directories_left(StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  self.call_started("looking at", place_of_fresh_directories());
  const std::vector<std::string> left = fresh_directories_left();
  if (!left.empty())
    spdlog::info("{} of earlier runs {} left: edagen clean --mount {} removes the last",
                 counted(left.size(), "dataset"), left.size() == 1 ? "is" : "are", shell_word(left.back()));
}

std::unique_ptr<TunedMount> tuned_mount(const RunPlan& plan, SessionState& session) {
  const auto* const tuned = std::get_if<TunedExport>(&plan.volume);
  return tuned ? session.mount(*tuned, session.stop) : nullptr;
}

RunPlan plan_on(const TunedMount* mount, RunPlan plan) {
  if (mount) plan.volume = MountDirectories{{mount->directory()}};
  return plan;
}

struct DirectoryOnVolume {
  std::string volume, server;  ///< empty server: the volume is known by its id
  std::uint64_t number = 0;
  std::pair<std::int64_t, std::uint32_t> changed = {};  ///< s, ns

  /// Without an id of the volume, two names of a server may be two addresses of one server, or two servers with an
  /// export of one path and number. Two directories differ in their times of change.
  bool is_same_as(const DirectoryOnVolume& other) const {
    return volume == other.volume && number == other.number && (server == other.server || changed == other.changed);
  }
};

/// Mounts of one NFS export, or two bind mounts of one directory, lead to the same files.
MountedDirectories mounted_directories(const std::vector<MountDirectory>& mounts) {
  std::vector<DirectoryOnVolume> directories;
  MountedDirectories all;
  for (const MountDirectory& mount : mounts) {
    struct statx info {};
    if (::statx(AT_FDCWD, mount.real.c_str(), AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &info) != 0)
      throw usage_error(mount.path, std::strerror(errno));
    const std::string server = is_volume_by_path(mount.volume) ? export_server(mount.info.source) : "";
    directories.push_back({mount.volume, server, info.stx_ino, {info.stx_ctime.tv_sec, info.stx_ctime.tv_nsec}});
    const auto first =
        std::ranges::find_if(directories, [&](const auto& each) { return each.is_same_as(directories.back()); });
    all.push_back(static_cast<std::size_t>(first - directories.begin()));
  }
  return all.empty() ? MountedDirectories{0} : all;
}

/// Each host has directories of its own there, whose files the other hosts do not see.
void refuse_sharing_between_hosts(const WorkloadSpec& workload, const std::vector<std::string>& paths) {
  const auto shares = [](const ProcSpec& kind) { return kind.shared_files.by == SharedBy::all; };
  if (std::ranges::any_of(workload.proc_kinds, shares) && std::ranges::any_of(paths, is_of_host))
    throw usage_error(workload.name,
                      "shares files between all clients, and {host} or {rank} in --mount gives each "
                      "host a directory of its own",
                      "\"shared_files\": \"client\"");
}

std::size_t build_threads() { return std::clamp<std::size_t>(2 * usable_processor_count(), 4, 64); }

/// A server that does not answer may have it.
bool may_be(const Dataset& files, bool (Dataset::*is)() const, const DatasetLeft& left, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  self.call_started("looking at", fmt::format("{}", fmt::join(left.mounts, ", ")));
  try {
    return (files.*is)();
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

RunSite::RunSite(const RunPlan& plan, SessionState& session, Hosts* hosts, PlanIdentity identity)
    : session_(session),
      tuned_(tuned_mount(plan, session)),
      plan_(plan_on(tuned_.get(), plan)),
      hosts_(hosts),
      workload_(plan.workload) {
  const auto* const mounts = std::get_if<MountDirectories>(&plan_.volume);
  const auto* const series = std::get_if<LoadSeries>(&plan_.measurement);
  if (mounts && mounts->paths.empty()) throw usage_error("volume", "names no directory");
  if (series && (series->values.empty() || series->repeats == 0)) throw usage_error("load", "has no values");
  if (plan.workload.proc_kinds.empty() || plan.clients == 0 || plan.procs_per_client == 0)
    throw usage_error("load", "has no procs");
  if (!plan_.on_volume_of_user() && (plan.keep_dataset || plan.reuse_dataset))
    throw usage_error(plan.keep_dataset ? "keeping the dataset" : "reusing a dataset",
                      plan.model() ? "a simulated volume has no dataset" : "needs a mounted directory");
  DatasetScale scale{.factor = plan.dataset_scale, .file_size = plan.file_size, .budget_bytes = 0};
  StuckWatch::Thread self(session_.watch);
  scale.budget_bytes = budget(self, std::move(identity));
  if (!on_files() && !scale.factor) scale.factor = 1;
  const MountedDirectories directories = exports_ ? exports_->mounted_directories() : mounted_directories(mounts_);
  if (hosts) share_.emplace(*hosts, DealtClients{plan.clients, directories.size()});
  dataset_ = plan_dataset(workload_, plan.clients, plan.procs_per_client, directories, plan.seed, scale);
  if (!on_files()) return;
  BuildTogether* const together = share_ ? &*share_ : nullptr;
  if (exports_) {
    files_ = exports_->dataset(dataset_, plan.reuse_dataset, together);
    return;
  }
  plan_io();
  if (in_fresh_directory()) return;
  std::vector<DatasetPlace> places;
  for (std::size_t i = 0; i < mounts_.size(); ++i) {
    places.push_back(dataset_place(mounts_[i]));
    places.back().of_host = is_of_host(mounts->paths[i]);
  }
  make_files_on_mounts(std::move(places), plan.reuse_dataset, together);
}

RunSite::~RunSite() { clean_up(); }

void RunSite::make_files_on_mounts(std::vector<DatasetPlace> places, bool reuse, BuildTogether* together) {
  auto made = std::make_unique<DatasetBuilder>(dataset_, std::move(places), reuse, together);
  on_mounts_ = made.get();
  files_ = std::move(made);
}

/// Bytes that the dataset may have, here and on all other hosts.
double RunSite::budget(StuckWatch::Thread& self, PlanIdentity identity) {
  HostFacts here;
  try {
    if (hosts_ && in_fresh_directory())
      throw usage_error("mount", "is needed for a run of several processes", "--mount DIR, or --target sim:NAME");
    if (hosts_ && plan_.clients < static_cast<std::uint64_t>(hosts_->size()))
      throw usage_error("clients", fmt::format("{} are fewer than the {} processes", plan_.clients, hosts_->size()),
                        "--clients N, with a client or more for each");
    if (const auto* const mounts = std::get_if<MountDirectories>(&plan_.volume); hosts_ && mounts)
      refuse_sharing_between_hosts(workload_, mounts->paths);
    if (plan_.exports()) {
      self.call_started("looking at", plan_.exports()->urls.empty() ? "" : plan_.exports()->urls.front().text);
      const std::uint64_t hosts = hosts_ ? static_cast<std::uint64_t>(hosts_->size()) : 1;
      exports_ = std::make_unique<NfsSite>(plan_, (plan_.clients + hosts - 1) / hosts);
      if (!plan_.dataset_scale) here.budget = plan_.dataset_budget.value_or(exports_->budget(plan_.clients));
    } else if (on_files()) {
      look_at_mounts(self);
      here.budget = plan_.dataset_budget ? *plan_.dataset_budget : free_budget(mounts_, plan_.clients);
      if (in_fresh_directory()) here.budget = std::min(here.budget, fresh_budget);
      else if (!plan_.dataset_scale) here.budget = budget_of_dataset(mounts_).value_or(here.budget);
    }
  } catch (const Error& error) {
    if (!hosts_) throw;
    here.error = error.what();
  }
  if (!hosts_) return here.budget;
  for (const MountDirectory& mount : mounts_) here.mounts.push_back({mount.path, mount.info.fstype, mount.info.source});
  here.plan = std::move(identity);
  here.plan.erase("host");
  return agree(*hosts_, plan_, here);
}

void RunSite::look_at_mounts(StuckWatch::Thread& self) {
  const auto* const given = std::get_if<MountDirectories>(&plan_.volume);
  std::vector<std::string> directories = given ? given->paths : std::vector{place_of_fresh_directories()};
  for (std::string& directory : directories) directory = path_on_host(directory, hosts_);
  self.call_started("looking at", fmt::format("{}", fmt::join(directories, ", ")));
  mounts_ = check_mounts(directories);
}

/// What ops need of this machine, queues above all.
void RunSite::plan_io() {
  double buffers = 0;
  bool queues = false;
  DescriptorNeeds descriptors;
  for (const PlannedProc& proc : dataset_.procs) {
    const ProcSpec& kind = workload_.proc_kinds[proc.kind];
    if (has(proc)) descriptors.add(kind, proc.files.dataset(), plan_.max_workers);
    if (kind.io.depth == 1) continue;
    queues = true;
    if (has(proc) && kind.weight(OpKind::write_seq) + kind.weight(OpKind::write_rand) > 0)
      buffers += kind.io.depth * static_cast<double>(kind.write_size.max());
  }
  if (hosts_) buffers *= hosts_->ranks_here();
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (buffers > memory / 2)
    throw usage_error("I/O depth",
                      fmt::format("the writes in flight would need {} of buffers, more than half of the memory",
                                  format_bytes(static_cast<Bytes>(buffers))),
                      "fewer --clients or --procs, or a lower --io-depth");
  // The target divides them when the dataset is there. Too few are refused before it is made, which may take hours.
  const std::size_t available = make_room_for_descriptors(descriptors.total(), plan_.plans_at_once);
  static_cast<void>(DescriptorBudget::share(available, descriptors));
  if (!queues || plan_.io_engine == IoEngine::threads) return;
  const std::string refusal = io_uring_refusal();
  if (refusal.empty()) queue_engine_ = QueueEngine::io_uring;
  else if (plan_.io_engine == IoEngine::io_uring)
    throw usage_error("I/O engine", "io_uring is not available: " + refusal, "--io-engine threads");
  else spdlog::warn("io_uring is not available ({}): threads are used instead", refusal);
}

void RunSite::probe() {
  if (!on_files() || exports_) return;
  StuckWatch::Thread self(session_.watch);
  for (ProcSpec& kind : workload_.proc_kinds) {
    Bytes largest = 1;
    for (std::size_t i = 0; kind.io.direct && i < mounts_.size(); ++i) {
      self.call_started("looking for direct I/O on", mounts_[i].path);
      const std::optional<Bytes> block = direct_io_block(mounts_[i].real);
      if (!block)
        throw usage_error(mounts_[i].path,
                          fmt::format("{} does no direct I/O, which {} asks for", mounts_[i].info.fstype, kind.name),
                          "--buffered");
      largest = std::max(largest, *block);
    }
    if (!kind.io.direct) continue;
    kind.io.direct_block = largest;
    double moves = 0;
    for (const OpKind op : {OpKind::read_seq, OpKind::write_seq, OpKind::read_rand, OpKind::write_rand, OpKind::rmw})
      moves += kind.weight(op);
    if (moves > 0 && kind.alignment % largest != 0)  // such ops would be buffered
      throw usage_error(kind.name,
                        fmt::format("its ops begin at multiples of {}, and direct I/O here needs multiples of {}",
                                    format_bytes(kind.alignment), format_bytes(largest)),
                        fmt::format("access.alignment of {} in the workload, or --buffered", format_bytes(largest)));
  }
}

NfsWindow RunSite::nfs_window() const {
  std::vector<std::string> points;
  for (const LoadMount& mount : load_mounts())
    if (!mount.nfs_mount_point.empty()) points.push_back(mount.nfs_mount_point);
  return exports_ ? NfsWindow(points, [this] { return exports_->counters(); }) : NfsWindow(points);
}

std::vector<LoadMount> RunSite::load_mounts() const {
  std::vector<LoadMount> all;
  if (exports_)
    for (const std::string& url : exports_->urls()) all.push_back({url, url});
  const auto* const given = std::get_if<MountDirectories>(&plan_.volume);
  for (const MountDirectory& mount : mounts_)
    all.push_back({hosts_ && given ? given->paths.at(all.size()) : mount.path,
                   mount.info.is_nfs() ? mount.info.mount_point : ""});
  return all;
}

std::vector<std::string> RunSite::mounts_of_this_host() const {
  std::vector<std::string> own;
  if (!on_mounts_) return own;
  for (const DatasetRoot& root : on_mounts_->roots())
    if (root.place().of_host) own.push_back(root.place().mount);
  return own;
}

bool RunSite::build(const std::stop_token& stop) {
  if (!on_files()) return true;
  if (in_fresh_directory()) {
    log_fresh_directories_left(session_.watch);
    fresh_ = make_fresh_directory();
    touch({fresh_});
    mounts_ = check_mounts({fresh_});
    spdlog::info("without --mount: working in {} ({}), which is not an NFS volume", fresh_, mounts_[0].info.fstype);
    make_files_on_mounts({dataset_place(mounts_[0])}, false, nullptr);
  }
  if (fresh_.empty()) {
    std::vector<std::string> directories = exports_ ? exports_->urls() : std::vector<std::string>();
    for (const MountDirectory& mount : mounts_) directories.push_back(mount.path);
    touch(std::move(directories));
  }
  if (files_->reuses()) spdlog::debug("checking the existing dataset");
  if (files_->resumes()) spdlog::info("completing the dataset of an interrupted run");
  built_ = files_->build(threads(), stop, session_.watch, [&](const BuildProgress& state) {
    has(state.files_done, state.bytes_done);
    session_.emit(DatasetProgressed{state});
  });
  session_.emit(DatasetBuilt{});
  if (built_.interrupted) return false;
  has(dataset_.totals().files, dataset_.totals().bytes);
  spdlog::info("dataset: {}, {}, {} in {}", counted(dataset_.totals().files, "file"),
               format_bytes(static_cast<Bytes>(dataset_.totals().bytes)),
               built_.reused ? fmt::format("reused ({} restored)", counted(built_.files_made, "file")) : "built",
               format_duration(built_.elapsed));
  return true;
}

std::optional<Error> RunSite::loss_of_lock(bool looks) const {
  if (!lock_watch_ || !looks) return lock_watch_ ? lock_watch_->loss() : std::nullopt;
  StuckWatch::Thread self(session_.watch);
  self.call_started("looking at", fmt::format("{}", fmt::join(left_.mounts, ", ")));
  return lock_watch_->last_look();
}

std::string RunSite::made_dataset() const { return files_ && built_.complete && !built_.reused ? dataset_id() : ""; }

std::optional<DatasetLeft> RunSite::left(DatasetLeft::Why why) const {
  if (left_.mounts.empty()) return std::nullopt;
  DatasetLeft left = left_;
  left.why = why;
  return left;
}

void RunSite::touch(std::vector<std::string> directories) {
  left_.mounts = std::move(directories);
  session_.leftovers.set_current(left_);
}

void RunSite::has(std::uint64_t files, double bytes) {
  left_.files = files;
  left_.bytes = static_cast<Bytes>(bytes);
  session_.leftovers.set_current(left_);
}

std::size_t RunSite::threads() const { return exports_ ? nfs_sessions_at_once : build_threads(); }

bool RunSite::clean_up() {
  const auto unfinished = left(DatasetLeft::Why::unfinished);
  if (!unfinished) return true;
  if (!files_) {  // nothing was made in it yet
    ::rmdir(fresh_.c_str());
    touch({});
    return true;
  }
  if (lock_watch_) {
    StuckWatch::Thread self(session_.watch);
    self.call_started("looking at", fmt::format("{}", fmt::join(left_.mounts, ", ")));
    lock_watch_->end();
  }
  // What an interrupted build has left on a mount of the user's stays: the next run completes it.
  const bool stays = fresh_.empty() && (plan_.keep_dataset || plan_.reuse_dataset || !built_.complete || leaves_);
  const bool is_told = hosts_ == nullptr || hosts_->leads() || !mounts_of_this_host().empty();
  const auto may = [&](bool (Dataset::*is)() const) { return may_be(*files_, is, *unfinished, session_.watch); };
  if (stays && is_told && !built_.complete && may(&Dataset::is_begun)) session_.emit(*unfinished);
  const bool is_expected = leaves_ != DatasetLeft::Why::taken && (plan_.keep_dataset || plan_.reuse_dataset);
  if (stays && is_told && built_.complete && leaves_ && !is_expected) session_.emit(*left(*leaves_));
  if (stays) {
    StuckWatch::Thread self(session_.watch);
    self.call_started("unlocking", fmt::format("{}", fmt::join(left_.mounts, ", ")));
    files_.reset();
    touch({});
    return true;
  }
  try {
    files_->remove(threads(), session_.watch);
    if (!fresh_.empty()) ::rmdir(fresh_.c_str());
    touch({});
    return true;
  } catch (const std::exception& error) {
    spdlog::error("the dataset was not removed: {}", error.what());
    // Without its marker `edagen clean` would not touch it, and of one that was moved there is nothing left.
    if (may(&Dataset::is_marked)) session_.emit(*left(DatasetLeft::Why::not_removed));
    touch({});
    return false;
  }
}

}  // namespace edagen
