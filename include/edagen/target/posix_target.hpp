// Ops as system calls on mounted directories: what applications do.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "edagen/dataset/dataset_layout.hpp"
#include "edagen/target/target.hpp"

namespace edagen {

struct PosixProcs;

/// One proc's place on a mount.
struct ProcPlace {
  std::string mount;      ///< as the user wrote it
  std::string directory;  ///< path of the proc's directory; exists
  const ProcSpec* spec = nullptr;
  FilePopulation files;
  bool direct_possible = true;  ///< O_DIRECT works on this mount
};

/// How several ops of one proc are kept under way at once.
enum class QueueEngine { io_uring, threads };

/// Holds one directory descriptor per proc, and at most one descriptor each for its random I/O, its sequential reads
/// and its sequential writes; of a proc with a queue up to 64, and those being opened. `places` are indexed by proc. Raises
/// the process's limit of open files as far as it may.
class PosixTarget final : public Target {
 public:
  /// Throws Error (run) when the open files of all procs exceed the hard limit. `most_threads` is for one queue.
  explicit PosixTarget(std::vector<ProcPlace> places, QueueEngine engine = QueueEngine::threads,
                       std::size_t most_threads = 4096);
  ~PosixTarget() override;

  std::unique_ptr<TargetWorker> make_worker() override;
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override;
  std::string describe(std::uint32_t proc, const Op& op) const override;
  std::vector<int> sync() override;
  /// Of the data files' pages (posix_fadvise); of everything, directories included, when root.
  void drop_caches() override;

 private:
  QueueEngine engine_;
  std::size_t most_threads_;
  std::unique_ptr<PosixProcs> procs_;
};

/// What extents and offsets of O_DIRECT in `directory` must be multiples of, as its file system says, else 4 KiB;
/// nullopt when it has no O_DIRECT. Makes and removes a file to see.
std::optional<Bytes> direct_io_block(const std::string& directory);

/// Empty when io_uring can be used here, else why not.
std::string io_uring_refusal();

}  // namespace edagen
