// Why an NFS run is as fast as it is: RPCs per op, where their time goes, and what limits them, by Little's law.
#pragma once

#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

/// All mounts of a run together. Connections and sessions that mounts share are there once.
struct NfsView {
  double rpcs_per_op = 0;
  Millis round_trip{0}, queue{0}, execute{0};  ///< means of an RPC
  double in_flight = 0;                        ///< mean number of RPCs in flight: rate x execute time
  double slots = 0;  ///< that there are: 128 per NFSv3 connection (a server executes no more), 64 of a 4.1 session
  std::size_t connections = 0;
  double imbalance = 1;        ///< the busiest connection's requests over the mean of its server's
  double attribute_share = 0;  ///< of GETATTR, ACCESS and LOOKUP among all RPCs
  double retransmissions = 0, timeouts = 0;
  std::vector<std::string> findings;  ///< what limits, and what to try; most important first
};

/// `counted` is difference(), once_per_superblock(), over a window of `length` with `operations` ops. Sources of the
/// limits: Azure NetApp Files "Linux concurrency best practices" (128 requests per connection, 64 session slots by
/// default).
NfsView nfs_view(const std::vector<NfsMountStats>& counted, Nanos length, double operations);

}  // namespace edagen
