// Ops as system calls on mounted directories: what applications do.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "edagen/target.hpp"
#include "target/proc_place.hpp"

namespace edagen {

struct PosixProcs;

/// How several ops of one proc are kept in flight at once.
enum class QueueEngine { io_uring, threads };

/// All names are resolved below the procs' roots, through no link and into no other mount (base/beneath.hpp). Raises
/// the process's limit of open files as far as it may, and keeps open what fits: for each proc one file each for random
/// I/O, sequential reads and sequential writes (with a queue up to 64), and the directories it works in. `places` are
/// indexed by proc.
class PosixTarget final : public Target {
 public:
  /// `max_workers`: ops at once of procs without a queue; `most_threads` is for one queue. Throws Error (run) when the
  /// limit of open files does not even allow the ops of the queues.
  explicit PosixTarget(std::vector<ProcPlace> places, QueueEngine engine = QueueEngine::threads,
                       std::size_t max_workers = 4096, std::size_t most_threads = 4096);
  ~PosixTarget() override;

  std::unique_ptr<TargetWorker> make_worker() override;
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override;
  std::string describe(std::uint32_t proc, const Op& op) const override;
  std::vector<int> sync() override;
  /// Of the data files' pages (posix_fadvise); of everything, directories included, when root.
  void drop_caches() override;

  /// At most `max_workers`: more could run out of descriptors.
  std::size_t most_workers() const;
  /// False where the limit of open files is too low: then each op opens its file and closes it.
  bool keeps_files() const;
  /// Open files that would be enough to keep all.
  std::size_t descriptors_wanted() const { return descriptors_wanted_; }

 private:
  QueueEngine engine_;
  std::size_t most_threads_;
  std::size_t descriptors_wanted_ = 0;
  std::unique_ptr<PosixProcs> procs_;
};

/// What extents and offsets of O_DIRECT in `directory`, a descriptor, must be multiples of, as its file system says,
/// else 4 KiB; nullopt when it has no O_DIRECT. Uses a temporary_file() to see.
std::optional<Bytes> direct_io_block(int directory);
std::optional<Bytes> direct_io_block(const std::string& directory);

/// Empty when io_uring can be used here, else why not.
std::string io_uring_refusal();

}  // namespace edagen
