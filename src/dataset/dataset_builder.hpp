// A dataset on mounts. The same code builds a new dataset, completes an interrupted build and restores what a run has
// changed.
#pragma once

#include "dataset/dataset.hpp"
#include "dataset/dataset_root.hpp"

namespace edagen {

class DatasetBuilder final : public Dataset {
 public:
  /// Looks at the places and changes nothing. `plan` and `together` (nullptr: this host alone) must outlive this
  /// object. Throws Error (usage) when there is a dataset of another shape, a complete one and `reuse` is false, a
  /// foreign directory, or a dataset in use, or when bytes or inodes are too few (with the number).
  DatasetBuilder(const DatasetPlan& plan, std::vector<DatasetPlace> places, bool reuse,
                 BuildTogether* together = nullptr);

  std::string id() const override { return roots_.front().marker()->id; }
  bool is_begun() const override { return roots_.front().claimed() && roots_.front().is_marked(); }
  bool is_marked() const override;
  std::optional<Error> loss_of_lock(const std::stop_token& stop) const override;
  void remove(std::size_t threads, StuckWatch& watch) override;
  /// The roots by mount. Their locks are held from build() to the end of this object.
  std::vector<DatasetRoot>& roots() { return roots_; }

 private:
  void check_roots_for_foreign_files(int depth, const Skips& of_others, std::size_t threads,
                                     const std::stop_token& stop, StuckWatch& watch) const override;
  void claim_roots(DatasetMarker& fresh, bool follows, StuckWatch::Thread& self, const std::stop_token& stop) override;
  void make_proc_directories(StuckWatch::Thread& self, const std::stop_token& stop) override;
  void build_directories(DirectoryQueue& queue, BuildCounters& counters, StuckWatch::Thread& self,
                         const std::stop_token& stop) override;
  void flush(StuckWatch& watch) override;
  void mark_complete(StuckWatch& watch) override;

  std::vector<DatasetRoot> roots_;
};

/// Removes the dataset of `place`, if there is one. Returns whether there was a dataset, or an empty directory that a
/// dataset has left. Deletes only inside a directory with a marker, follows no link and enters no other mount. With
/// `id` only a dataset of this id is removed. Throws Error.
bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
