#include "nfs_client/nfs_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

namespace edagen {
namespace {

boost::asio::ip::address address_of(const std::string& text) {
  return text.empty() ? boost::asio::ip::address() : boost::asio::ip::make_address(text);
}

}  // namespace

NfsIdentity::NfsIdentity(const NfsServer& server, std::size_t server_number, std::uint64_t client,
                         const std::string& source, std::size_t handle_bytes)
    : server_(server),
      server_number_(server_number),
      client_(client),
      source_(address_of(source)),
      handles_(handle_bytes, server.settings.trusted_time.has_value()),
      counters_(std::max(1u, server.settings.nconnect)) {}

RpcConnectionSettings NfsIdentity::settings(Nanos retransmit_after) const {
  const NfsSettings& url = server_.settings;
  RpcConnectionSettings settings;
  settings.server = {boost::asio::ip::make_address(server_.address), server_.port};
  settings.source = source_;
  settings.reserved_port = url.reserved_ports;
  settings.program = nfs3_program;
  settings.credential = RpcCredential(
      {.machine = fmt::format("edagen-{}", client_), .uid = url.uid, .gid = url.gid, .groups = url.groups});
  settings.slots = url.slots;
  settings.timeout = retransmit_after;
  return settings;
}

void NfsIdentity::connect(RpcLoop& loop, Nanos retransmit_after) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    connections_.push_back(std::make_unique<RpcConnection>(loop, settings(retransmit_after)));
    connections_.back()->connect();
  }
}

bool NfsIdentity::is_connected() const {
  return std::ranges::all_of(connections_, [](const auto& connection) { return connection->is_connected(); });
}

ConnectErrorText NfsIdentity::connect_error() const {
  for (const auto& connection : connections_)
    if (!connection->is_connected() && connection->last_error() != 0)
      return connect_error_text(connection->last_error(), connection->settings());
  return connect_error_text(ETIMEDOUT, connections_.front()->settings());
}

void NfsIdentity::disconnect() {
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    publish(i);
    before_.resize(connections_.size());
    RpcConnectionCounters& before = before_[i];
    const RpcConnectionCounters& ended = connections_[i]->counters();
    before.sends += ended.sends;
    before.receives += ended.receives;
    before.connects += ended.connects;
    before.backlog += ended.backlog;
    before.requests_in_use += ended.requests_in_use;
    before.sending += ended.sending;
  }
  connections_.clear();
}

std::size_t NfsIdentity::call(RpcCall& call) {
  const std::size_t connection = turn_++ % connections_.size();
  connections_[connection]->call(call);
  return connection;
}

TransportCounters NfsIdentity::counters(std::size_t connection) const {
  TransportCounters counters = counters_[connection].transport();
  if (!source_.is_unspecified()) counters.source_address = source_.to_string();
  return counters;
}

void NfsIdentity::publish(std::size_t number) {
  static const RpcConnectionCounters none;
  const RpcConnection& connection = *connections_[number];
  const RpcConnectionCounters& from = connection.counters();
  const RpcConnectionCounters& before = before_.empty() ? none : before_[number];
  ConnectionCounters& to = counters_[number];
  to.sends.set(before.sends + from.sends);
  to.receives.set(before.receives + from.receives);
  to.connects.set(before.connects + from.connects);
  to.backlog.set(before.backlog + from.backlog);
  to.requests_in_use.set(before.requests_in_use + from.requests_in_use);
  to.sending.set(before.sending + from.sending);
  to.source_port.set(connection.local_port());
}

}  // namespace edagen
