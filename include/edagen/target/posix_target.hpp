// Ops as system calls on mounted directories: what applications do.
#pragma once

#include <memory>
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

/// Holds one directory descriptor per proc, and at most one descriptor each for its random I/O, its sequential reads
/// and its sequential writes. `places` are indexed by proc. Raises the process's limit of open files as far as it may.
class PosixTarget final : public Target {
 public:
  /// Throws Error (run) when the open files of all procs exceed the hard limit.
  explicit PosixTarget(std::vector<ProcPlace> places);
  ~PosixTarget() override;

  std::unique_ptr<TargetWorker> make_worker() override;
  std::string describe(std::uint32_t proc, const Op& op) const override;

 private:
  std::unique_ptr<PosixProcs> procs_;
};

/// Whether a file in `directory` can be opened with O_DIRECT; makes and removes a file to see.
bool direct_io_works(const std::string& directory);

}  // namespace edagen
