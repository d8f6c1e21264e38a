// What the Linux NFS client counts for each mount: /proc/self/mountstats, statvers 1.0 and 1.1.
// Field meanings: fs/nfs/super.c, net/sunrpc/stats.c and net/sunrpc/xprtsock.c, xprtrdma/transport.c of the kernel.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/parts/nfs_events.hpp"
#include "nfs/mount_info.hpp"

namespace edagen {

/// The kernel prints counters as 64 bits without a sign. Sums of times can go below zero, and are then printed as
/// numbers near 2^64: read with a sign, they and their differences are right.
using Counter = std::int64_t;

/// Counters of one kind of RPC since the mount was made. Times are sums over all requests: the kernel's in whole
/// milliseconds.
struct RpcCounters {
  Counter requests = 0;
  Counter transmissions = 0;  ///< more than requests: some were sent again
  Counter timeouts = 0;       ///< "major" ones
  Counter bytes_sent = 0, bytes_received = 0;
  double queue_ms = 0;       ///< until it was sent; in the wait for a slot, too
  double round_trip_ms = 0;  ///< from then to the reply
  double execute_ms = 0;     ///< from the call to its end
  Counter errors = 0;        ///< kernel 5.3 and newer

  /// 0 where the sum is below.
  Millis queue() const { return time(queue_ms); }
  Millis round_trip() const { return time(round_trip_ms); }
  Millis execute() const { return time(execute_ms); }

  RpcCounters& operator+=(const RpcCounters& other);
  RpcCounters& operator-=(const RpcCounters& other);

 private:
  static Millis time(double sum) { return Millis(sum > 0 ? sum : 0); }
};

/// One connection (nconnect) of a mount. Mounts of one server address share theirs, whatever else they share.
struct TransportCounters {
  std::string protocol;             ///< tcp, udp, rdma, local
  std::string source_address = {};  ///< empty: the client does not say
  unsigned source_port = 0;         ///< 0: the client does not say
  Counter sends = 0, receives = 0;
  Counter reconnects = 0;       ///< connections made
  Counter backlog = 0;          ///< sum of the lengths of the queue for slots, one term per send
  Counter requests_in_use = 0;  ///< sum of the requests without a reply, one term per send
  Counter sending = 0;          ///< sum of the lengths of the queue for the connection, one term per send
  bool made_in_window = false;  ///< of a difference(): together with its mount
};

struct NfsMountStats {
  std::string source, mount_point, fstype;
  std::string device;                         ///< of its superblock, "major:minor"; empty: unknown
  std::string address;                        ///< of its server; as in `source` when no other is known
  std::string options;                        ///< comma-separated
  std::optional<std::chrono::seconds> age;    ///< since the superblock was made
  TimePoint read_at{};                        ///< when the counters were read
  Counter read_bytes = 0, written_bytes = 0;  ///< from and to the server
  bool has_session = false;                   ///< NFSv4.1 and newer
  double connection_slots = 128;              ///< most requests at once on one connection
  double session_slots = 64;                  ///< that the client requests, for all connections of a session together
  Counter pnfs_reads = 0, pnfs_writes = 0;    ///< went to data servers, whose RPCs are counted nowhere
  NfsEvents events = {};
  std::vector<TransportCounters> connections;
  std::map<std::string, RpcCounters> rpcs;  ///< by the kernel's name: GETATTR, READ, ...

  std::vector<std::string> also_mounted_on;  ///< other mount points of the same superblock, with the same counters
  bool is_hidden = false;                    ///< by a mount on the same directory or further up
  std::size_t hidden_below = 0;              ///< mounts on the same directory that this one hides
  bool made_in_window = false;               ///< of a difference(): all that was counted since it was mounted

  /// "3", "4.1", ...; empty when the options do not say.
  std::string version() const;
  RpcCounters total() const;
};

/// NFS mounts only. Lines that cannot be read, and a text that ends early, give what is there.
std::vector<NfsMountStats> parse_mountstats(std::string_view text);

/// Adds what the mount table holds of each mount: its device, its address, and whether it is hidden. Mounts of one
/// point stand in the same order in both texts.
void add_mount_table(std::vector<NfsMountStats>& mounts, const std::vector<MountInfo>& table);

/// Connections have no more slots than the client gives them: sunrpc.tcp_max_slot_table_entries and the like, as they
/// are now.
void limit_slots(std::vector<NfsMountStats>& mounts, const std::string& sysctls = "/proc/sys");

/// The mounts of this process's name space, with what the mount table adds; empty where the kernel has no such file.
std::vector<NfsMountStats> read_mountstats();

/// Those that a path can lead to: of mounts stacked on one directory the uppermost.
std::vector<NfsMountStats> in_force(std::vector<NfsMountStats> mounts);

/// The kernel counts for a superblock, and prints the same counters for each of its mount points: the first of them is
/// left, which names the others.
std::vector<NfsMountStats> once_per_superblock(std::vector<NfsMountStats> mounts);

/// What was counted between two readings, in the order of `after`. The n-th mount of a point is the n-th in both. All
/// counters of a mount count that was made in between, as its age shows or else a count of requests that went back, but
/// of its connections only what was added if they are older; one that was not there before and is older than that is
/// left out.
std::vector<NfsMountStats> difference(const std::vector<NfsMountStats>& before,
                                      const std::vector<NfsMountStats>& after);

}  // namespace edagen
