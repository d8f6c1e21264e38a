// Where a run happens: its volume as it is found, and its dataset from the plan to the removal.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "dataset/dataset_builder.hpp"
#include "edagen/run_plan.hpp"
#include "nfs/mount_info.hpp"
#include "nfs/tuned_mount.hpp"
#include "session/host_agreement.hpp"
#include "session/lock_watch.hpp"
#include "session/mount_loads.hpp"
#include "session/nfs_window.hpp"
#include "session/plan_warnings.hpp"
#include "session/session_state.hpp"
#include "target/posix_target.hpp"

namespace edagen {

class NfsSite;

/// Where the dataset of a mounted directory is.
inline DatasetPlace dataset_place(const MountDirectory& mount) {
  return {mount.real, mount.volume, mount.info.local_locks()};
}

class RunSite {
 public:
  /// Looks at everything and changes nothing, but that a TunedExport is mounted for as long as this lives. Throws Error
  /// (usage), TuningRefused (run). Both outlive this. With `hosts` this takes part in what all of them agree on, that
  /// they carry out `identity` among it, as build() and clean_up() do; nullptr: this host alone.
  RunSite(const RunPlan& plan, SessionState& session, Hosts* hosts = nullptr, PlanIdentity identity = {});
  /// Removes the dataset unless it is to stay.
  ~RunSite();
  RunSite(const RunSite&) = delete;
  RunSite& operator=(const RunSite&) = delete;

  /// The plan, with a mounted directory in place of a TunedExport.
  const RunPlan& plan() const { return plan_; }
  /// The plan's workload, fitted to what direct I/O requires here.
  const WorkloadSpec& workload() const { return workload_; }
  const DatasetPlan& dataset() const { return dataset_; }
  const std::vector<MountDirectory>& mounts() const { return mounts_; }
  QueueEngine queue_engine() const { return queue_engine_; }
  /// Free memory of this host when the volume was looked at, so that plan and result have the same words about it.
  Bytes memory_found() const { return memory_found_; }
  const BuildResult& built() const { return built_; }
  /// By mount; after build(), of a volume of mounts.
  std::vector<DatasetRoot>& roots() { return on_mounts_->roots(); }
  /// nullptr: the volume is not one of NFS exports without mounts.
  NfsSite* exports() const { return exports_.get(); }
  /// The counters of this run's NFS clients, the kernel's or edagen's own. Must not outlive this.
  NfsWindow nfs_window() const;
  /// Where the clients work.
  std::vector<LoadMount> load_mounts() const;
  /// Those of the mounts that are directories of this host alone; call after build().
  std::vector<std::string> mounts_of_this_host() const;

  /// Finds out whether direct I/O works, with a temporary file. Throws Error (usage).
  void probe();
  /// Makes the dataset, where there are files; false when `stop` came first.
  bool build(const std::stop_token& stop);
  /// What building or checking the dataset has left in the client's caches is not to help one tuning and not another.
  /// Throws TuningRefused.
  void drop_caches_of_tuned_mount() const {
    if (tuned_) tuned_->drop_caches();
  }
  /// Ops never return: what a tuning has changed on this host does not stay.
  void leave_tuned_mount() {
    if (tuned_) tuned_->leave();
  }
  /// From now on the load ends when another run takes the lock of the dataset, which build() has made.
  void watch_lock() {
    if (files_) lock_watch_ = std::make_unique<LockWatch>(*files_, session_.stop, plan_.look_at_lock_every);
  }
  /// Ends the load.
  std::stop_token load_stop() const { return lock_watch_ ? lock_watch_->stop() : session_.stop; }
  /// When another run has taken the lock since watch_lock(): that. nullopt: none has, as far as can be seen. Without
  /// `looks` only what was found during the load counts, so that no server is waited for.
  std::optional<Error> loss_of_lock(bool looks) const;
  /// The id of the dataset, which is there.
  std::string dataset_id() const { return files_->id(); }
  /// The same if this run has made it and not found it there; else empty.
  std::string made_dataset() const;
  /// What this run has begun to make, or found there, and has not removed; nullopt: nothing.
  std::optional<DatasetLeft> left(DatasetLeft::Why why) const;
  Hosts* hosts() const { return hosts_; }
  /// The procs of this host's clients; nullptr: all are here.
  const HostShare* share() const { return share_ ? &*share_ : nullptr; }
  /// Whether a proc of the dataset is on this host.
  bool has(const PlannedProc& proc) const { return !share_ || share_->has(proc); }
  /// The run has failed elsewhere, or the dataset is another run's by now (`taken`): clean_up() leaves what there is.
  void leave(DatasetLeft::Why why = DatasetLeft::Why::asked) { leaves_ = why; }
  /// Removes what the run has made. Logs a failure and returns false.
  bool clean_up();

 private:
  double budget(StuckWatch::Thread& self, PlanIdentity identity);
  void look_at_mounts(StuckWatch::Thread& self);
  void plan_io();
  void make_files_on_mounts(std::vector<DatasetPlace> places, bool reuse, BuildTogether* together);
  std::size_t threads() const;
  void touch(std::vector<std::string> directories);
  void has(std::uint64_t files, double bytes);
  bool on_files() const { return std::holds_alternative<FreshDirectory>(plan_.volume) || plan_.on_volume_of_user(); }
  bool in_fresh_directory() const { return std::holds_alternative<FreshDirectory>(plan_.volume); }

  SessionState& session_;
  const std::unique_ptr<TunedMount> tuned_;
  const RunPlan plan_;
  Hosts* hosts_;
  std::optional<HostShare> share_;
  std::optional<DatasetLeft::Why> leaves_;
  WorkloadSpec workload_;
  std::string fresh_;  ///< the fresh directory, once it is made
  std::vector<MountDirectory> mounts_;
  DatasetPlan dataset_;
  std::unique_ptr<NfsSite> exports_;
  std::unique_ptr<Dataset> files_;
  std::unique_ptr<LockWatch> lock_watch_;  ///< of `files_`
  DatasetBuilder* on_mounts_ = nullptr;    ///< files_, where they are reached by mounts
  BuildResult built_;
  DatasetLeft left_;  ///< without mounts: nothing
  QueueEngine queue_engine_ = QueueEngine::threads;
  Bytes memory_found_ = free_memory();
};

}  // namespace edagen
