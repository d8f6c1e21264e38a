// One call after the other, for set-up: each waits for its reply.
#pragma once

#include <vector>

#include "rpc/rpc_connection.hpp"

namespace edagen {

struct BlockingReply {
  RpcReply reply;  ///< its results are in `results`
  std::vector<std::byte> results;
  bool was_connected = false;  ///< connection_failed: a server was there, and did not answer
};

class BlockingRpc {
 public:
  /// `settings`: timeout is that of the whole call.
  explicit BlockingRpc(RpcConnectionSettings settings);

  /// Arguments by `write`, results of at most `reply_bytes_max`.
  template <class Write>
  BlockingReply call(std::uint32_t procedure, std::size_t reply_bytes_max, Write&& write) {
    std::byte room[2048];
    XdrWriter writer(room);
    write(writer);
    if (!writer.ok()) return {};
    return call(procedure, reply_bytes_max, writer.written());
  }
  BlockingReply call(std::uint32_t procedure, std::size_t reply_bytes_max, ByteSpan arguments);

  const RpcConnectionSettings& settings() const { return connection_.settings(); }

 private:
  RpcLoop loop_;
  Nanos timeout_;
  RpcConnection connection_;
};

}  // namespace edagen
