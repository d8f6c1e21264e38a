// Makes the files of a plan: in parallel, resumable, and the same whether it starts from nothing, goes on after an
// interruption or restores what a run has changed.
#pragma once

#include <functional>
#include <stop_token>

#include "dataset/dataset_plan.hpp"
#include "dataset/dataset_root.hpp"
#include "edagen/parts/build_progress.hpp"

namespace edagen {

struct BuildResult {
  bool reused = false;  ///< there was a complete dataset of this plan
  bool complete = false;
  bool interrupted = false;
  Nanos elapsed{0};
  std::uint64_t files_made = 0;
};

/// Several hosts build one dataset, each the files of its own procs.
class BuildTogether {
 public:
  virtual ~BuildTogether() = default;
  virtual bool leads() const = 0;
  virtual bool has(const PlannedProc& proc) const = 0;
  /// The leader's, everywhere.
  virtual std::string leaders(const std::string& id) = 0;
  /// Waits until all have come so far; whether all say yes.
  virtual bool all(bool yes) = 0;
};

class DatasetBuilder {
 public:
  /// `plan` outlives this. Looks at what is there and changes nothing.
  /// Throws Error (usage): there is a dataset of another shape, or a complete one and `reuse` is false, or a foreign
  /// directory, or a dataset that is in use; bytes or inodes are too few (says by how much).
  /// `together` outlives this; nullptr: this host alone.
  DatasetBuilder(const DatasetPlan& plan, std::vector<DatasetPlace> places, bool reuse,
                 BuildTogether* together = nullptr);

  /// Throws Error (usage) before anything is changed when a dataset that is there holds a foreign file at any level,
  /// and when what is there is not any more what the constructor saw; Error (run) on the first failure: what is built
  /// stays, and the next build completes it. `progress` is called in this thread some times a second.
  BuildResult build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                    const std::function<void(const BuildProgress&)>& progress);

  bool reuses() const { return reuses_; }    ///< a complete dataset of this plan is there
  bool resumes() const { return resumes_; }  ///< an unfinished one is there
  /// By mount. Their locks are held from build() to the end of this.
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

/// Removes the dataset of `place`, if there is one; returns whether there was, or an empty directory that one has left.
/// Only what lies in a directory with a marker is deleted; links are not followed and no other mount is entered. With
/// `id`: only a dataset of this id. Throws Error.
bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
