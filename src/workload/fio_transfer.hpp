// Which ops a job of fio does, in which sizes and at which rates.
#pragma once

#include <nlohmann/json.hpp>

#include "workload/fio_sections.hpp"

namespace edagen {

/// Block sizes of one direction.
struct FioBlocks {
  nlohmann::ordered_json json;  ///< as "transfer" of a workload file has it
  Bytes smallest = 0, largest = 0;
  double mean = 0;
};

/// 0 reads, 1 writes.
FioBlocks fio_blocks(const FioSection& job, std::size_t direction);

/// Ops per second of one proc in a direction; 0 when the job does not limit them. Throws Error (usage).
double fio_ops_per_second(const FioSection& job, std::size_t direction, const FioBlocks& blocks);

}  // namespace edagen
