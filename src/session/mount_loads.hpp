// The figures of each client and each mount, and which of them is unlike the others, in sentences.
#pragma once

#include <string>
#include <vector>

#include "edagen/parts/point_figures.hpp"

namespace edagen {

/// A directory that clients work on: client i on the one with the number i mod their number.
struct LoadMount {
  std::string path;                  ///< as given; on several hosts with {host} and {rank} in it
  std::string nfs_mount_point = {};  ///< empty: no NFS
};

ClientFigures client_figures(const ClientStats& stats);
/// The sums of the clients of each of so many mounts.
std::vector<ClientStats> by_mount(const std::vector<ClientStats>& clients, std::size_t mounts);

/// A line for each mount that is slower than the others, with what takes longer there, for each that alone has failed
/// or outstanding ops, and for the slowest clients of the other mounts.
std::vector<std::string> mount_findings(const PointFigures& point);

/// Sets the clients, the mounts and the findings about them. `point` has its other figures. `mounts`: empty for a
/// simulated volume. On several hosts a mount is that of the same number on all of them, and has no RPC times.
void add_mount_loads(PointFigures& point, const RunStats& stats, const std::vector<LoadMount>& mounts);

}  // namespace edagen
