// The place of a proc of PosixTarget.
#pragma once

#include <string>

#include "dataset/dataset_layout.hpp"

namespace edagen {

/// The place of one proc on a mount.
struct ProcPlace {
  std::string mount;      ///< as the user wrote it
  std::string root_path;  ///< path of the dataset directory, for messages
  int root = -1;          ///< descriptor of the dataset directory, which must outlive the target
  std::string directory;  ///< existing directory of the proc's files, below `root`
  const ProcSpec* spec = nullptr;
  FilePopulation files;
  bool direct_possible = true;  ///< whether O_DIRECT works on this mount
};

}  // namespace edagen
