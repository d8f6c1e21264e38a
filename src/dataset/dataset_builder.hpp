// Makes the files of a plan in parallel. The same code builds a new dataset, completes an interrupted build and
// restores what a run has changed.
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

  BuildResult build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                    const std::function<void(const BuildProgress&)>& progress) override;
  bool reuses() const override { return found_.reuses(); }
  bool resumes() const override { return found_.resumes(); }
  std::string id() const override { return roots_.front().marker()->id; }
  bool is_begun() const override { return roots_.front().claimed() && roots_.front().is_marked(); }
  bool is_marked() const override;
  void remove(std::size_t threads, StuckWatch& watch) override;
  /// The roots by mount. Their locks are held from build() to the end of this object.
  std::vector<DatasetRoot>& roots() { return roots_; }

 private:
  void check_for_foreign_files(std::size_t threads, const std::stop_token& stop, StuckWatch& watch) const;
  void make_proc_directories(StuckWatch::Thread& self);
  void claim(StuckWatch::Thread& self);
  bool has(const PlannedProc& proc) const { return together_ == nullptr || together_->has(proc); }
  void flush(StuckWatch& watch);
  void mark_complete(StuckWatch& watch);

  const DatasetPlan& plan_;
  BuildTogether* together_;
  std::vector<DatasetRoot> roots_;
  FoundDataset found_;
};

/// Removes the dataset of `place`, if there is one. Returns whether there was a dataset, or an empty directory that a
/// dataset has left. Deletes only inside a directory with a marker, follows no link and enters no other mount. With
/// `id` only a dataset of this id is removed. Throws Error.
bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
