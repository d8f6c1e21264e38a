// A dataset on NFS exports that are not mounted: the same files, marker and lock as on mounts, made by RPCs.
#pragma once

#include <memory>
#include <vector>

#include "dataset/dataset.hpp"
#include "nfs_dataset/nfs_root.hpp"

namespace edagen {

class NfsDataset final : public Dataset {
 public:
  /// Looks at the exports and changes nothing. All but `reuse` must outlive this object. Throws as DatasetBuilder().
  NfsDataset(const DatasetPlan& plan, const std::vector<NfsExport>& exports, bool reuse,
             BuildTogether* together = nullptr);

  BuildResult build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                    const std::function<void(const BuildProgress&)>& progress) override;
  bool reuses() const override { return found_.reuses(); }
  bool resumes() const override { return found_.resumes(); }
  std::string id() const override { return roots_.front().marker()->id; }
  bool is_begun() const override;
  bool is_marked() const override;
  void remove(std::size_t threads, StuckWatch& watch) override;
  /// The roots by export. Their locks are held from build() to the end of this object.
  const std::vector<NfsRoot>& roots() const { return roots_; }

 private:
  bool has(const PlannedProc& proc) const { return together_ == nullptr || together_->has(proc); }
  void check_for_foreign_files(std::size_t threads, const std::stop_token& stop, StuckWatch& watch) const;
  void claim(StuckWatch::Thread& self, const std::stop_token& stop);
  void make_proc_directories(StuckWatch::Thread& self, const std::stop_token& stop);
  void mark_complete(StuckWatch& watch);

  const DatasetPlan& plan_;
  BuildTogether* together_;
  std::vector<NfsRoot> roots_;
  FoundDataset found_;
};

}  // namespace edagen
