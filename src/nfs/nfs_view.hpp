// Why an NFS run is as fast as it is: RPCs per op, where their time goes, and what limits them, by Little's law.
#pragma once

#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

/// What bounds the number of RPCs that are carried out at once: 128 of each connection (a server executes no more), and
/// those of a session (NFSv4.1 and newer), which all of its connections share.
struct SlotTable {
  std::string server;
  bool of_session = false;
  double slots = 0;
  double in_use = 0;   ///< mean number of RPCs that are on their way, at the server or handled after that
  double waiting = 0;  ///< mean number of RPCs that are not sent yet, or that no slot is left for
};

/// Where the time of the ops went.
struct OpTimes {
  Millis service{0};           ///< mean; 0: not known
  double own_delay_share = 0;  ///< of the response, before an op begins: edagen's own; 0: none that matters
};

/// All mounts of a run together. Connections and sessions that mounts share are there once.
struct NfsView {
  double rpcs_per_op = 0;
  Millis round_trip{0}, queue{0}, execute{0};  ///< means of an RPC
  double in_flight = 0, waiting = 0;           ///< of all slot tables; by Little's law rate x execute time together
  double slots = 0;                            ///< of all slot tables
  SlotTable fullest;                           ///< the one with the largest part of its slots in use
  std::size_t connections = 0;
  double imbalance = 1;        ///< the busiest connection's requests over the mean of its server's
  double attribute_share = 0;  ///< of GETATTR, ACCESS and LOOKUP among all RPCs
  double retransmissions = 0, timeouts = 0, reconnects = 0;
  NfsEvents events = {};
  std::vector<std::string> findings;  ///< what limits, and what to try; most important first
};

/// `counted` is difference(), in_force(), once_per_superblock(), over a window of `length` with `operations` ops.
/// Source of the limits: Azure NetApp Files "Linux concurrency best practices" (128 requests per connection, 64 session
/// slots by default).
NfsView nfs_view(const std::vector<NfsMountStats>& counted, Nanos length, double operations, const OpTimes& times = {});

}  // namespace edagen
