// Ops as system calls on mounted directories, as applications make them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "edagen/target.hpp"
#include "target/proc_place.hpp"

namespace edagen {

struct PosixProcs;

/// The engine that keeps several ops of one proc in flight.
enum class QueueEngine { io_uring, threads };

/// All names are resolved below the procs' roots, through no link and into no other mount (base/beneath.hpp). The
/// target raises the process's limit of open files as far as possible. It keeps open what fits into the limit: for each
/// proc one file each for random I/O, sequential reads and sequential writes (up to 64 with a queue), and its
/// directories. `places` are indexed by proc.
class PosixTarget final : public Target {
 public:
  /// `max_workers` is the number of ops at once of procs without a queue; `most_threads` is for one queue. So many
  /// `targets` share the limit of open files. Throws Error (usage) when the limit of open files is too low for the ops
  /// of the queues.
  explicit PosixTarget(std::vector<ProcPlace> places, QueueEngine engine = QueueEngine::threads,
                       std::size_t max_workers = 4096, std::size_t most_threads = 4096, std::size_t targets = 1);
  ~PosixTarget() override;

  std::unique_ptr<TargetWorker> make_worker() override;
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override;
  std::string describe(std::uint32_t proc, const Op& op) const override;
  std::vector<int> sync() override;
  /// Drops the pages of the data files (posix_fadvise); as root also everything else, including directories.
  void drop_caches() override;

  /// At most `max_workers`, and as many as there are descriptors for.
  std::size_t most_workers() const;
  /// False when the limit of open files is too low: each op then opens and closes its file.
  bool keeps_files() const;
  /// The number of open files that would keep everything open.
  std::size_t descriptors_wanted() const { return descriptors_wanted_; }

 private:
  QueueEngine engine_;
  std::size_t most_threads_;
  std::size_t descriptors_wanted_ = 0;
  std::unique_ptr<PosixProcs> procs_;
};

/// The threads that each queue may have, so that the queues of so many `procs` at depth have `max_workers` threads
/// together, and one thread each at least. There is a queue for each of these procs, up to one for each processor.
std::size_t threads_of_queue(std::size_t max_workers, std::size_t procs, std::size_t processors);

/// The alignment of extents and offsets of O_DIRECT in `directory`, a descriptor: that of its file system, or 4 KiB;
/// nullopt when there is no O_DIRECT. Found with a temporary_file().
std::optional<Bytes> direct_io_block(int directory);
std::optional<Bytes> direct_io_block(const std::string& directory);

/// The reason why io_uring cannot be used here; empty when it can.
std::string io_uring_refusal();

}  // namespace edagen
