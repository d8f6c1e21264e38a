// The part of a run's site that is made of NFS exports which NFS clients of edagen's own load: the exports as they are
// found, their dataset, and the target.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "edagen/run_plan.hpp"
#include "nfs_client/nfs_target.hpp"
#include "nfs_dataset/nfs_dataset.hpp"

namespace edagen {

class NfsSite {
 public:
  /// Opens the exports and changes nothing. `clients_here`: most clients of this process, of all of the plan. Throws
  /// Error (usage) when an export cannot be used, when the plan requires what these clients do not have, or when there
  /// are too few descriptors for them.
  NfsSite(const RunPlan& plan, std::uint64_t clients_here);

  const std::vector<NfsExport>& exports() const { return exports_; }
  /// The URLs as given.
  std::vector<std::string> urls() const;
  /// Bytes that a dataset of `clients` may have: the budget of the one that is there, else a part of what is free.
  double budget(std::uint64_t clients) const;
  /// Looks at the datasets of the exports. All arguments but `reuse` outlive the result.
  std::unique_ptr<Dataset> dataset(const DatasetPlan& plan, bool reuse, BuildTogether* together);
  /// For the result: what is in force of each export, for `clients` clients.
  std::vector<MountFigures> figures(std::uint64_t clients) const;
  /// Lines of the plan's text.
  std::string plan_text() const;

  /// By the directory that each URL leads to.
  MountedDirectories mounted_directories() const;
  /// The target for those procs of the plan that are `here`; after the dataset is there.
  std::shared_ptr<Target> make_target(const DatasetPlan& plan, const WorkloadSpec& workload,
                                      const std::function<bool(const PlannedProc&)>& here, std::stop_token stop);
  /// What the clients of the target have counted, by export; nothing without a target.
  std::vector<NfsMountStats> counters() const;

 private:
  NfsServer server_of(std::size_t number) const;

  std::vector<NfsExport> exports_;
  const NfsDataset* dataset_ = nullptr;
  std::weak_ptr<NfsTarget> target_;
};

}  // namespace edagen
