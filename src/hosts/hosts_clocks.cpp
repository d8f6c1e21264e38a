// The clocks of the others: a question each second, and many before a load.
#include <algorithm>
#include <array>

#include "hosts/hosts.hpp"
#include "hosts/wire.hpp"

namespace edagen {
namespace {

constexpr Nanos beat_every = std::chrono::seconds(1);
constexpr int pings = 12;  ///< for one clock; the fastest counts
constexpr Nanos clock_ages_after = std::chrono::seconds(30);

/// When a ping was sent by the leader's clock and answered by the other one's, and that one's time of day.
using Times = std::array<Nanos, 3>;

Nanos wall_clock() { return std::chrono::system_clock::now().time_since_epoch(); }
Nanos since_epoch(TimePoint at) { return at.time_since_epoch(); }

}  // namespace

void Hosts::beat(TimePoint at) {
  // Also while clocks are measured: the others would take the leader for lost when one of them does not answer.
  if (!leads() || at - last_beat_ < beat_every) return;
  last_beat_ = at;
  ping_all();
}

void Hosts::ping_all() {
  for (int to = 1; to < size_; ++to)
    if (!peers_[static_cast<std::size_t>(to)].lost) ping(to);
}

void Hosts::ping(int rank) { post(rank, Kind::ping, to_wire(Times{since_epoch(now())})); }

void Hosts::answer(int from, const std::string& ping) {
  post(from, Kind::pong, to_wire(Times{from_wire<Times>(ping)[0], since_epoch(now()), wall_clock()}));
}

void Hosts::note_answer(int from, const std::string& pong, TimePoint at) {
  Peer& peer = peers_[static_cast<std::size_t>(from)];
  const auto [sent, answered, wall] = from_wire<Times>(pong);
  const Nanos trip = since_epoch(at) - sent;
  peer.answered = std::max(peer.answered, sent);
  if (trip <= peer.round_trip || at - peer.clock_at > clock_ages_after) {
    peer.round_trip = trip;
    peer.clock = {answered - sent - trip / 2, trip / 2};
    peer.wall_offset = wall - wall_clock() + trip / 2;
    peer.clock_at = at;
  }
  if (synchronizing_ != from) return;
  if (--pings_left_ > 0) {
    ping(synchronizing_);
  } else if (++synchronizing_ < size_) {
    pings_left_ = pings;
    ping(synchronizing_);
  } else {
    synchronizing_ = -1;
  }
}

void Hosts::synchronize() {
  std::unique_lock lock(mutex_);
  if (size_ == 1) return;
  for (Peer& peer : peers_) peer.round_trip = Nanos::max();
  synchronizing_ = 1;
  pings_left_ = pings;
  ping(1);
  to_do_.notify_all();
  came_.wait(lock, [&] { return synchronizing_ < 0 || failure_; });
  synchronizing_ = -1;
}

ClockOffset Hosts::clock(int rank) const {
  if (rank == rank_) return {};
  std::lock_guard lock(mutex_);
  return peers_[static_cast<std::size_t>(rank)].clock;
}

Nanos Hosts::round_trip() const {
  std::lock_guard lock(mutex_);
  Nanos longest{0};
  for (const Peer& peer : peers_)
    if (peer.round_trip != Nanos::max()) longest = std::max(longest, peer.round_trip);
  return longest;
}

Nanos Hosts::wall_clock_offset(int rank) const {
  std::lock_guard lock(mutex_);
  return peers_[static_cast<std::size_t>(rank)].wall_offset;
}

void Hosts::call() {
  {
    std::lock_guard lock(mutex_);
    ping_all();
  }
  to_do_.notify_all();
}

bool Hosts::answered(int rank, TimePoint since) const {
  std::lock_guard lock(mutex_);
  const Peer& peer = peers_[static_cast<std::size_t>(rank)];
  return peer.stopping || peer.answered >= since_epoch(since);
}

}  // namespace edagen
