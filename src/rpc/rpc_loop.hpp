// The event loop of one thread, and the buffers that its connections share.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <span>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/parts/random.hpp"
#include "rpc/record_reader.hpp"
#include "rpc/socket_poll.hpp"

namespace edagen {

/// Used by one thread at a time. Connections must not outlive their loop. Others may use context() for timers and the
/// like; from other threads only boost::asio::post() to it is allowed.
class RpcLoop {
 public:
  RpcLoop();
  ~RpcLoop();

  boost::asio::io_context& context() { return context_; }
  /// Handles what is ready. Returns whether there was anything.
  bool poll();
  /// Waits until something is ready, at most until `until`, and handles what is ready. Returns whether there was
  /// anything.
  bool run_until(TimePoint until);

  // For connections.

  /// The connection is flushed at the end of the handler that runs, or else by the next one.
  void flush_later(SocketWatcher& connection);
  void forget(SocketWatcher& connection);
  SocketPoll& sockets() { return sockets_; }
  BufferPool& pool() { return pool_; }
  std::span<std::byte> read_room() { return read_room_; }
  std::span<std::byte> send_room() { return send_room_; }
  /// Where the xids of a slot begin: not where those of an earlier run did, from the same port.
  std::uint32_t first_xid() { return static_cast<std::uint32_t>(random_.next()); }
  /// From 512 to 1023, another one each time.
  std::uint16_t next_reserved_port();

  /// A handler that completes calls: connections are flushed at its end.
  class Batch {
   public:
    explicit Batch(RpcLoop& loop) : loop_(loop) { ++loop_.batches_; }
    ~Batch() {
      if (--loop_.batches_ == 0) loop_.flush_all();
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

   private:
    RpcLoop& loop_;
  };

 private:
  void flush_all();

  boost::asio::io_context context_;
  SocketPoll sockets_;
  boost::asio::steady_timer alarm_;
  TimePoint alarm_at_ = TimePoint::max();
  BufferPool pool_;
  std::vector<std::byte> read_room_, send_room_;
  std::vector<SocketWatcher*> to_flush_;
  unsigned batches_ = 0;
  bool flush_is_posted_ = false;
  Random random_;
  std::uint16_t reserved_port_;
};

}  // namespace edagen
