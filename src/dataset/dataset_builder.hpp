// Makes the files of a plan: in parallel, resumable, and the same whether it starts from nothing, goes on after an
// interruption or restores what a run has changed.
#pragma once

#include <functional>
#include <stop_token>

#include "dataset/dataset_plan.hpp"
#include "dataset/dataset_root.hpp"
#include "edagen/build_progress.hpp"

namespace edagen {

struct BuildResult {
  bool reused = false;  ///< there was a complete dataset of this plan
  bool complete = false;
  bool interrupted = false;
  Nanos elapsed{0};
  std::uint64_t files_made = 0;
};

class DatasetBuilder {
 public:
  /// `plan` outlives this. Looks at what is there and changes nothing.
  /// Throws Error (usage): there is a dataset of another shape, or a complete one and `reuse` is false, or a foreign
  /// directory, or a dataset that is in use; bytes or inodes are too few (says by how much).
  DatasetBuilder(const DatasetPlan& plan, std::vector<DatasetPlace> places, bool reuse);

  /// Throws Error (run) on the first failure, Error (usage) when what is there is not any more what the constructor
  /// saw; what is built stays, and the next build completes it. `progress` is called in this thread some times a
  /// second.
  BuildResult build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                    const std::function<void(const BuildProgress&)>& progress);

  bool reuses() const { return reuses_; }    ///< a complete dataset of this plan is there
  bool resumes() const { return resumes_; }  ///< an unfinished one is there
  /// By mount. Their locks are held from build() to the end of this.
  std::vector<DatasetRoot>& roots() { return roots_; }

 private:
  std::vector<std::uint64_t> make_proc_directories(StuckWatch::Thread& self);
  void flush(StuckWatch& watch);

  const DatasetPlan& plan_;
  std::vector<DatasetRoot> roots_;
  bool reuses_ = false, resumes_ = false;
};

/// Removes the dataset of `place`, if there is one; returns whether there was, or an empty directory that one has left.
/// Only what lies in a directory with a marker is deleted; links are not followed and no other mount is entered. With
/// `id`: only a dataset of this id. Throws Error.
bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
