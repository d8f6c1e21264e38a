#include "nfs/nfs_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

constexpr double slots_per_connection = 128;
constexpr double session_slots = 64;

/// What the mounts of one server address have together with one version of NFS: the kernel's nfs_client
/// (nfs_match_client() in fs/nfs/client.c), which is shared with nosharecache, too.
struct Client {
  bool session = false;                 ///< NFSv4.1 and newer
  std::map<std::string, double> sends;  ///< by connection
};

/// A connection has a source port of its own; where the client does not say it, connections of one nfs_client are
/// printed in one order for all its mounts.
std::string connection_of(const TransportCounters& transport, std::size_t number) {
  return transport.source_port > 0 ? fmt::format("{} port {}", transport.protocol, transport.source_port)
                                   : fmt::format("{} number {}", transport.protocol, number);
}

std::map<std::string, Client> clients_of(const std::vector<NfsMountStats>& mounts) {
  std::map<std::string, Client> clients;
  for (const NfsMountStats& mount : mounts) {
    const std::string version = mount.version();
    const auto option = [&](const char* name) { return option_value(mount.options, name).value_or(""); };
    Client& client = clients[fmt::format("{} {} {} {}", mount.address, option("port"), option("proto"), version)];
    client.session = version.starts_with("4") && version != "4.0" && version != "4";
    for (std::size_t i = 0; i < mount.connections.size(); ++i)
      client.sends.emplace(connection_of(mount.connections[i], i), mount.connections[i].sends);
  }
  return clients;
}

double slots_of(const Client& client) {
  if (client.session) return session_slots;
  return slots_per_connection * static_cast<double>(std::max<std::size_t>(1, client.sends.size()));
}

double imbalance_of(const Client& client) {
  double most = 0, all = 0;
  for (const auto& [connection, sends] : client.sends) {
    most = std::max(most, sends);
    all += sends;
  }
  return all > 0 ? most * static_cast<double>(client.sends.size()) / all : 1;
}

void find(NfsView& view, const std::vector<NfsMountStats>& mounts) {
  const auto add = [&](std::string text) { view.findings.push_back(std::move(text)); };
  if (view.retransmissions > 0 || view.timeouts > 0)
    add(fmt::format("{:.0f} requests were sent again, {:.0f} timed out: look at the network and the server first",
                    view.retransmissions, view.timeouts));
  if (view.in_flight > 0.7 * view.slots)
    add(fmt::format("RPC slots are the limit ({:.0f} of {:.0f} in use): more connections (nconnect), or NFSv3",
                    view.in_flight, view.slots));
  else if (view.queue > 0.3 * view.execute)
    add("requests wait to be sent: more connections (nconnect), or a client with more processors");
  else
    add(view.round_trip > 0.7 * view.execute
            ? "the round trip (network and server) is where the time goes; slots and connections are not the limit"
            : "the client's own handling of RPCs is a good part of the time");
  const bool trusting = !mounts.empty() && std::all_of(mounts.begin(), mounts.end(), [](const NfsMountStats& mount) {
    return has_option(mount.options, "nocto");
  });
  if (view.attribute_share > 0.3 && !trusting)
    add(fmt::format(
        "{:.0f} % of the RPCs look up or check attributes: try nocto,actimeo=600 where stale data is no harm",
        100 * view.attribute_share));
  if (view.imbalance > 1.5)
    add(fmt::format("connections are uneven: the busiest has {:.1f} times its share", view.imbalance));
}

}  // namespace

NfsView nfs_view(const std::vector<NfsMountStats>& counted, Nanos length, double operations) {
  NfsView view;
  RpcCounters all;
  double attributes = 0;
  for (const NfsMountStats& mount : counted) {
    all += mount.total();
    for (const char* const name : {"GETATTR", "ACCESS", "LOOKUP"})
      if (const auto rpc = mount.rpcs.find(name); rpc != mount.rpcs.end()) attributes += rpc->second.requests;
  }
  for (const auto& [name, client] : clients_of(counted)) {
    view.slots += slots_of(client);
    view.connections += client.sends.size();
    view.imbalance = std::max(view.imbalance, imbalance_of(client));
  }
  if (all.requests <= 0) return view;
  view.rpcs_per_op = operations > 0 ? all.requests / operations : 0;
  view.round_trip = all.round_trip / all.requests;
  view.queue = all.queue / all.requests;
  view.execute = all.execute / all.requests;
  view.in_flight = all.execute / length;
  view.attribute_share = attributes / all.requests;
  view.retransmissions = std::max(0.0, all.transmissions - all.requests);
  view.timeouts = all.timeouts;
  find(view, counted);
  return view;
}

}  // namespace edagen
