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

  std::string id() const override { return roots_.front().marker()->id; }
  bool is_begun() const override;
  bool is_marked() const override;
  std::optional<Error> loss_of_lock(const std::stop_token& stop) const override;
  void remove(std::size_t threads, StuckWatch& watch) override;
  /// The roots by export. Their locks are held from build() to the end of this object.
  const std::vector<NfsRoot>& roots() const { return roots_; }

 private:
  void check_roots_for_foreign_files(int depth, const Skips& of_others, std::size_t threads,
                                     const std::stop_token& stop, StuckWatch& watch) const override;
  void claim_roots(DatasetMarker& fresh, bool follows, StuckWatch::Thread& self, const std::stop_token& stop) override;
  void make_proc_directories(StuckWatch::Thread& self, const std::stop_token& stop) override;
  void build_directories(DirectoryQueue& queue, BuildCounters& counters, StuckWatch::Thread& self,
                         const std::stop_token& stop) override;
  void mark_complete(StuckWatch& watch) override;

  std::vector<NfsRoot> roots_;
};

}  // namespace edagen
