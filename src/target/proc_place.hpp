// Where a proc of PosixTarget works.
#pragma once

#include <string>

#include "dataset/dataset_layout.hpp"

namespace edagen {

/// One proc's place on a mount.
struct ProcPlace {
  std::string mount;      ///< as the user wrote it
  std::string root_path;  ///< of the dataset directory, for messages
  int root = -1;          ///< its descriptor, which outlives the target
  std::string directory;  ///< of the proc, below `root`; exists
  const ProcSpec* spec = nullptr;
  FilePopulation files;
  bool direct_possible = true;  ///< O_DIRECT works on this mount
};

}  // namespace edagen
