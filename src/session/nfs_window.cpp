#include "session/nfs_window.hpp"

#include <algorithm>

#include "nfs/nfs_view.hpp"

namespace edagen {

void NfsWindow::add_to(HostStats& host, const RunStats& window) const {
  if (counted_.empty() || window.length == Nanos(0)) return;
  const std::vector<NfsMountStats> counted = once_per_superblock(counted_);
  const NfsView view = nfs_view(counted, window.length, static_cast<double>(window.ops.operations()));
  double requests = 0;
  for (const NfsMountStats& mount : counted) requests += mount.total().requests;
  host.nfs = HostNfs{.requests = requests,
                     .retransmissions = view.retransmissions,
                     .timeouts = view.timeouts,
                     .in_flight = view.in_flight,
                     .slots = view.slots,
                     .round_trip = view.round_trip,
                     .queue = view.queue,
                     .execute = view.execute};
}

std::vector<NfsMountStats> NfsWindow::counters() const {
  if (mount_points_.empty()) return {};
  std::vector<NfsMountStats> mounts = read_mountstats();
  std::erase_if(mounts, [&](const NfsMountStats& mount) {
    return std::ranges::find(mount_points_, mount.mount_point) == mount_points_.end();
  });
  return mounts;
}

}  // namespace edagen
