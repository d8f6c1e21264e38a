// The place of a proc of NfsTarget.
#pragma once

#include <string>

#include "edagen/file_population.hpp"

namespace edagen {

/// The place of one proc on a server.
struct NfsPlace {
  std::size_t server = 0;    ///< index into the servers
  std::uint64_t client = 0;  ///< number of its client among all clients of the run, on all hosts: the identity
  std::string directory;     ///< existing directory of the proc's files, below the dataset directory
  const ProcSpec* spec = nullptr;
  FilePopulation files;
};

}  // namespace edagen
