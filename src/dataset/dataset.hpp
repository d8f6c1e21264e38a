// The dataset of a run on its volume, from the look at what is there to the removal, however the volume is reached: by
// mounts (DatasetBuilder) or by NFS without mounts (NfsDataset).
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/free_space.hpp"
#include "base/stuck_watch.hpp"
#include "dataset/dataset_marker.hpp"
#include "dataset/dataset_plan.hpp"
#include "edagen/error.hpp"
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

/// Shared by the threads of a build.
struct BuildCounters {
  std::atomic<std::uint64_t> directories{0}, files{0}, files_made{0};
  std::atomic<Bytes> bytes{0};
};

/// The directories of a build, which the threads take one after the other. Thread-safe.
class DirectoryQueue {
 public:
  struct Directory {
    std::size_t proc;     ///< in DatasetPlan::procs
    std::uint64_t index;  ///< among those of the proc
  };

  /// `has`: whether a proc's files are built here. A proc that works in another one's directory has no directories.
  DirectoryQueue(const DatasetPlan& plan, const std::function<bool(const PlannedProc&)>& has);
  std::uint64_t size() const { return first_.back(); }
  /// Returns nullopt when all are taken, and after a stop.
  std::optional<Directory> take(const std::stop_token& stop);

 private:
  std::vector<std::uint64_t> first_ = {0};  ///< number of each proc's first directory; at the end the number of all
  std::atomic<std::uint64_t> next_{0};
};

/// What the markers in all places of a dataset say of it.
class FoundDataset {
 public:
  /// `plan` must outlive this object.
  FoundDataset(const DatasetPlan& plan, bool reuse) : plan_(plan), reuse_(reuse) {}
  /// The next place, `path`. Throws Error (usage) when there is a dataset of another shape, or a complete one that is
  /// not to be reused.
  void add(const std::string& path, const std::optional<DatasetMarker>& marker);

  bool is_new() const { return there_ == 0; }
  bool reuses() const { return complete_ == places_; }
  bool resumes() const { return there_ > 0 && !reuses(); }

 private:
  const DatasetPlan& plan_;
  bool reuse_;
  std::size_t places_ = 0, there_ = 0, complete_ = 0;
};

class Dataset {
 public:
  virtual ~Dataset() = default;

  bool reuses() const { return found_.reuses(); }    ///< a complete dataset of this plan exists
  bool resumes() const { return found_.resumes(); }  ///< an unfinished dataset of this plan exists
  /// Throws Error (usage), before anything is changed, when a dataset holds a foreign file at any level or is no longer
  /// what the constructor saw. Throws Error (run) on the first failure: the built files stay, and the next build
  /// completes them. `progress` is called in this thread some times a second.
  BuildResult build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                    const std::function<void(const BuildProgress&)>& progress);
  /// The id in its marker; after build().
  virtual std::string id() const = 0;
  /// Whether it has been claimed and marked, so that `edagen clean` removes it.
  virtual bool is_begun() const = 0;
  /// Whether it still has a marker somewhere, or one that cannot be read.
  virtual bool is_marked() const = 0;
  /// When another process has taken its lock, as after a long outage: that. Throws Error when a lock cannot be read, or
  /// when a server of nfs:// does not answer within a second of a stop. While the dataset is neither built nor removed,
  /// another thread may call it.
  virtual std::optional<Error> loss_of_lock(const std::stop_token& stop) const = 0;
  /// Removes it everywhere; what somebody else has removed or moved meanwhile is logged. Throws Error.
  virtual void remove(std::size_t threads, StuckWatch& watch) = 0;

 protected:
  using Skips = std::function<bool(const std::string&)>;

  /// `plan` and `together` (nullptr: this host alone) must outlive this object.
  Dataset(const DatasetPlan& plan, bool reuse, BuildTogether* together)
      : plan_(plan), together_(together), found_(plan, reuse) {}
  bool has(const PlannedProc& proc) const { return together_ == nullptr || together_->has(proc); }

  /// Checks every place that has a marker. `of_others`: whether another host checks a proc's directory ("c0003/p01").
  virtual void check_roots_for_foreign_files(int depth, const Skips& of_others, std::size_t threads,
                                             const std::stop_token& stop, StuckWatch& watch) const = 0;
  /// Claims all places with `fresh`, which gets the id of the dataset. `follows`: after the leading host.
  virtual void claim_roots(DatasetMarker& fresh, bool follows, StuckWatch::Thread& self,
                           const std::stop_token& stop) = 0;
  virtual void make_proc_directories(StuckWatch::Thread& self, const std::stop_token& stop) = 0;
  /// Builds directories until the queue is empty; in each thread of the build.
  virtual void build_directories(DirectoryQueue& queue, BuildCounters& counters, StuckWatch::Thread& self,
                                 const std::stop_token& stop) = 0;
  /// Flushes the files to the storage now, so that this does not happen during the measurement.
  virtual void flush(StuckWatch& /*watch*/) {}
  virtual void mark_complete(StuckWatch& watch) = 0;

  const DatasetPlan& plan_;
  BuildTogether* together_;
  FoundDataset found_;

 private:
  void check_for_foreign_files(std::size_t threads, const std::stop_token& stop, StuckWatch& watch) const;
  void claim(StuckWatch::Thread& self, const std::stop_token& stop);
};

/// The room of one place of a dataset.
struct PlaceRoom {
  std::string place;   ///< for messages
  std::string volume;  ///< equal for places that share their space
  FreeSpace free;
};

/// Checks that each volume has room for the files of all its places, and each place for its own part: two volumes that
/// look alike may differ in size. Throws Error (usage) with what is missing.
void check_room(const DatasetPlan& plan, const std::vector<PlaceRoom>& places);

}  // namespace edagen
