// The sizes and rates of the ops of a job of fio.
#pragma once

#include <nlohmann/json.hpp>

#include "workload/fio_sections.hpp"

namespace edagen {

/// Block sizes of one direction.
struct FioBlocks {
  nlohmann::ordered_json json;  ///< as "transfer" in a workload file
  Bytes smallest = 0, largest = 0;
  double mean = 0;
};

/// `direction` is 0 for reads and 1 for writes.
FioBlocks fio_blocks(const FioSection& job, std::size_t direction);

/// Ops per second of one proc in a direction; 0 when the job does not limit them. Throws Error (usage).
double fio_ops_per_second(const FioSection& job, std::size_t direction, const FioBlocks& blocks);

}  // namespace edagen
