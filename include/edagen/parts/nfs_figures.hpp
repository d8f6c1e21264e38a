// What the NFS client counted in the window of a load point.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/parts/fields.hpp"
#include "edagen/parts/nfs_events.hpp"

namespace edagen {

/// The RPCs of one procedure on one mount.
struct RpcFigures {
  double requests = 0, per_op = 0;
  Millis queue{0}, round_trip{0}, execute{0};  ///< means
  double retransmissions = 0, timeouts = 0, errors = 0, bytes_sent = 0, bytes_received = 0;
};
void fields(auto&& visit, Is<RpcFigures> auto& rpc) {
  visit("requests", rpc.requests, {.exact = true});
  visit("per_op", rpc.per_op);
  visit("queue_ms", rpc.queue);
  visit("round_trip_ms", rpc.round_trip);
  visit("execute_ms", rpc.execute);
  visit("retransmissions", rpc.retransmissions, {.exact = true});
  visit("timeouts", rpc.timeouts, {.exact = true});
  visit("errors", rpc.errors, {.exact = true});
  visit("bytes_sent", rpc.bytes_sent, {.exact = true});
  visit("bytes_received", rpc.bytes_received, {.exact = true});
}

struct ConnectionFigures {
  std::string protocol;
  std::uint64_t source_port = 0;
  double requests = 0, reconnects = 0, mean_backlog = 0;
};
void fields(auto&& visit, Is<ConnectionFigures> auto& connection) {
  visit("protocol", connection.protocol);
  visit("source_port", connection.source_port,
        later("equal on mounts of one server that share the connection; 0: the port is not known"));
  visit("requests", connection.requests, {.exact = true});
  visit("reconnects", connection.reconnects, {.exact = true});
  visit("mean_backlog", connection.mean_backlog);
}

struct NfsMountFigures {
  std::string mount_point, source, version;
  std::vector<std::string> also_mounted_on;
  double read_bytes = 0, written_bytes = 0;
  NfsEvents events = {};
  std::vector<ConnectionFigures> connections;
  std::map<std::string, RpcFigures> rpcs;
};
void fields(auto&& visit, Is<NfsMountFigures> auto& mount) {
  visit("mount_point", mount.mount_point);
  visit("also_mounted_on", mount.also_mounted_on,
        later("mount points of the same superblock, whose RPCs these counters hold, too"));
  visit("source", mount.source);
  visit("version", mount.version);
  visit("read_bytes", mount.read_bytes, {.exact = true});
  visit("written_bytes", mount.written_bytes, {.exact = true});
  visit("events", mount.events, later("what the client had to do again or in parts"));
  visit("connections", mount.connections);
  visit("rpcs", mount.rpcs, {.about = "by the kernel's name: GETATTR, READ, ..."});
}

/// What bounds the number of RPCs that are carried out at once: 128 slots of each connection (a server executes no
/// more), and those of a session (NFSv4.1 and newer), which all of its connections share.
struct SlotFigures {
  std::string server;
  bool of_session = false;
  double rpcs_in_flight = 0;  ///< mean number of RPCs that are on their way, at the server or handled after that
  double rpcs_waiting = 0;    ///< mean number of RPCs that are not sent yet, or that no slot is left for
  double rpc_slots = 0;
};
void fields(auto&& visit, Is<SlotFigures> auto& slots) {
  visit("server", slots.server);
  visit("of_session", slots.of_session);
  visit("rpcs_in_flight", slots.rpcs_in_flight);
  visit("rpcs_waiting", slots.rpcs_waiting);
  visit("rpc_slots", slots.rpc_slots, {.exact = true});
}

/// All mounts together and each. Connections and sessions that mounts share are counted once.
struct NfsFigures {
  double rpcs_per_op = 0;
  Millis round_trip{0}, queue{0}, execute{0};  ///< means of an RPC
  /// Sums of all slots; by Little's law the RPCs together are the rate times the execute time.
  double rpcs_in_flight = 0, rpcs_waiting = 0, rpc_slots = 0;
  SlotFigures fullest_slots;  ///< the slots with the largest part of them in use
  std::uint64_t connections = 0;
  double attribute_share = 0;  ///< of GETATTR, ACCESS and LOOKUP among all RPCs
  double retransmissions = 0, reconnects = 0;
  NfsEvents events = {};
  std::vector<std::string> findings;  ///< what limits, and what to try; most important first
  std::vector<NfsMountFigures> mounts;
};
void fields(auto&& visit, Is<NfsFigures> auto& nfs) {
  visit("rpcs_per_op", nfs.rpcs_per_op);
  visit("round_trip_ms", nfs.round_trip);
  visit("queue_ms", nfs.queue);
  visit("execute_ms", nfs.execute);
  visit("rpcs_in_flight", nfs.rpcs_in_flight);
  visit("rpcs_waiting", nfs.rpcs_waiting,
        later("mean number of RPCs that have no slot yet or wait for their connection"));
  visit("rpc_slots", nfs.rpc_slots, {.exact = true});
  visit("fullest_slots", nfs.fullest_slots,
        later("the slots of the connection, or NFSv4.1 session, that has the largest part of them in use"));
  visit("connections", nfs.connections);
  visit("attribute_share", nfs.attribute_share, {.about = "share of GETATTR, ACCESS and LOOKUP among all RPCs"});
  visit("retransmissions", nfs.retransmissions, {.exact = true});
  visit("reconnects", nfs.reconnects,
        {.added_later = true, .exact = true, .about = "connections that were made anew in the window"});
  visit("events", nfs.events, later("what the clients had to do again or in parts, all mounts together"));
  visit("findings", nfs.findings);
  visit("mounts", nfs.mounts);
}

}  // namespace edagen
