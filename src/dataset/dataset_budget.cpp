#include "dataset/dataset_budget.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace edagen {

double dataset_budget(std::vector<MountSpace> mounts, std::uint64_t clients) {
  mounts.resize(std::min<std::uint64_t>(mounts.size(), clients));
  std::map<std::string, double> volumes;
  for (const MountSpace& mount : mounts) {
    double& free = volumes.emplace(mount.volume, mount.free_bytes).first->second;
    if (mount.free_bytes < free / 2) free = mount.free_bytes;
  }
  double least = std::numeric_limits<double>::max();
  for (const auto& [volume, free] : volumes) least = std::min(least, free / 10);
  return volumes.empty() ? 0 : least * static_cast<double>(volumes.size());
}

}  // namespace edagen
