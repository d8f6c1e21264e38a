#include "rpc/rpc_loop.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <random>

#include "rpc/send_batch.hpp"

namespace edagen {
namespace {

constexpr std::size_t read_room_bytes = std::size_t{64} << 10;
constexpr std::uint16_t first_reserved_port = 512, reserved_port_count = 512;

}  // namespace

// One thread runs the loop, so that its sockets need no locks; handlers may be posted by others.
RpcLoop::RpcLoop()
    : context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      sockets_(context_),
      alarm_(context_),
      read_room_(read_room_bytes),
      send_room_(SendBatch::room_bytes),
      random_(std::random_device()()),
      reserved_port_(static_cast<std::uint16_t>(random_.below(reserved_port_count))) {}

RpcLoop::~RpcLoop() = default;

bool RpcLoop::poll() {
  context_.restart();
  return context_.poll() > 0;
}

/// The context's own waits are rounded up to milliseconds; those of a timer are not.
bool RpcLoop::run_until(TimePoint until) {
  if (until <= now()) return poll();
  if (until < alarm_at_) {
    alarm_at_ = until;
    alarm_.expires_at(until);
    alarm_.async_wait([this](const boost::system::error_code& error) {
      if (!error) alarm_at_ = TimePoint::max();
    });
  }
  context_.restart();
  return context_.run_one() > 0;
}

void RpcLoop::flush_later(SocketWatcher& connection) {
  to_flush_.push_back(&connection);
  if (batches_ > 0 || flush_is_posted_) return;
  flush_is_posted_ = true;
  boost::asio::post(context_, [this] {
    flush_is_posted_ = false;
    flush_all();
  });
}

void RpcLoop::forget(SocketWatcher& connection) {
  std::replace(to_flush_.begin(), to_flush_.end(), &connection, static_cast<SocketWatcher*>(nullptr));
}

void RpcLoop::flush_all() {
  for (std::size_t i = 0; i < to_flush_.size(); ++i)
    if (to_flush_[i]) to_flush_[i]->flush();
  to_flush_.clear();
}

std::uint16_t RpcLoop::next_reserved_port() {
  reserved_port_ = static_cast<std::uint16_t>((reserved_port_ + 1) % reserved_port_count);
  return static_cast<std::uint16_t>(first_reserved_port + reserved_port_);
}

}  // namespace edagen
