// How a target shares the descriptors that the process may have among what it would like to keep open.
#pragma once

#include <cstddef>
#include <vector>

#include "target/proc_place.hpp"

namespace edagen {

struct DescriptorNeeds {
  std::size_t procs = 0;
  std::size_t serial_files = 0;      ///< kept between ops by procs that do one op at a time
  std::size_t directories = 0;       ///< of all procs
  std::size_t most_directories = 0;  ///< of one proc
  std::size_t queues = 0;            ///< procs at depth
  std::size_t queued_ops = 0;        ///< files that these may have in use at once
  std::size_t workers = 0;           ///< ops at once of all other procs

  static DescriptorNeeds of(const std::vector<ProcPlace>& places, std::size_t most_workers);
  /// For everything to be kept.
  std::size_t total() const;
};

struct DescriptorBudget {
  bool keeps_files = true;               ///< else each op opens its file and closes it
  std::size_t directories_per_proc = 0;  ///< kept; others are opened for each op
  std::size_t files_per_queue = 0;       ///< kept by each proc at depth
  std::size_t most_workers = 0;          ///< more could run out of descriptors

  /// Of `available` descriptors. Throws Error (run) when they do not suffice for the ops of queues and a few workers.
  static DescriptorBudget share(std::size_t available, const DescriptorNeeds& needs);
};

/// Raises the process's limit of open files towards `needed` more than it has open, and returns how many more it may
/// open.
std::size_t make_room_for_descriptors(std::size_t needed);

}  // namespace edagen
