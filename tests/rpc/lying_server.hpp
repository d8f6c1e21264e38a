// An RPC server on loopback, in a thread of its own, that does what its script wants: answers in another order, cuts
// records anywhere, answers calls that nobody made, drops connections, stays silent.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "edagen/clock.hpp"
#include "rpc/xdr.hpp"

namespace edagen::testing {

using ByteVector = std::vector<std::byte>;

/// A call as the server has received it.
struct WireCall {
  std::uint64_t number = 0;  ///< of all calls that the server received, from 0; a retransmission has a new one
  unsigned connection = 0;   ///< of all connections that it accepted, from 0
  std::uint16_t source_port = 0;
  TimePoint received{};  ///< when its last byte came to this host
  std::uint32_t xid = 0, program = 0, version = 0, procedure = 0;
  std::string machine;  ///< of AUTH_SYS
  std::uint32_t uid = 0, gid = 0;
  std::vector<std::uint32_t> groups;
  std::uint32_t flavor = 0;
  ByteVector arguments;
};

/// Whole records without their marks.
ByteVector accepted_reply(std::uint32_t xid, ByteSpan results);
/// accept_stat: 1 PROG_UNAVAIL, 2 PROG_MISMATCH (with low and high), 3 PROC_UNAVAIL, 4 GARBAGE_ARGS, 5 SYSTEM_ERR.
ByteVector unaccepted_reply(std::uint32_t xid, std::uint32_t accept_status, std::uint32_t low = 0,
                            std::uint32_t high = 0);
/// MSG_DENIED with AUTH_ERROR and this auth_stat.
ByteVector denied_reply(std::uint32_t xid, std::uint32_t auth_status);
/// A record with its mark, in fragments of at most `fragment_bytes` (0: one).
ByteVector framed(ByteSpan record, std::size_t fragment_bytes = 0);
/// XDR written by `write`.
ByteVector xdr_bytes(const std::function<void(XdrWriter&)>& write);

class LyingServer {
 public:
  /// What a script may do, in the server's thread.
  class Wire {
   public:
    virtual ~Wire() = default;
    /// Results for a call, in a record of its own.
    virtual void answer(const WireCall& call, ByteSpan results) = 0;
    /// Any bytes on the call's connection, as they are.
    virtual void send(unsigned connection, ByteSpan bytes) = 0;
    /// Bytes after this one on the connection go out in pieces of at most `bytes`, with a pause between them; 0: whole.
    virtual void cut_into(unsigned connection, std::size_t bytes) = 0;
    virtual void close(unsigned connection, bool reset = false) = 0;
    /// The connection is not read until read_on(), so that the client's socket becomes full.
    virtual void stop_reading(unsigned connection) = 0;
    virtual void read_on(unsigned connection) = 0;
    /// Runs `then` in the server's thread at this time: the thread waits actively for the last 60 microseconds, and
    /// reads and writes meanwhile. Tasks of the same time run in the order in which they came.
    virtual void at(TimePoint time, std::function<void(Wire&)> then) = 0;
    void after(Nanos time, std::function<void(Wire&)> then) { at(now() + time, std::move(then)); }
  };
  using Script = std::function<void(Wire&, const WireCall&)>;

  /// Listens on 127.0.0.1 at a free port, or at `port`. The script is called for each call.
  explicit LyingServer(Script script, std::uint16_t port = 0);
  /// The same on another address of loopback (127.0.0.2).
  LyingServer(Script script, const std::string& address, std::uint16_t port);
  ~LyingServer();

  std::uint16_t port() const;
  std::uint64_t calls() const;   ///< received so far
  unsigned connections() const;  ///< accepted so far
  /// Closes all connections and the listening socket; later attempts to connect are refused.
  void stop();
  /// Runs `task` in the server's thread.
  void run(std::function<void(Wire&)> task);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace edagen::testing
