// One NFS client: who it is to the server, its connections, and the file handles that it has.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nfs_client/client_counters.hpp"
#include "nfs_client/handle_cache.hpp"
#include "nfs_client/nfs_settings.hpp"
#include "rpc/connect_error.hpp"

namespace edagen {

/// Used by one thread at a time, but for `counters`.
class NfsIdentity {
 public:
  /// `server` outlives this. `client`: its number in the run; `source`: its local address, empty: any.
  NfsIdentity(const NfsServer& server, std::size_t server_number, std::uint64_t client, const std::string& source,
              std::size_t handle_bytes);

  const NfsServer& server() const { return server_; }
  std::size_t server_number() const { return server_number_; }
  HandleCache& handles() { return handles_; }
  /// The handle of a directory of the dataset's root; empty until a LOOKUP has found it. Procs that share files lie in
  /// the directory of the first sharer's client, so that one client may use several.
  NfsHandle directory(std::string_view name) const {
    const auto found = std::ranges::find(directories_, name, &Directory::first);
    return found == directories_.end() ? NfsHandle() : found->second;
  }
  void set_directory(std::string_view name, const NfsHandle& handle) {
    if (!directory(name)) directories_.emplace_back(name, handle);
  }
  void forget_directories() { directories_.clear(); }

  /// Makes its connections in this loop; they are there when is_connected().
  void connect(RpcLoop& loop, Nanos retransmit_after);
  bool is_connected() const;
  /// Why a connection is not there.
  ConnectErrorText connect_error() const;
  /// Calls that are under way are forgotten.
  void disconnect();

  /// Makes the call on the next connection in turn. Returns the number of the connection.
  std::size_t call(RpcCall& call);
  /// Makes the counters of a connection known to other threads.
  void publish(std::size_t connection);

  std::size_t connections() const { return counters_.size(); }
  TransportCounters counters(std::size_t connection) const;

 private:
  using Directory = std::pair<std::string, NfsHandle>;  ///< by name
  RpcConnectionSettings settings(Nanos retransmit_after) const;

  const NfsServer& server_;
  const std::size_t server_number_;
  const std::uint64_t client_;
  const boost::asio::ip::address source_;
  HandleCache handles_;
  std::vector<Directory> directories_;
  std::vector<std::unique_ptr<RpcConnection>> connections_;
  std::size_t turn_ = 0;
  std::vector<ConnectionCounters> counters_;   ///< by connection
  std::vector<RpcConnectionCounters> before_;  ///< of the connections of earlier loops, once there were any
};

}  // namespace edagen
