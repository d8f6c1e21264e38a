// How large a dataset may be that nobody gave a size.
#pragma once

#include <string>
#include <vector>

namespace edagen {

/// What a mount shows of its volume.
struct MountSpace {
  std::string volume;     ///< equal for mounts that share their space
  double free_bytes = 0;  ///< when the mount was looked at
};

/// A tenth of the free space of the volume with the least, times the number of volumes. Where others write, the free
/// space of a volume changes from one look to the next, so that the first look counts. A mount with less than half of
/// that is on a smaller volume that could not be told apart, and its look counts instead.
double dataset_budget(const std::vector<MountSpace>& mounts);

}  // namespace edagen
