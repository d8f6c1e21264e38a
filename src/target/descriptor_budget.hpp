// How a target divides the descriptors of the process among the files and directories that it could keep open.
#pragma once

#include <cstddef>
#include <vector>

#include "target/proc_place.hpp"

namespace edagen {

/// Descriptors for libraries, logs and results (64), and for readers of metrics (at most 128 at once), so that no op
/// fails for lack of them.
inline constexpr std::size_t spare_descriptors = 64 + 128;

struct DescriptorNeeds {
  std::size_t procs = 0;
  std::size_t serial_files = 0;      ///< files that procs without depth keep between ops
  std::size_t directories = 0;       ///< directories of all procs
  std::size_t most_directories = 0;  ///< most directories of one proc
  std::size_t queues = 0;            ///< procs at depth
  std::size_t queued_ops = 0;        ///< files that procs at depth may use at once
  std::size_t workers = 0;           ///< ops of all other procs at once

  static DescriptorNeeds of(const std::vector<ProcPlace>& places, std::size_t most_workers);
  /// Adds those of a proc.
  void add(const ProcSpec& spec, const DatasetSpec& files, std::size_t most_workers);
  /// Descriptors for keeping everything open.
  std::size_t total() const;
};

struct DescriptorBudget {
  bool keeps_files = true;               ///< false: each op opens and closes its file
  std::size_t directories_per_proc = 0;  ///< kept directories; others are opened for each op
  std::size_t files_per_queue = 0;       ///< files that each proc at depth keeps
  std::size_t most_workers = 0;          ///< with more workers descriptors could run out

  /// Divides `available` descriptors. Throws Error (usage) when they are too few for the ops of queues and a few
  /// workers.
  static DescriptorBudget share(std::size_t available, const DescriptorNeeds& needs);
};

/// Raises the process's limit of open files, towards `needed` more than are open now for each of so many `targets` that
/// are there at once. Returns how many more each of them may open.
std::size_t make_room_for_descriptors(std::size_t needed, std::size_t targets = 1);

}  // namespace edagen
