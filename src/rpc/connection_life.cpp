// The life of a connection: attempts, loss, backing off, giving up.
#include <algorithm>
#include <cerrno>

#include "rpc/guarded_handler.hpp"
#include "rpc/rpc_connection.hpp"
#include "rpc/rpc_socket.hpp"

namespace edagen {
namespace {

constexpr int reserved_port_tries = 512;

bool is_about_the_source(int error) { return error == EADDRINUSE || error == EADDRNOTAVAIL; }

}  // namespace

void RpcConnection::connect() {
  if (state_ == State::idle) begin_attempt();
}

void RpcConnection::close(int error) {
  state_ = State::closed;
  ++epoch_;
  abort();
  attempt_timer_.cancel();
  fail_all(error);
}

void RpcConnection::abort() {
  if (socket_) loop_->sockets().remove(socket_.get(), *this);
  abort_connection(socket_);
}

Nanos RpcConnection::outage_left() const {
  if (!outage_began_ || settings_.give_up == Nanos::max()) return Nanos::max();
  return settings_.give_up - (now() - *outage_began_);
}

void RpcConnection::begin_attempt() {
  state_ = State::connecting;
  if (!outage_began_) outage_began_ = now();
  ++epoch_;
  // A failure is reported from a handler, as all that follows.
  int error = open_socket();
  if (error == 0) error = loop_->sockets().add(socket_.get(), *this);
  const auto ended = [this, epoch = epoch_](int failure) {
    if (epoch == epoch_ && state_ == State::connecting) attempt_ended(failure);
  };
  if (error != 0) {
    attempt_timer_.expires_after(Nanos(0));
    attempt_timer_.async_wait(
        guarded_handler(self_, [ended, error](const boost::system::error_code&) { ended(error); }));
    return;
  }
  const Nanos left = outage_left();
  attempt_timer_.expires_after(left > Nanos(0) ? std::min(left, settings_.timeout) : settings_.timeout);
  attempt_timer_.async_wait(guarded_handler(self_, [ended](const boost::system::error_code& cancelled) {
    if (!cancelled) ended(ETIMEDOUT);
  }));
}

/// From the port that the connection had, so that the server recognises retransmissions; from another one only when the
/// system does not give it back.
int RpcConnection::open_socket() {
  RpcSocketSource source{settings_.source, local_port_, settings_.timeout};
  if (local_port_ != 0) {
    source.address = local_address_;
    const int error = begin_connect(socket_, settings_.server, source);
    if (!is_about_the_source(error)) return error;
    abort_connection(socket_);
    local_port_ = 0;
    source = {settings_.source, 0, settings_.timeout};
  }
  int error = EADDRINUSE;
  for (int tries = settings_.reserved_port ? reserved_port_tries : 1; tries > 0 && is_about_the_source(error);
       --tries) {
    abort_connection(socket_);
    if (settings_.reserved_port) source.port = loop_->next_reserved_port();
    error = begin_connect(socket_, settings_.server, source);
  }
  return error;
}

void RpcConnection::attempt_ended(int error) {
  attempt_timer_.cancel();
  if (error != 0) {
    ++epoch_;
    abort();
    last_error_ = error;
    ++failed_attempts_;
    give_up_in_time();
    try_again();
    report(error);
    return;
  }
  const RpcLoop::Batch batch(*loop_);
  state_ = State::connected;
  last_error_ = 0;
  has_given_up_ = false;
  reader_.reset();
  ++counters_.connects;
  const auto local = local_endpoint(socket_);
  local_address_ = local.address();
  local_port_ = local.port();
  request_flush();
  report(0);
}

/// The first attempt after a loss comes at once, unless the connection was of no use.
void RpcConnection::try_again() {
  state_ = State::backing_off;
  const Nanos left = outage_left();
  attempt_timer_.expires_after(left > Nanos(0) ? std::min(left, backoff_) : backoff_);
  backoff_ = std::clamp(2 * backoff_, settings_.backoff_min, settings_.backoff_max);
  attempt_timer_.async_wait(guarded_handler(self_, [this](const boost::system::error_code& error) {
    if (error || state_ != State::backing_off) return;
    give_up_in_time();
    begin_attempt();
  }));
}

void RpcConnection::give_up_in_time() {
  if (has_given_up_ || failed_attempts_ == 0 || outage_left() > Nanos(0)) return;
  has_given_up_ = true;
  fail_all(last_error_);
}

/// Calls that were sent come before those that were not, in their order.
void RpcConnection::take_back_calls() {
  sent_of_first_ = 0;
  remainder_.clear();
  while (RpcCall* call = sending_.front()) move(*call, sending_, in_flight_, RpcCall::Place::in_flight);
  std::swap(sending_, in_flight_);
  for (RpcCall* call = sending_.front(); call; call = CallList::after(*call)) call->place_ = RpcCall::Place::sending;
}

void RpcConnection::lost(int error) {
  ++epoch_;
  abort();
  reader_.reset();
  waits_until_writable_ = false;
  last_error_ = error;
  take_back_calls();
  if (backoff_ > Nanos(0)) ++failed_attempts_;  // there has been no reply
  if (!outage_began_) outage_began_ = now();
  if (sending_.empty() && waiting_.empty() && counters_.receives > 0) {
    state_ = State::idle;  // the next call connects
    outage_began_.reset();
  } else {
    give_up_in_time();
    try_again();
  }
  report(error);
}

void RpcConnection::report(int error) {
  if (settings_.on_change) settings_.on_change(error);
}

}  // namespace edagen
