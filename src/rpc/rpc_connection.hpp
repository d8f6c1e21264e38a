// One TCP connection of an RPC client: slots, sending many calls at once, matching replies, connecting again.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <optional>

#include "base/descriptor.hpp"
#include "rpc/rpc_call.hpp"
#include "rpc/rpc_loop.hpp"

namespace edagen {

struct RpcConnectionSettings {
  boost::asio::ip::tcp::endpoint server;
  boost::asio::ip::address source;  ///< the local address; unspecified: any
  bool reserved_port = false;       ///< a local port from 512 to 1023, which needs root
  RpcProgram program;
  RpcCredential credential;
  unsigned slots = 128;                               ///< calls in flight, 1 to 65536; others wait
  Nanos timeout = std::chrono::seconds(60);           ///< without a reply: the call is sent again
  Nanos backoff_min = std::chrono::milliseconds(50);  ///< between attempts to connect; each time twice as long
  Nanos backoff_max = std::chrono::seconds(5);
  /// Without a connection for as long as this, calls end as connection_failed, and go on doing so until there is a
  /// connection again. Nanos::max(): they wait for ever, as on a hard mount. 0: the first failed attempt ends them. An
  /// attempt has failed, too, when the new connection is lost without a reply.
  Nanos give_up = Nanos::max();
  /// After each attempt to connect (0 or its errno) and when a connection is lost (its errno; ECONNRESET when the
  /// server has closed it). May be empty. Must not destroy the connection.
  std::function<void(int error)> on_change;
};

/// Since the connection was made. The first six are those of the kernel's mountstats (TransportCounters).
struct RpcConnectionCounters {
  std::int64_t sends = 0;            ///< calls given to the socket, again counted again
  std::int64_t receives = 0;         ///< replies that matched a call
  std::int64_t connects = 0;         ///< connections made
  std::int64_t backlog = 0;          ///< sum of the calls that waited for a slot, one term per send
  std::int64_t requests_in_use = 0;  ///< sum of the calls without a reply, this one too, one term per send
  std::int64_t sending = 0;          ///< sum of the calls with a slot that were not yet sent, one term per send

  std::int64_t unmatched_replies = 0;  ///< for no call: also a second reply after a retransmission
  std::int64_t malformed_replies = 0;
};

/// Used by the thread of its loop alone. All completions come from handlers of the loop.
class RpcConnection final : SocketWatcher {
 public:
  /// Does nothing on the wire until connect() or the first call.
  RpcConnection(RpcLoop& loop, RpcConnectionSettings settings);
  /// Calls that are under way are forgotten, without a completion. Must not be called from a completion.
  ~RpcConnection();
  RpcConnection(const RpcConnection&) = delete;
  RpcConnection& operator=(const RpcConnection&) = delete;

  /// Until there has been a reply, a connection that is lost is made again; later only by the next call.
  void connect();
  /// Makes a call. It is sent when there is a slot for it, together with all others that are made before the loop runs
  /// its next handler, or in the same batch of completions.
  void call(RpcCall& call);
  /// Sends now what can be sent, instead of from the loop's next handler.
  void flush() override;
  /// The call is forgotten without a completion; its reply, if one comes, counts as unmatched.
  void cancel(RpcCall& call);
  /// Closes the connection. Every call that is under way ends as connection_failed with this errno, from a handler of
  /// the loop; later calls, too.
  void close(int error);

  bool is_connected() const { return state_ == State::connected; }
  int last_error() const { return last_error_; }  ///< errno of the last attempt or loss; 0 while all is well
  /// 0 and unspecified before the first connection; kept while there is none.
  std::uint16_t local_port() const { return local_port_; }
  const boost::asio::ip::address& local_address() const { return local_address_; }
  std::size_t waiting() const { return waiting_.size(); }  ///< calls without a slot
  std::size_t in_flight() const {
    return sending_.size() + in_flight_.size();
  }  ///< calls with a slot: sent, or waiting for the socket
  const RpcConnectionCounters& counters() const { return counters_; }
  const RpcConnectionSettings& settings() const { return settings_; }

 private:
  enum class State : std::uint8_t { idle, connecting, connected, backing_off, closed };
  struct Slot {
    RpcCall* call = nullptr;
    std::uint32_t use = 0;  ///< the upper bits of the xid, another number for each call
  };
  class Sink;
  friend class RpcCall;

  // Calls: they wait for a slot, then for the socket, then for their reply.
  void take_slot(RpcCall& call);
  void leave_slot(RpcCall& call);
  void leave_lists(RpcCall& call);
  bool is_half_sent(const RpcCall& call) const;
  void forget(RpcCall& call);
  RpcCall* call_of(std::uint32_t xid) const;
  void end_call(RpcCall& call, const RpcReply& reply);
  void move(RpcCall& call, CallList& from, CallList& to, RpcCall::Place place);
  void fail_later(RpcCall& call);
  void fail_all(int error);
  void complete_failed();

  // The stream.
  std::ptrdiff_t send_batch(std::size_t& offered);
  void account_sent(std::size_t bytes, TimePoint at);
  void ready(std::uint32_t events) override;
  void read(bool to_end);
  void request_flush();
  bool on_record(ByteSpan record);
  bool wants_record(std::uint32_t xid, std::size_t bytes);
  void keep_remainder(const RpcCall& call);
  void watch_for_timeouts();
  void resend_late_calls();

  // The connection's life.
  void begin_attempt();
  int open_socket();
  void abort();
  void attempt_ended(int error);
  void lost(int error);
  void take_back_calls();
  void try_again();
  void give_up_in_time();
  Nanos outage_left() const;
  void report(int error);

  RpcLoop* loop_;
  RpcConnectionSettings settings_;
  RpcConnectionCounters counters_;
  std::shared_ptr<RpcConnection*> self_;  ///< null in it: destroyed; handlers hold it
  Descriptor socket_;
  boost::asio::steady_timer attempt_timer_;  ///< for the next attempt to connect, and for the end of one
  boost::asio::steady_timer reply_timer_;    ///< for calls without a reply
  RecordReader reader_;
  State state_ = State::idle;
  bool to_flush_ = false, waits_until_writable_ = false, reply_timer_is_set_ = false, failing_is_posted_ = false,
       has_given_up_ = false;
  unsigned epoch_ = 0;                ///< handlers of an earlier socket do nothing
  unsigned failed_attempts_ = 0;      ///< since there was a reply
  int last_error_ = 0, failure_ = 0;  ///< failure_: with which `failing_` calls end
  std::uint16_t local_port_ = 0;
  boost::asio::ip::address local_address_;
  Nanos backoff_{0};
  std::optional<TimePoint> outage_began_;

  CallList waiting_, sending_, in_flight_, failing_;
  std::vector<Slot> slots_;
  std::vector<std::uint16_t> free_slots_;
  unsigned slot_bits_ = 0;
  std::size_t sent_of_first_ = 0;     ///< bytes of the first call of `sending_` that are sent
  std::vector<std::byte> remainder_;  ///< of a call that was forgotten in the middle of sending it
  TimePoint received_at_{};           ///< of the bytes that are read
};

}  // namespace edagen
