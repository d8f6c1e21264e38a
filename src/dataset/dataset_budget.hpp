// The size of a dataset whose size is not given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace edagen {

/// The volume and the free space that a mount shows.
struct MountSpace {
  std::string volume;     ///< equal for mounts that share their space
  double free_bytes = 0;  ///< at the time of the look
};

/// A tenth of the free space of the fullest volume, times the number of volumes. The free space of a volume changes
/// when others write, so the first look at each volume counts. A mount with less than half of that space is on a
/// smaller volume with the same name, and counts instead. Where there are more mounts than clients, the last ones get
/// no files.
double dataset_budget(std::vector<MountSpace> mounts, std::uint64_t clients);

}  // namespace edagen
