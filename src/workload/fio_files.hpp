// The files of a job of fio.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workload/fio_engine.hpp"
#include "workload/fio_reader.hpp"
#include "workload/fio_transfer.hpp"

namespace edagen {

/// More ops than any file is open for, so that files stay open.
inline constexpr std::int64_t fio_many_ops = 1'000'000'000;

/// Files that several procs share.
struct FioSharedFiles {
  std::string name;                     ///< "" when each proc has its own
  std::vector<std::string> paths = {};  ///< that fio gives the files; of several procs or files those of the first
  bool by_proc = false;                 ///< of the procs with one number, each of another job
  Bytes file_size = 0;                  ///< the mean of several sizes
  Bytes offset = 0;                     ///< where the part of the files begins that the job uses
  bool sequential = false;
};

struct FioFiles {
  nlohmann::ordered_json dataset;  ///< as in a workload file
  FioSharedFiles shared;
  std::int64_t count = 1;         ///< files of one proc
  std::int64_t ops_per_open = 1;  ///< ops before the next file has its turn
};

/// `random` and `blocks` (of reads and writes) are those of the job's ops. Throws Error (usage).
FioFiles fio_files(FioReader& reader, FioEngine::Kind engine, bool random, const std::array<FioBlocks, 2>& blocks);

}  // namespace edagen
