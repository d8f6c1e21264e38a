// A call, which its caller owns from before it is made until it has completed: nothing is allocated for it.
#pragma once

#include "edagen/clock.hpp"
#include "rpc/rpc_message.hpp"

namespace edagen {

class RpcConnection;

class RpcCall {
 public:
  RpcCall() = default;
  RpcCall(const RpcCall&) = delete;
  RpcCall& operator=(const RpcCall&) = delete;
  /// A call that is under way should have been cancelled, while what it refers to was still there. When it was not, it
  /// is forgotten; one that is half sent then costs the connection, which is made again.
  virtual ~RpcCall();

  /// The call has ended. It may be made again, here already; it may be destroyed. `reply.results` are valid until this
  /// returns. Called from handlers of the connection's loop, never from RpcConnection::call().
  virtual void completed(const RpcReply& reply) = 0;

  // Set by the caller before RpcConnection::call(); what the spans refer to stays as it is until the call has
  // completed, since it may be sent again.
  std::uint32_t procedure = 0;
  ByteSpan arguments;                  ///< in XDR
  ByteSpan data;                       ///< opaque bytes at the end of the arguments (WRITE), without their padding
  std::size_t reply_bytes_max = 1024;  ///< of the results; a longer reply is malformed

  // Set by the connection.
  TimePoint queued{};               ///< given to the connection
  TimePoint sent{};                 ///< just before the send() that took its last byte; of the last transmission
  TimePoint first_sent{};           ///< the same of the first transmission
  TimePoint received{};             ///< when the kernel received its reply (all of it), else when that was read; when
                                    ///< its connection was given up
  std::uint32_t timeouts = 0;       ///< so often it had no reply in time
  std::uint32_t transmissions = 0;  ///< more than 1: sent again
  std::size_t sent_bytes = 0, received_bytes = 0;  ///< of all transmissions with record marks; of the reply without

  /// The wait for a slot and for the socket. 0 for a call that was never sent.
  Nanos queue_time() const { return first_sent > queued ? first_sent - queued : Nanos(0); }
  /// From the first transmission to the reply: what is lost on the way, and how long a server is silent, is no wait in
  /// the client. 0 for a call that was never sent.
  Nanos round_trip() const { return transmissions > 0 && received > first_sent ? received - first_sent : Nanos(0); }
  bool is_under_way() const { return connection_ != nullptr; }

 private:
  friend class RpcConnection;
  friend class CallList;
  enum class Place : std::uint8_t { nowhere, waiting, sending, in_flight, failing };

  RpcConnection* connection_ = nullptr;
  RpcCall *previous_ = nullptr, *next_ = nullptr;  ///< in the list that `place_` names
  std::uint32_t xid_ = 0;
  Place place_ = Place::nowhere;
};

/// Calls in the order in which they came, linked through themselves.
class CallList {
 public:
  bool empty() const { return !first_; }
  std::size_t size() const { return size_; }
  RpcCall* front() const { return first_; }
  static RpcCall* after(const RpcCall& call) { return call.next_; }
  void push_back(RpcCall& call) {
    call.previous_ = last_;
    call.next_ = nullptr;
    (last_ ? last_->next_ : first_) = &call;
    last_ = &call;
    ++size_;
  }
  void remove(RpcCall& call) {
    (call.previous_ ? call.previous_->next_ : first_) = call.next_;
    (call.next_ ? call.next_->previous_ : last_) = call.previous_;
    call.previous_ = call.next_ = nullptr;
    --size_;
  }

 private:
  RpcCall *first_ = nullptr, *last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace edagen
