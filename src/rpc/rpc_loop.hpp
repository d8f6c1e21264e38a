// The event loop of one thread, and the buffers that its connections share.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <vector>

#include "edagen/clock.hpp"
#include "rpc/record_reader.hpp"

namespace edagen {

/// Used by one thread at a time. Connections must not outlive their loop.
class RpcLoop {
 public:
  RpcLoop();
  ~RpcLoop();

  boost::asio::io_context& context() { return context_; }
  /// Handles what is ready. Returns how many handlers ran.
  std::size_t poll();
  /// Waits until something is ready or until `until`, and handles what is ready. Returns how many handlers ran.
  std::size_t run_until(TimePoint until);

 private:
  friend class RpcConnection;

  boost::asio::io_context context_;
  BufferPool pool_;                         ///< for records that come in several reads
  std::unique_ptr<std::byte[]> read_room_;  ///< of read_room_bytes
  std::unique_ptr<std::byte[]> send_room_;  ///< of send_room_bytes
  class Alarm;
  std::unique_ptr<Alarm> alarm_;
};

}  // namespace edagen
