// What the ops of a workload move: the sizes in its file, cut to the size of the files and rounded for O_DIRECT.
#pragma once

#include "edagen/workload.hpp"

namespace edagen {

/// Means over a job set at its own op rates. Bytes, read and written together
struct MovedBytes {
  OpWeights per_op{};  ///< by op kind; 0 of those that move none
  double of_all = 0;   ///< per op of any kind
};

/// Found by drawing the ops; within 1 % of the mean of endlessly many.
MovedBytes moved_bytes(const WorkloadSpec& workload);

}  // namespace edagen
