// What the Linux NFS client counts for each mount: /proc/self/mountstats, statvers 1.0 and 1.1.
// Field meanings: fs/nfs/super.c, net/sunrpc/stats.c and net/sunrpc/xprtsock.c, xprtrdma/transport.c of the kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

/// Counters of one kind of RPC since the mount was made. Times are sums over all requests.
struct RpcCounters {
  double requests = 0;
  double transmissions = 0;  ///< more than requests: some were sent again
  double timeouts = 0;       ///< "major" ones
  double bytes_sent = 0, bytes_received = 0;
  Millis queue{0};       ///< until it was sent
  Millis round_trip{0};  ///< from then to the reply
  Millis execute{0};     ///< from the call to its end
  double errors = 0;     ///< kernel 5.3 and newer

  RpcCounters& operator+=(const RpcCounters& other);
  RpcCounters& operator-=(const RpcCounters& other);
};

/// One connection (nconnect) of a mount. Mounts of one server address share theirs, whatever else they share.
struct TransportCounters {
  std::string protocol;      ///< tcp, udp, rdma, local
  unsigned source_port = 0;  ///< 0: the client does not say
  double sends = 0, receives = 0;
  double reconnects = 0;       ///< connections made
  double backlog = 0;          ///< sum of the lengths of the queue for slots, one term per send
  double requests_in_use = 0;  ///< sum of slots in use, one term per send
};

struct NfsMountStats {
  std::string source, mount_point, fstype;
  std::string device;                        ///< of its superblock, "major:minor"; empty: unknown
  std::string address;                       ///< of its server; as in `source` when no other is known
  std::string options;                       ///< comma-separated
  double read_bytes = 0, written_bytes = 0;  ///< from and to the server
  std::vector<TransportCounters> connections;
  std::map<std::string, RpcCounters> rpcs;  ///< by the kernel's name: GETATTR, READ, ...

  std::vector<std::string> also_mounted_on;  ///< other mount points of the same superblock, with the same counters

  /// "3", "4.1", ...; empty when the options do not say.
  std::string version() const;
  RpcCounters total() const;
};

/// NFS mounts only. Lines that cannot be read, and a text that ends early, give what is there.
std::vector<NfsMountStats> parse_mountstats(std::string_view text);

/// Of this process's name space, with devices and addresses from mountinfo; empty where there is no such file.
std::vector<NfsMountStats> read_mountstats();

/// The kernel counts for a superblock, and prints the same counters for each of its mount points: the first of them is
/// left, which names the others.
std::vector<NfsMountStats> once_per_superblock(std::vector<NfsMountStats> mounts);

/// What was counted between two readings, for the mounts that are in both, in the order of `after`. A counter that went
/// back (the mount was made anew) counts from zero.
std::vector<NfsMountStats> difference(const std::vector<NfsMountStats>& before,
                                      const std::vector<NfsMountStats>& after);

}  // namespace edagen
