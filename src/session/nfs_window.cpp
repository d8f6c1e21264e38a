#include "session/nfs_window.hpp"

#include <algorithm>

#include "nfs/nfs_view.hpp"

namespace edagen {

void NfsWindow::add_to(HostStats& host, const RunStats& window) const {
  if (counted_.empty() || window.length == Nanos(0)) return;
  const NfsView view = nfs_view(counted_, window.length, static_cast<double>(window.ops.operations()));
  double requests = 0;
  for (const NfsMountStats& mount : counted_) requests += static_cast<double>(mount.total().requests);
  host.nfs = HostNfsFigures{.requests = requests,
                            .retransmissions = view.retransmissions,
                            .timeouts = view.timeouts,
                            .rpcs_per_op = view.rpcs_per_op,
                            .rpcs_in_flight = view.rpcs_in_flight,
                            .rpcs_waiting = view.rpcs_waiting,
                            .rpc_slots = view.rpc_slots,
                            .round_trip = view.round_trip,
                            .queue = view.queue,
                            .execute = view.execute};
}

void NfsWindow::window_began() {
  if (!mount_points_.empty()) before_ = read_();
}

void NfsWindow::window_ended() {
  if (mount_points_.empty()) return;
  counted_ = in_force(difference(before_, read_()));
  std::erase_if(counted_, [&](const NfsMountStats& mount) {
    return std::ranges::find(mount_points_, mount.mount_point) == mount_points_.end();
  });
  counted_ = once_per_superblock(std::move(counted_));
}

}  // namespace edagen
