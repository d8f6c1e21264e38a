// The bytes that the ops of a workload move: the sizes in its file, cut to the size of the files and rounded for
// O_DIRECT.
#pragma once

#include "edagen/workload.hpp"

namespace edagen {

/// Mean bytes over a job set at its own op rates, read and written together.
struct MovedBytes {
  OpWeights per_op{};  ///< by op kind; 0 for kinds that move no data
  double of_all = 0;   ///< mean over ops of all kinds
};

/// Computed by drawing ops; within 1 % of the mean of infinitely many ops.
MovedBytes moved_bytes(const WorkloadSpec& workload);

}  // namespace edagen
