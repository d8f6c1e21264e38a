// Why an NFS run is as fast as it is: RPCs per op, where their time goes, and what limits them, by Little's law.
#pragma once

#include <vector>

#include "edagen/parts/nfs_figures.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

/// Where the time of the ops went.
struct OpTimes {
  Millis service{0};           ///< mean; 0: not known
  double own_delay_share = 0;  ///< of the response, before an op begins: edagen's own; 0: none that matters
};

/// The figures of all mounts of a run together, without those of each.
struct NfsView : NfsFigures {
  double timeouts = 0;
};

/// `counted` is difference(), in_force(), once_per_superblock(), over a window of `length` with `operations` ops.
/// Source of the limits: Azure NetApp Files "Linux concurrency best practices" (128 requests per connection, 64 session
/// slots by default).
NfsView nfs_view(const std::vector<NfsMountStats>& counted, Nanos length, double operations, const OpTimes& times = {});

}  // namespace edagen
