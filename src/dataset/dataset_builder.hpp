// Makes the files of a plan in parallel. The same code builds a new dataset, completes an interrupted build and
// restores what a run has changed.
#pragma once

#include <functional>
#include <stop_token>

#include "dataset/dataset_plan.hpp"
#include "dataset/dataset_root.hpp"
#include "edagen/parts/build_progress.hpp"

namespace edagen {

struct BuildResult {
  bool reused = false;  ///< a complete dataset of this plan was used
  bool complete = false;
  bool interrupted = false;
  Nanos elapsed{0};
  std::uint64_t files_made = 0;
};

/// The exchange between hosts that build one dataset, each the files of its own procs.
class BuildTogether {
 public:
  virtual ~BuildTogether() = default;
  virtual bool leads() const = 0;
  virtual bool has(const PlannedProc& proc) const = 0;
  /// Returns the leader's `id` on all hosts.
  virtual std::string leaders(const std::string& id) = 0;
  /// Waits for all hosts. Returns whether all have called it with true.
  virtual bool all(bool yes) = 0;
};

class DatasetBuilder {
 public:
  /// Looks at the places and changes nothing. `plan` and `together` (nullptr: this host alone) must outlive this
  /// object. Throws Error (usage) when there is a dataset of another shape, a complete one and `reuse` is false, a
  /// foreign directory, or a dataset in use, or when bytes or inodes are too few (with the number).
  DatasetBuilder(const DatasetPlan& plan, std::vector<DatasetPlace> places, bool reuse,
                 BuildTogether* together = nullptr);

  /// Throws Error (usage), before anything is changed, when a dataset holds a foreign file at any level or is no longer
  /// what the constructor saw. Throws Error (run) on the first failure: the built files stay, and the next build
  /// completes them. `progress` is called in this thread some times a second.
  BuildResult build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                    const std::function<void(const BuildProgress&)>& progress);

  bool reuses() const { return reuses_; }    ///< a complete dataset of this plan exists
  bool resumes() const { return resumes_; }  ///< an unfinished dataset of this plan exists
  /// The roots by mount. Their locks are held from build() to the end of this object.
  std::vector<DatasetRoot>& roots() { return roots_; }

 private:
  void check_for_foreign_files(std::size_t threads, const std::stop_token& stop, StuckWatch& watch) const;
  std::vector<std::uint64_t> first_directories() const;
  void make_proc_directories(StuckWatch::Thread& self);
  void claim(StuckWatch::Thread& self);
  bool has(const PlannedProc& proc) const { return together_ == nullptr || together_->has(proc); }
  void flush(StuckWatch& watch);
  void mark_complete(StuckWatch& watch);

  const DatasetPlan& plan_;
  BuildTogether* together_;
  std::vector<DatasetRoot> roots_;
  bool reuses_ = false, resumes_ = false;
};

/// Removes the dataset of `place`, if there is one. Returns whether there was a dataset, or an empty directory that a
/// dataset has left. Deletes only inside a directory with a marker, follows no link and enters no other mount. With
/// `id` only a dataset of this id is removed. Throws Error.
bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
