// The calls of a connection: slots, sending, replies, timeouts.
#include "rpc/rpc_connection.hpp"

#include <algorithm>
#include <bit>
#include <boost/asio/post.hpp>
#include <cerrno>

#include "rpc/guarded_handler.hpp"
#include "rpc/rpc_socket.hpp"
#include "rpc/send_batch.hpp"

namespace edagen {
namespace {

constexpr unsigned most_slots = 65536;
constexpr std::size_t reply_head_bytes_max = 24 + 400;  ///< with the longest verifier
constexpr int reads_at_once = 16;                       ///< of one connection, before others have a turn

}  // namespace

/// What the records of the stream are for.
class RpcConnection::Sink {
 public:
  explicit Sink(RpcConnection& connection) : connection_(connection) {}
  bool wants(std::uint32_t xid, std::size_t bytes) { return connection_.wants_record(xid, bytes); }
  bool record(ByteSpan record) { return connection_.on_record(record); }

 private:
  RpcConnection& connection_;
};

RpcCall::~RpcCall() {
  if (connection_) connection_->forget(*this);
}

RpcConnection::RpcConnection(RpcLoop& loop, RpcConnectionSettings settings)
    : loop_(&loop),
      settings_(std::move(settings)),
      self_(std::make_shared<RpcConnection*>(this)),
      attempt_timer_(loop.context()),
      reply_timer_(loop.context()),
      reader_(loop.pool()) {
  settings_.slots = std::clamp(settings_.slots, 1U, most_slots);
  slot_bits_ = static_cast<unsigned>(std::bit_width(settings_.slots - 1));
}

RpcConnection::~RpcConnection() {
  *self_ = nullptr;
  loop_->forget(*this);
  if (in_flight() > 0) abort();
  else if (socket_) loop_->sockets().remove(socket_.get(), *this);  // it is closed in an orderly way
  for (CallList* list : {&waiting_, &sending_, &in_flight_, &failing_})
    while (RpcCall* call = list->front()) {
      list->remove(*call);
      call->connection_ = nullptr;
      call->place_ = RpcCall::Place::nowhere;
    }
}

// ---- calls

void RpcConnection::call(RpcCall& call) {
  call.queued = now();
  call.first_sent = call.sent = call.received = {};
  call.transmissions = call.timeouts = 0;
  call.sent_bytes = call.received_bytes = 0;
  call.connection_ = this;
  if (state_ == State::closed || has_given_up_) {
    fail_later(call);
    return;
  }
  if (in_flight() < settings_.slots && waiting_.empty()) {
    take_slot(call);
  } else {
    waiting_.push_back(call);
    call.place_ = RpcCall::Place::waiting;
  }
  if (state_ == State::connected) request_flush();
  else if (state_ == State::idle) connect();
}

/// Slots that were free last are used first: their memory is near.
void RpcConnection::take_slot(RpcCall& call) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint16_t>(slots_.size()));
    slots_.push_back({nullptr, loop_->first_xid()});
  }
  const std::uint16_t number = free_slots_.back();
  free_slots_.pop_back();
  Slot& slot = slots_[number];
  slot.call = &call;
  call.xid_ = ++slot.use << slot_bits_ | number;
  sending_.push_back(call);
  call.place_ = RpcCall::Place::sending;
}

void RpcConnection::leave_slot(RpcCall& call) {
  const std::uint32_t number = call.xid_ & ((1U << slot_bits_) - 1);
  slots_[number].call = nullptr;
  free_slots_.push_back(static_cast<std::uint16_t>(number));
  RpcCall* next = waiting_.front();
  if (!next) return;
  waiting_.remove(*next);
  take_slot(*next);
  if (state_ == State::connected) request_flush();
}

RpcCall* RpcConnection::call_of(std::uint32_t xid) const {
  const std::size_t number = xid & ((1U << slot_bits_) - 1);
  RpcCall* call = number < slots_.size() ? slots_[number].call : nullptr;
  return call && call->xid_ == xid && call->transmissions > 0 ? call : nullptr;
}

void RpcConnection::move(RpcCall& call, CallList& from, CallList& to, RpcCall::Place place) {
  from.remove(call);
  to.push_back(call);
  call.place_ = place;
}

/// Out of the lists and the slot.
void RpcConnection::leave_lists(RpcCall& call) {
  const RpcCall::Place place = call.place_;
  call.place_ = RpcCall::Place::nowhere;
  switch (place) {
    case RpcCall::Place::nowhere: return;
    case RpcCall::Place::waiting: waiting_.remove(call); return;
    case RpcCall::Place::failing: failing_.remove(call); return;
    case RpcCall::Place::in_flight: in_flight_.remove(call); break;
    case RpcCall::Place::sending:
      if (is_half_sent(call)) keep_remainder(call);
      sending_.remove(call);
      break;
  }
  leave_slot(call);
}

bool RpcConnection::is_half_sent(const RpcCall& call) const { return &call == sending_.front() && sent_of_first_ > 0; }

/// The call is being destroyed: its arguments may be gone.
void RpcConnection::forget(RpcCall& call) {
  const bool spoils_stream = is_half_sent(call);
  if (spoils_stream) sent_of_first_ = 0;
  cancel(call);
  if (spoils_stream) lost(ECONNABORTED);
}

void RpcConnection::cancel(RpcCall& call) {
  if (call.connection_ != this) return;
  leave_lists(call);
  call.connection_ = nullptr;
}

void RpcConnection::end_call(RpcCall& call, const RpcReply& reply) {
  leave_lists(call);
  call.connection_ = nullptr;
  call.completed(reply);
}

/// The rest of a record that is half sent has to be sent whatever becomes of its call.
void RpcConnection::keep_remainder(const RpcCall& call) {
  SendBatch batch(loop_->send_room());
  batch.add(call, call.xid_, settings_.program, settings_.credential);
  batch.skip(sent_of_first_);
  for (const iovec& part : batch.parts()) {
    const ByteSpan bytes(static_cast<const std::byte*>(part.iov_base), part.iov_len);
    remainder_.insert(remainder_.end(), bytes.begin(), bytes.end());
  }
  sent_of_first_ = 0;
}

// ---- failures

void RpcConnection::fail_later(RpcCall& call) {
  failing_.push_back(call);
  call.place_ = RpcCall::Place::failing;
  if (failing_is_posted_) return;
  failing_is_posted_ = true;
  boost::asio::post(loop_->context(), guarded_handler(self_, [this] { complete_failed(); }));
}

void RpcConnection::fail_all(int error) {
  failure_ = last_error_ = error;
  take_back_calls();
  while (RpcCall* call = sending_.front()) {
    slots_[call->xid_ & ((1U << slot_bits_) - 1)].call = nullptr;
    free_slots_.push_back(static_cast<std::uint16_t>(call->xid_ & ((1U << slot_bits_) - 1)));
    sending_.remove(*call);
    fail_later(*call);
  }
  while (RpcCall* call = waiting_.front()) {
    waiting_.remove(*call);
    fail_later(*call);
  }
}

/// Those that are there now: a call that is made again from its completion fails in the next handler.
void RpcConnection::complete_failed() {
  failing_is_posted_ = false;
  const RpcLoop::Batch batch(*loop_);
  RpcReply reply;
  reply.outcome = RpcOutcome::connection_failed;
  reply.error = failure_;
  for (std::size_t count = failing_.size(); count > 0 && !failing_.empty(); --count) {
    failing_.front()->received = now();
    end_call(*failing_.front(), reply);
  }
}

// ---- sending

void RpcConnection::request_flush() {
  if (to_flush_) return;
  to_flush_ = true;
  loop_->flush_later(*this);
}

void RpcConnection::flush() {
  to_flush_ = false;
  while (state_ == State::connected && !waits_until_writable_ && (!sending_.empty() || !remainder_.empty())) {
    std::size_t offered = 0;
    const TimePoint at = now();  // before send(): on loopback it contains the work of the peer
    const std::ptrdiff_t taken = send_batch(offered);
    if (taken < 0 && taken != -EAGAIN) {
      lost(static_cast<int>(-taken));
      return;
    }
    if (taken > 0) account_sent(static_cast<std::size_t>(taken), at);
    waits_until_writable_ = taken < static_cast<std::ptrdiff_t>(offered);
  }
  watch_for_timeouts();
}

std::ptrdiff_t RpcConnection::send_batch(std::size_t& offered) {
  SendBatch batch(loop_->send_room());
  batch.add_in_place(remainder_);
  const std::size_t skipped = sent_of_first_;  // there is no remainder then
  for (RpcCall* call = sending_.front(); call; call = CallList::after(*call))
    if (!batch.add(*call, call->xid_, settings_.program, settings_.credential)) break;
  batch.skip(skipped);
  offered = batch.bytes();
  return send(socket_, batch.parts());
}

void RpcConnection::account_sent(std::size_t bytes, TimePoint at) {
  const std::size_t of_remainder = std::min(bytes, remainder_.size());
  remainder_.erase(remainder_.begin(), remainder_.begin() + static_cast<std::ptrdiff_t>(of_remainder));
  bytes -= of_remainder;
  while (bytes > 0) {
    RpcCall& call = *sending_.front();
    const std::size_t size = wire_bytes(call, settings_.credential), left = size - sent_of_first_;
    if (bytes < left) {
      sent_of_first_ += bytes;
      return;
    }
    bytes -= left;
    sent_of_first_ = 0;
    counters_.backlog += static_cast<std::int64_t>(waiting_.size());
    counters_.requests_in_use += static_cast<std::int64_t>(in_flight_.size()) + 1;
    counters_.sending += static_cast<std::int64_t>(sending_.size());
    ++counters_.sends;
    if (++call.transmissions == 1) call.first_sent = at;
    call.sent = at;
    call.sent_bytes += size;
    move(call, sending_, in_flight_, RpcCall::Place::in_flight);
  }
}

// ---- replies

void RpcConnection::ready(std::uint32_t events) {
  if (state_ == State::connecting) attempt_ended(connect_result(socket_));
  const bool is_ending = (events & (EPOLLRDHUP | EPOLLERR | EPOLLHUP)) != 0;
  if (state_ == State::connected && (is_ending || (events & EPOLLIN) != 0)) read(is_ending);
  if (state_ == State::connected && waits_until_writable_ && (events & EPOLLOUT) != 0) {
    waits_until_writable_ = false;
    flush();
  }
}

/// Reads until nothing is left, since what is left is not reported again. After a read that has filled less than its
/// room nothing is left but, `to_end`, the end of the stream.
void RpcConnection::read(bool to_end) {
  const RpcLoop::Batch batch(*loop_);
  const std::span<std::byte> shared = loop_->read_room();
  const unsigned epoch = epoch_;
  Sink sink(*this);
  for (int i = 0; i < reads_at_once; ++i) {
    const std::span<std::byte> place = reader_.room();
    std::array<iovec, 2> room{iovec{place.data(), place.size()}, iovec{shared.data(), shared.size()}};
    const RpcReceived received = receive(socket_, std::span(room).subspan(place.empty() ? 1 : 0));
    if (received.error == EAGAIN) return;
    if (received.error != 0) return lost(received.error);
    received_at_ = received.time;
    const std::size_t in_place = std::min(received.bytes, place.size());
    if (in_place > 0 && !reader_.consume_in_place(in_place, sink)) return;
    if (!reader_.consume(shared.first(received.bytes - in_place), sink) || epoch != epoch_) return;
    if (received.bytes < place.size() + shared.size() && !to_end) return;
  }
  boost::asio::post(loop_->context(), guarded_handler(self_, [this, epoch, to_end] {
                      if (epoch == epoch_) read(to_end);
                    }));
}

/// Records that come in pieces are kept when a call has room for them. Returns false for others, which end their call.
bool RpcConnection::wants_record(std::uint32_t xid, std::size_t bytes) {
  RpcCall* call = call_of(xid);
  if (!call) ++counters_.unmatched_replies;
  if (!call || bytes <= call->reply_bytes_max + reply_head_bytes_max) return call != nullptr;
  ++counters_.malformed_replies;
  call->received = received_at_;
  end_call(*call, {});
  return false;
}

/// Returns false when the connection is no longer the one that the record came from.
bool RpcConnection::on_record(ByteSpan record) {
  std::uint32_t xid = 0;
  RpcReply reply = decode_reply(record, xid);
  RpcCall* call = call_of(xid);
  if (!call) {
    ++counters_.unmatched_replies;
    return true;
  }
  backoff_ = Nanos(0);
  failed_attempts_ = 0;
  outage_began_.reset();
  if (record.size() > call->reply_bytes_max + reply_head_bytes_max) reply = {};
  if (reply.outcome == RpcOutcome::malformed_reply) ++counters_.malformed_replies;
  else ++counters_.receives;
  call->received = std::max(received_at_, call->sent);
  call->received_bytes = record.size();
  const unsigned epoch = epoch_;
  end_call(*call, reply);
  return epoch == epoch_;
}

// ---- timeouts

/// Calls in flight are in the order in which they were sent, so that the first one is the oldest.
void RpcConnection::watch_for_timeouts() {
  if (reply_timer_is_set_ || in_flight_.empty()) return;
  reply_timer_is_set_ = true;
  reply_timer_.expires_at(in_flight_.front()->sent + settings_.timeout);
  reply_timer_.async_wait(guarded_handler(self_, [this](const boost::system::error_code& error) {
    reply_timer_is_set_ = false;
    if (!error) resend_late_calls();
  }));
}

void RpcConnection::resend_late_calls() {
  const TimePoint late = now() - settings_.timeout;
  for (RpcCall* call = in_flight_.front(); call && call->sent <= late; call = in_flight_.front()) {
    ++call->timeouts;
    move(*call, in_flight_, sending_, RpcCall::Place::sending);
  }
  flush();
}

}  // namespace edagen
