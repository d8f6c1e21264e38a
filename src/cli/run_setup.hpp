// From options to something that can be run: the workload, the mounts, the dataset and the engine on top of them.
#pragma once

#include <filesystem>

#include "edagen/dataset/dataset_builder.hpp"
#include "edagen/sim/sim_runner.hpp"
#include "edagen/mounts/mount_info.hpp"
#include "edagen/result/result.hpp"
#include "edagen/target/posix_target.hpp"
#include "options.hpp"
#include "told_watch.hpp"

namespace edagen {

/// Where the dataset of a --mount is.
inline DatasetPlace dataset_place(const MountDirectory& mount) { return {mount.real, mount.volume, mount.info.local_locks()}; }

class RunSetup {
 public:
  /// Checks everything that can be checked without touching anything. Throws Error.
  explicit RunSetup(LoadOptions& options);
  /// Removes the dataset unless it is to stay.
  ~RunSetup();
  RunSetup(const RunSetup&) = delete;
  RunSetup& operator=(const RunSetup&) = delete;

  const WorkloadSpec& workload() const { return workload_; }
  double own_ops_per_sec() const;
  /// What would be done, for people.
  std::string plan_text(const std::string& load) const;

  const VolumeModel* model() const { return model_ ? &*model_ : nullptr; }
  bool is_station() const { return model_ && model_->station; }
  std::uint64_t job_sets() const;
  std::vector<std::string> nfs_mount_points() const;

  /// Of all procs from the next load point on; the workload has been asked whether it can.
  void set_read_percent(double percent);

  /// Of calls that may hang, in the constructor, build_dataset() and clean_up(), and for callers' own.
  StuckWatch& watch() { return watch_; }
  /// From now on a hanging call ends the process when `stop` comes: it says what hung and what is left behind.
  void end_with(std::stop_token stop);
  /// Makes the dataset (a modelled volume needs none); false when `stop` came first.
  bool build_dataset(std::stop_token stop);
  /// The id of the dataset if this run has made it and not found it there; else empty.
  std::string made_dataset() const;
  /// After build_dataset().
  LoadRunner& runner(std::stop_token stop);
  /// The result up to its load points.
  Result result(const std::vector<std::string>& command) const;
  /// Ops never returned: touching the mounts again would hang.
  void leave_dataset() { leave_ = true; }
  /// Takes away what the run has made; false when that fails, which it says.
  bool clean_up();

 private:
  void plan_on_mounts(DatasetScale scale);
  void plan_io();
  IoFigures io_figures() const;
  TargetFigures target_figures() const;
  std::vector<EngineProc> engine_procs();
  void make_engine(std::stop_token stop);
  void make_simulation(std::stop_token stop);
  void fit_workers(EngineOptions& engine) const;

  const LoadOptions& options_;
  ToldWatch watch_;
  WorkloadSpec workload_;
  std::vector<OpWeights> own_weights_;  ///< of the kinds, before set_read_percent()
  std::optional<VolumeModel> model_;
  std::filesystem::path temporary_;  ///< the embedded default's directory; empty with --mount
  std::vector<MountDirectory> mounts_;
  DatasetPlan plan_;
  std::unique_ptr<DatasetBuilder> builder_;
  BuildResult built_;
  bool touched_ = false, leave_ = false;
  QueueEngine queue_engine_ = QueueEngine::threads;
  std::vector<OpMix> mixes_;
  std::unique_ptr<PosixTarget> target_;
  std::unique_ptr<LoadRunner> runner_;
};

}  // namespace edagen
