#include "nfs/nfs_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "edagen/nfs_url.hpp"
#include "edagen/units.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

constexpr double full_share = 0.7;             ///< of its slots in use: a table is taken for full
constexpr double queue_share = 0.3;            ///< of the time of RPCs: the queue is where much of it goes
constexpr double least_explained_share = 0.7;  ///< of the service: below it RPCs do not explain it
constexpr double least_client_share = 0.03;    ///< of the time of all RPCs: a shorter queue does not matter
constexpr double least_sends = 20;             ///< of a connection on average: with fewer an imbalance is chance

/// What the mounts of one server address have together with one version of NFS: the kernel's nfs_client
/// (nfs_match_client() in fs/nfs/client.c), which is shared with nosharecache, too.
struct Client {
  std::string server;
  bool has_session = false, is_of_url = false;
  double session_slots = 0, connection_slots = 0;
  std::map<std::string, TransportCounters> connections;
  RpcCounters total;

  /// The sum of one counter over all connections.
  double sum(Counter TransportCounters::*field) const {
    double all = 0;
    for (const auto& [name, connection] : connections) all += static_cast<double>(connection.*field);
    return all;
  }
  /// RPCs that wait for the connection itself: the mean length of its queue when an RPC is sent.
  double sending() const {
    const double sends = sum(&TransportCounters::sends);
    return sends > 0 ? sum(&TransportCounters::sending) / sends : 0;
  }
  /// Connections made anew. Those of a mount that is new itself had to be made once.
  double reconnects() const {
    const auto made_once =
        std::ranges::count_if(connections, [](const auto& each) { return each.second.made_in_window; });
    return std::max(0.0, sum(&TransportCounters::reconnects) - static_cast<double>(made_once));
  }
  std::string protocol() const { return connections.empty() ? "" : connections.begin()->second.protocol; }
  bool queues() const { return total.queue() > queue_share * total.execute(); }
};

/// The connections of a mount by names that are the same for all mounts of one nfs_client: by source port and, as those
/// to several addresses may share one, by their number on it. Where the client does not say the port, connections are
/// printed in one order for all mounts.
std::vector<std::string> connection_names(const std::vector<TransportCounters>& connections) {
  std::vector<std::string> names;
  std::map<std::string, int> met;
  for (const TransportCounters& each : connections) {
    const std::string port = fmt::format("{} {} port {}", each.protocol, each.source_address, each.source_port);
    names.push_back(fmt::format("{} number {}", port, met[port]++));
  }
  return names;
}

std::vector<Client> clients_of(const std::vector<NfsMountStats>& mounts) {
  std::map<std::string, Client> clients;
  for (const NfsMountStats& mount : mounts) {
    const auto option = [&](const char* name) { return option_value(mount.options, name).value_or(""); };
    Client& client =
        clients[fmt::format("{} {} {} {}", mount.address, option("port"), option("proto"), mount.version())];
    client.server = mount.address;
    client.has_session = mount.has_session;
    client.is_of_url = is_nfs_url(mount.mount_point);
    client.session_slots = mount.session_slots;
    client.connection_slots = mount.connection_slots;
    client.total += mount.total();
    const std::vector<std::string> names = connection_names(mount.connections);
    for (std::size_t i = 0; i < names.size(); ++i) client.connections.emplace(names[i], mount.connections[i]);
  }
  std::vector<Client> all;
  for (auto& [name, client] : clients) all.push_back(std::move(client));
  return all;
}

SlotFigures table_of(const Client& client, double slots, double held, double queued) {
  return {.server = client.server,
          .of_session = client.has_session,
          .rpcs_in_flight = std::min(held, slots),
          .rpcs_waiting = queued + std::max(0.0, held - slots),
          .rpc_slots = slots};
}

/// The table of a session, or a table for each connection. A connection holds a part of the client's `held` RPCs in
/// proportion to the mean number that were in use when another one was sent. Where that is less than one, or the kernel
/// does not count it, the requests that it sent decide.
std::vector<SlotFigures> slot_tables(const Client& client, Nanos length) {
  const double queued = client.total.queue() / length;
  const double held = std::max(Millis(0), client.total.execute() - client.total.queue()) / length;
  if (client.has_session) return {table_of(client, client.session_slots, held, queued)};
  const bool in_use_known = client.sum(&TransportCounters::requests_in_use) > 0;
  const double all_sends = client.sum(&TransportCounters::sends);
  const auto weight = [&](const TransportCounters& connection) {
    const auto sends = static_cast<double>(connection.sends);
    if (!in_use_known || sends <= 0 || held <= 0) return sends;
    const double others_in_use = static_cast<double>(connection.requests_in_use) / sends - 1;
    return std::max(others_in_use, std::min(1.0, held * sends / all_sends));
  };
  double all = 0;
  for (const auto& [name, connection] : client.connections) all += weight(connection);
  if (all <= 0) {
    const auto connections = static_cast<double>(std::max<std::size_t>(1, client.connections.size()));
    return {table_of(client, client.connection_slots * connections, held, queued)};
  }
  std::vector<SlotFigures> tables;
  for (const auto& [name, connection] : client.connections) {
    const double share = weight(connection) / all;
    tables.push_back(table_of(client, client.connection_slots, share * held, share * queued));
  }
  return tables;
}

/// The requests of the busiest connection over the mean of all connections.
double imbalance_of(const Client& client) {
  double most = 0;
  for (const auto& [name, connection] : client.connections)
    most = std::max(most, static_cast<double>(connection.sends));
  const double all = client.sum(&TransportCounters::sends),
               connections = static_cast<double>(client.connections.size());
  return all >= least_sends * connections ? most * connections / all : 1;
}

constexpr const char* more_session_slots =
    "more slots (max_session_slots of the client's nfs module, and of the server), or NFSv3";

/// What gives an nfs_client without a session more requests at once.
std::string more_connections(const Client& client, std::string_view or_else) {
  if (client.is_of_url)
    return fmt::format("more connections (?nconnect=), more RPCs on each (?slots=), or {}", or_else);
  constexpr std::size_t most_of_address = 16;  // nfs(5)
  if (client.protocol() == "udp") return "TCP: UDP has one connection alone";
  if (client.connections.size() >= most_of_address) return "more server addresses: 16 connections are the most to one";
  return fmt::format("more connections (nconnect), or {}", or_else);
}

std::string full_text(const Client& client, const SlotFigures& table) {
  const std::string used =
      fmt::format("slots are the limit ({:.0f} of {:.0f} in use) at {}{}", table.rpcs_in_flight, table.rpc_slots,
                  table.server, table.rpcs_waiting >= 1 ? fmt::format(", {:.0f} RPCs wait", table.rpcs_waiting) : "");
  return table.of_session ? fmt::format("the session's RPC {}: {}", used, more_session_slots)
                          : fmt::format("RPC {}: {}", used, more_connections(client, "more server addresses"));
}

std::string queue_text(const Client& client, Nanos length) {
  const double waiting = client.total.queue() / length;
  if (client.has_session && client.sending() < waiting / 2)
    return fmt::format("requests to {} wait for a slot of the session: {}", client.server, more_session_slots);
  return fmt::format("requests to {} wait to be sent: {}", client.server,
                     more_connections(client, "a client with more processors"));
}

/// The client whose queue costs most; nullptr when no queue matters.
const Client* longest_queue(const std::vector<Client>& clients, const RpcCounters& all) {
  const Client* longest = nullptr;
  for (const Client& client : clients)
    if (client.queues() && client.total.queue() > least_client_share * all.execute() &&
        (longest == nullptr || client.total.queue() > longest->total.queue()))
      longest = &client;
  return longest;
}

double pnfs_operations(const std::vector<NfsMountStats>& mounts) {
  double all = 0;
  for (const NfsMountStats& mount : mounts)
    all += static_cast<double>(mount.pnfs_reads) + static_cast<double>(mount.pnfs_writes);
  return all;
}

/// What the counters leave out.
void find_gaps(NfsView& view, const std::vector<NfsMountStats>& mounts) {
  std::vector<std::string> made;
  for (const NfsMountStats& mount : mounts)
    if (mount.made_in_window) made.push_back(mount.mount_point);
  if (!made.empty())
    view.findings.push_back(
        fmt::format("{} was mounted anew in the window: its RPCs are counted from then on", fmt::join(made, ", ")));
  if (const double operations = pnfs_operations(mounts); operations > 0)
    view.findings.push_back(
        fmt::format("{:.0f} reads and writes went to data servers (pNFS): the RPCs, connections and slots here are the "
                    "metadata server's, as the client does not count those of data servers",
                    operations));
}

/// The mean wait of an op for RPCs that servers put off: each time 5 s, with NFSv4 0.1 s or more.
Millis put_off_wait(const std::vector<NfsMountStats>& mounts, double operations) {
  Millis waits{0};
  for (const NfsMountStats& mount : mounts)
    waits += mount.events.delayed_rpcs * (mount.version().starts_with('4') ? Millis(100) : Millis(5000));
  return operations > 0 ? waits / operations : Millis(0);
}

/// What takes most of the service, and is neither slots nor connections. `waits`: the mean wait of an op for RPCs that
/// the server put off, which is between the RPCs.
std::string service_text(const NfsView& view, const OpTimes& times, Millis waits, bool has_data_servers) {
  // RPCs beside the ops (write-back, read-ahead) may take longer than the ops do.
  const Millis rpcs = view.rpcs_per_op * view.execute;
  if (times.service > Millis(0) && rpcs < least_explained_share * times.service)
    return fmt::format("RPCs take {} of the {} ms of service: the rest is {}", format_millis(rpcs.count()),
                       format_millis(times.service.count()),
                       2 * waits >= times.service - rpcs ? "the wait for RPCs that the server put off"
                                                         : "this host's own work (caches, locks, copies, processors)");
  if (view.round_trip <= 0.7 * view.execute)
    return view.execute - view.round_trip > 2 * view.queue
               ? "the client's own handling of RPCs is a good part of the time"
               : "the queue and the handling of RPCs in the client are a good part of the time";
  return has_data_servers
             ? "the round trip is where the time of the metadata server's RPCs goes"
             : "the round trip (network and server) is where the time goes; slots and connections are not the limit";
}

/// What takes most of the time. The share of edagen's own delay stands at the head of a result and in its latencies.
std::string time_text(const NfsView& view, const OpTimes& times, Millis waits, bool has_data_servers) {
  std::string service = service_text(view, times, waits, has_data_servers);
  if (times.own_delay_share == 0) return service;
  if (times.own_delay_share < 0.5) return "beside edagen's own delay, " + service;
  return "most of the response is edagen's own delay, before the first RPC of an op: the RPCs are not where to begin";
}

/// What clients had to do again or in parts.
void find_events(NfsView& view) {
  const NfsEvents& events = view.events;
  const auto add = [&](double count, const std::string& finding) {
    if (count > 0) view.findings.push_back(finding);
  };
  const auto number = [](double count, std::string_view what) {
    return counted(static_cast<std::uint64_t>(count), what);
  };
  add(view.reconnects, number(view.reconnects, "connection") + " made anew: look at the network and the server first");
  add(events.delayed_rpcs,
      fmt::format("the server put off {} (JUKEBOX): an op waits 5 s each time, with NFSv4 (DELAY) from 0.1 to 15 s",
                  number(events.delayed_rpcs, "RPC")));
  add(events.verifier_changes.value_or(0),
      fmt::format("the server lost data that were not committed, as a restart does: {} written again",
                  format_bytes(static_cast<Bytes>(events.rewritten_bytes.value_or(0)))));
  add(events.stale_handles.value_or(0),
      fmt::format("a file handle had gone stale for {}, with names looked up again: do others change the files?",
                  number(events.stale_handles.value_or(0), "op")));
  add(events.repeated_changes.value_or(0),
      fmt::format("{} sent again after a lost reply: no error", number(events.repeated_changes.value_or(0), "change")));
  add(events.short_reads,
      fmt::format("{} with fewer bytes than requested, and further ones for the rest: try a smaller rsize",
                  number(events.short_reads, "READ")));
  add(events.short_writes, fmt::format("{} taken in part, and further ones for the rest: try a smaller wsize",
                                       number(events.short_writes, "WRITE")));
}

/// Options with which the mounts need fewer RPCs for names and attributes; empty: they have them.
std::string fewer_attribute_rpcs(const std::vector<NfsMountStats>& mounts) {
  const auto is_any = [&](auto&& is_so) {
    return std::ranges::any_of(mounts, [&](const NfsMountStats& mount) { return is_so(mount.options); });
  };
  if (std::ranges::any_of(mounts, is_nfs_url, &NfsMountStats::mount_point)) return "?attributes=600";
  if (is_any([](const std::string& options) { return has_option(options, "noac"); })) return "actimeo=600 without noac";
  for (const char* const time : {"acregmin", "acregmax", "acdirmin", "acdirmax"})
    if (is_any([&](const std::string& options) { return option_number(options, time) == 0; })) return "actimeo=600";
  if (is_any([](const std::string& options) { return option_value(options, "lookupcache") == "none"; }))
    return "lookupcache=all";
  const bool is_checked = is_any([](const std::string& options) { return !has_option(options, "nocto"); });
  return is_checked ? "nocto,actimeo=600" : "";
}

/// `fullest`: the client with the view's fullest slots; nullptr where there is none.
void find(NfsView& view, const std::vector<NfsMountStats>& mounts, const std::vector<Client>& clients,
          const Client* fullest, const RpcCounters& all, Nanos length, double operations, const OpTimes& times) {
  const auto add = [&](std::string text) { view.findings.push_back(std::move(text)); };
  find_gaps(view, mounts);
  if (view.retransmissions > 0 || view.timeouts > 0)
    add(fmt::format("{} sent again, {:.0f} timed out: look at the network and the server first",
                    counted(static_cast<std::uint64_t>(view.retransmissions), "request"), view.timeouts));
  find_events(view);
  if (fullest != nullptr && view.fullest_slots.rpcs_in_flight > full_share * view.fullest_slots.rpc_slots)
    add(full_text(*fullest, view.fullest_slots));
  else if (const Client* const client = longest_queue(clients, all)) add(queue_text(*client, length));
  else add(time_text(view, times, put_off_wait(mounts, operations), pnfs_operations(mounts) > 0));
  if (const std::string options = fewer_attribute_rpcs(mounts); view.attribute_share > 0.3 && !options.empty())
    add(fmt::format("{:.0f} % of the RPCs look up or check attributes: try {} where stale data is no harm",
                    100 * view.attribute_share, options));
  double imbalance = 1;
  for (const Client& client : clients) imbalance = std::max(imbalance, imbalance_of(client));
  if (imbalance > 1.5) add(fmt::format("connections are uneven: the busiest has {:.1f} times its share", imbalance));
}

}  // namespace

NfsView nfs_view(const std::vector<NfsMountStats>& counted, Nanos length, double operations, const OpTimes& times) {
  NfsView view;
  RpcCounters all;
  double attributes = 0;
  for (const NfsMountStats& mount : counted) {
    all += mount.total();
    view.events += mount.events;
    for (const char* const name : {"GETATTR", "ACCESS", "LOOKUP"})
      if (const auto rpc = mount.rpcs.find(name); rpc != mount.rpcs.end())
        attributes += static_cast<double>(rpc->second.requests);
  }
  const std::vector<Client> clients = clients_of(counted);
  const Client* fullest = nullptr;
  for (const Client& client : clients) {
    view.connections += client.connections.size();
    view.reconnects += client.reconnects();
    for (const SlotFigures& table : slot_tables(client, length)) {
      view.rpc_slots += table.rpc_slots;
      view.rpcs_in_flight += table.rpcs_in_flight;
      view.rpcs_waiting += table.rpcs_waiting;
      if (table.rpcs_in_flight * view.fullest_slots.rpc_slots >= view.fullest_slots.rpcs_in_flight * table.rpc_slots)
        view.fullest_slots = table, fullest = &client;
    }
  }
  if (all.requests <= 0) {
    find_gaps(view, counted);
    find_events(view);
    return view;
  }
  const auto requests = static_cast<double>(all.requests);
  view.rpcs_per_op = operations > 0 ? requests / operations : 0;
  view.round_trip = all.round_trip() / requests;
  view.queue = all.queue() / requests;
  view.execute = all.execute() / requests;
  view.attribute_share = attributes / requests;
  view.retransmissions = std::max(0.0, static_cast<double>(all.transmissions) - requests);
  view.timeouts = static_cast<double>(all.timeouts);
  find(view, counted, clients, fullest, all, length, operations, times);
  return view;
}

}  // namespace edagen
