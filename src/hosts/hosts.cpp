#include "hosts/hosts.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>

#include "edagen/units.hpp"
#include "hosts/wire.hpp"

namespace edagen {
namespace {

constexpr Nanos beat_every = std::chrono::seconds(1);
/// After a message more are likely, so that sleep is short: a clock is as well known as messages are answered soon. Not
/// none: on a busy machine who does not sleep waits for its next slice of a processor.
constexpr Nanos hot_for = std::chrono::milliseconds(10), hot_wait = std::chrono::microseconds(20);
constexpr Nanos idle_wait = std::chrono::milliseconds(2);
constexpr int pings = 12;  ///< for one clock; the fastest counts
constexpr Nanos clock_ages_after = std::chrono::seconds(30);
constexpr Nanos longest_begin = std::chrono::seconds(50);  ///< of the others, besides the deadline

Nanos wall_clock() { return std::chrono::system_clock::now().time_since_epoch(); }
Nanos since_epoch(TimePoint at) { return at.time_since_epoch(); }

}  // namespace

enum class Hosts::Kind : std::uint8_t {
  hello,
  message,
  ping,
  pong,
  stopping,  ///< a signal has come
  ended,     ///< of the others: this rank's part is over, with a status and an error
  end,       ///< of the leader: it is over
  bye        ///< of the leader: all have ended
};

/// When a ping was sent by the leader's clock and answered by the other one's, and that one's time of day.
using Times = std::array<Nanos, 3>;

struct Hosts::Peer {
  struct Ended {
    int status = 0;
    std::string error;
  };
  std::deque<std::pair<About, std::string>> inbox;
  TimePoint heard{};
  Nanos answered{0};  ///< when the last ping that it answered was sent
  bool here = false, lost = false, stopping = false;
  std::optional<Ended> ended;
  ClockOffset clock{Nanos(0), Nanos::max()};
  Nanos round_trip{Nanos::max()}, wall_offset{0};
  TimePoint clock_at{};
};

Hosts::Hosts(const std::function<std::unique_ptr<Communicator>()>& connect, HostsOptions options)
    : options_(std::move(options)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);  // signals are for other threads
  thread_ = std::thread([this, connect] { live(connect); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::unique_lock lock(mutex_);
  came_.wait(lock, [&] { return connected_ || connect_failed_; });
  if (!connect_failed_) return;
  lock.unlock();
  thread_.join();
  std::rethrow_exception(connect_failed_);
}

Hosts::~Hosts() {
  on_stop_.reset();
  {
    std::lock_guard lock(mutex_);
    if (!over_) aborts_ = over_ = true;
  }
  to_do_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Hosts::live(const std::function<std::unique_ptr<Communicator>()>& connect) {
  pthread_setname_np(pthread_self(), "edagen-hosts");
  ::prctl(PR_SET_TIMERSLACK, 1);
  try {
    communicator_ = connect();
    rank_ = communicator_->rank();
    size_ = communicator_->size();
    peers_ = std::vector<Peer>(static_cast<std::size_t>(size_));
    names_.assign(static_cast<std::size_t>(size_), "rank");
    names_[static_cast<std::size_t>(rank_)] = options_.name;
    for (Peer& peer : peers_) peer.heard = now() + longest_begin;
    last_turn_ = now();
    for (int to = 0; to < size_; ++to)
      if (leads() ? to != 0 : to == 0) post(to, Kind::hello, options_.version + "\n" + options_.name);
    // All are there before anything else: what a rank is called is part of every error.
    const auto all_here = [&] {
      for (int from = 0; from < size_; ++from)
        if ((leads() ? from != 0 : from == 0) && !peers_[static_cast<std::size_t>(from)].here && !failure_)
          return false;
      return true;
    };
    while (!all_here()) move_messages();
  } catch (...) {
    std::lock_guard lock(mutex_);
    connect_failed_ = std::current_exception();
    came_.notify_all();
    return;
  }
  {
    std::lock_guard lock(mutex_);
    connected_ = true;
  }
  came_.notify_all();
  for (;;) {
    move_messages();
    std::unique_lock lock(mutex_);
    if (!over_) continue;
    bool aborts = aborts_, all_sent = false;
    lock.unlock();
    try {
      all_sent = outbox_.empty() && communicator_->all_sent();
    } catch (const Error&) {
      aborts = true;  // not all hear that it is over
    }
    if (aborts) communicator_->abort(abort_status_);
    else if (all_sent) communicator_->finish();
    else continue;
    return;
  }
}

/// One turn of the thread: what is to be sent, what has come, who was silent.
void Hosts::move_messages() {
  std::deque<Received> out;
  {
    std::unique_lock lock(mutex_);
    const Nanos wait = now() < hot_until_ ? hot_wait : idle_wait;
    to_do_.wait_for(lock, wait, [&] { return !outbox_.empty() || over_; });
    out.swap(outbox_);
  }
  for (Received& message : out) unless_broken([&] { communicator_->send(message.from, std::move(message.bytes)); });
  unless_broken([&] {
    while (auto received = communicator_->poll()) take(std::move(*received));
  });
  const TimePoint at = now();
  std::lock_guard lock(mutex_);
  if (told_to_stop_.exchange(false)) post(0, Kind::stopping, {});
  watch_silence(at);
  beat(at);
}

/// Whatever the library says, the other ranks are still sent to, heard and watched.
void Hosts::unless_broken(const std::function<void()>& move) {
  try {
    move();
  } catch (const SendError& error) {
    lose({error.to()}, "no message reaches it: it has ended, or its network is gone");
  } catch (const Error& error) {
    fail(error);
    std::this_thread::sleep_for(idle_wait);
  }
}

/// With mutex_ held, as the next ones.
void Hosts::post(int to, Kind kind, std::string bytes) {
  bytes.insert(bytes.begin(), static_cast<char>(kind));
  outbox_.push_back({to, std::move(bytes)});
}

void Hosts::beat(TimePoint at) {
  if (!leads() || at - last_beat_ < beat_every || synchronizing_ >= 0) return;
  last_beat_ = at;
  ping_all();
}

void Hosts::ping_all() {
  for (int to = 1; to < size_; ++to)
    if (!peers_[static_cast<std::size_t>(to)].lost) ping(to);
}

void Hosts::ping(int rank) { post(rank, Kind::ping, to_wire(Times{since_epoch(now())})); }

void Hosts::watch_silence(TimePoint at) {
  // A process that was stopped itself has not listened.
  const Nanos asleep = at - last_turn_;
  last_turn_ = at;
  for (int from = 0; from < size_; ++from) {
    Peer& peer = peers_[static_cast<std::size_t>(from)];
    if (from == rank_ || (!leads() && from != 0) || peer.lost || peer.ended || bye_) continue;
    if (asleep > beat_every) peer.heard += asleep;
    if (at - peer.heard < options_.deadline) continue;
    peer.lost = true;
    if (!failure_)
      failure_ = run_error(called(from), "has not been heard of for " + format_duration(options_.deadline),
                           "it hangs, has ended, or its network is gone");
    came_.notify_all();
    if (end_) end_();
  }
}

void Hosts::take(Received received) {
  const auto kind = received.bytes.empty() ? Kind::message : static_cast<Kind>(received.bytes[0]);
  std::string bytes = received.bytes.substr(std::min<std::size_t>(1, received.bytes.size()));
  const TimePoint at = now();
  std::unique_lock lock(mutex_);
  hot_until_ = at + hot_for;
  Peer& peer = peers_.at(static_cast<std::size_t>(received.from));
  peer.heard = at;
  switch (kind) {
    case Kind::hello:
      names_[static_cast<std::size_t>(received.from)] = bytes.substr(bytes.find('\n') + 1);
      peer.here = true;
      if (const std::string its = bytes.substr(0, bytes.find('\n')); its != options_.version && !failure_)
        failure_ = usage_error(called(received.from), "is edagen " + its + ", here it is " + options_.version,
                               "install the same on all hosts");
      break;
    case Kind::message:
      if (!bytes.empty()) peer.inbox.emplace_back(static_cast<About>(bytes[0]), bytes.substr(1));
      break;
    case Kind::ping: {
      post(received.from, Kind::pong, to_wire(Times{from_wire<Times>(bytes)[0], since_epoch(now()), wall_clock()}));
      break;
    }
    case Kind::pong: {
      const auto [sent, answered, wall] = from_wire<Times>(bytes);
      const Nanos trip = since_epoch(at) - sent;
      peer.answered = std::max(peer.answered, sent);
      if (trip <= peer.round_trip || at - peer.clock_at > clock_ages_after) {
        peer.round_trip = trip;
        peer.clock = {answered - sent - trip / 2, trip / 2};
        peer.wall_offset = wall - wall_clock() + trip / 2;
        peer.clock_at = at;
      }
      if (synchronizing_ != received.from) break;
      if (--pings_left_ > 0) {
        ping(synchronizing_);
      } else if (++synchronizing_ < size_) {
        pings_left_ = pings;
        ping(synchronizing_);
      } else {
        synchronizing_ = -1;
      }
      break;
    }
    case Kind::stopping:
      peer.stopping = true;
      if (end_) end_();
      break;
    case Kind::ended: {
      Peer::Ended ended;
      WireReader reader(bytes);
      reader(ended.status, ended.error);
      if (!ended.error.empty() && !failure_)
        failure_ = Error(ended.status == 2 ? Error::Kind::usage : Error::Kind::run, called(received.from), ended.error);
      peer.ended = ended;
      if (end_ && !peer.ended->error.empty()) end_();
      break;
    }
    case Kind::end:
      ended_by_leader_ = bytes;
      if (bytes.empty()) break;  // what it has sent before is still to be carried out
      if (!failure_) failure_ = run_error(called(0), bytes);
      if (end_) end_();
      break;
    case Kind::bye: bye_ = true; break;
  }
  lock.unlock();
  came_.notify_all();
}

void Hosts::fail(Error error) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
  came_.notify_all();
  if (end_) end_();
}

std::uint64_t Hosts::clients_of(int rank, std::uint64_t clients) const {
  const auto all = static_cast<std::uint64_t>(size_), mine = static_cast<std::uint64_t>(rank);
  return clients > mine ? (clients - mine - 1) / all + 1 : 0;
}

std::string Hosts::called(int rank) const { return fmt::format("{} (rank {})", name(rank), rank); }

void Hosts::send(int to, About about, std::string bytes) {
  bytes.insert(bytes.begin(), static_cast<char>(about));
  {
    std::lock_guard lock(mutex_);
    post(to, Kind::message, std::move(bytes));
  }
  to_do_.notify_all();
}

void Hosts::send_all(About about, const std::string& bytes) {
  for (int to = 1; to < size_; ++to)
    if (!gone(to)) send(to, about, bytes);
}

/// With mutex_ held.
std::optional<std::string> Hosts::taken(int from, About about) {
  auto& inbox = peers_[static_cast<std::size_t>(from)].inbox;
  if (inbox.empty() || inbox.front().first != about) return std::nullopt;
  std::string bytes = std::move(inbox.front().second);
  inbox.pop_front();
  return bytes;
}

std::string Hosts::receive(int from, About about) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (failure_) throw Error(*failure_);
    if (auto bytes = taken(from, about)) return *std::move(bytes);
    const auto& peer = peers_[static_cast<std::size_t>(from)];
    if (!peer.inbox.empty()) throw run_error(called(from), "says something else than it was asked");
    if (peer.ended || ended_by_leader_) throw run_error(called(from), "has ended");
    came_.wait_for(lock, std::chrono::milliseconds(100));
  }
}

std::optional<std::string> Hosts::poll(int from, About about) {
  std::lock_guard lock(mutex_);
  return taken(from, about);
}

void Hosts::rest() {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, std::chrono::milliseconds(1));
}

std::vector<std::string> Hosts::gather(std::string mine) {
  std::vector<std::string> all;
  if (!leads()) {
    send(0, About::facts, std::move(mine));
    return all;
  }
  all.push_back(std::move(mine));
  for (int from = 1; from < size_; ++from) all.push_back(receive(from, About::facts));
  return all;
}

std::string Hosts::broadcast(std::string text) {
  if (!leads()) return receive(0, About::facts);
  send_all(About::facts, text);
  return text;
}

void Hosts::meet() {
  gather({});
  broadcast();
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

std::optional<Error> Hosts::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

bool Hosts::gone(int rank) const {
  std::lock_guard lock(mutex_);
  const Peer& peer = peers_[static_cast<std::size_t>(rank)];
  return peer.lost || peer.ended;
}

bool Hosts::leader_has_ended() const {
  std::lock_guard lock(mutex_);
  return ended_by_leader_.has_value();
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

void Hosts::lose(const std::vector<int>& ranks, const std::string& why) {
  if (ranks.empty()) return;
  std::string who;
  for (const int rank : ranks) {
    std::lock_guard lock(mutex_);
    peers_[static_cast<std::size_t>(rank)].lost = true;
    who += (who.empty() ? "" : ", ") + called(rank);
  }
  fail(run_error(who, why));
}

void Hosts::stop_when_told(std::stop_token stop, std::function<void()> end) {
  {
    std::lock_guard lock(mutex_);
    end_ = std::move(end);
    const bool told = failure_ || std::ranges::any_of(peers_, &Peer::stopping);
    if (end_ && told) end_();
  }
  if (leads()) return;
  on_stop_.emplace(std::move(stop), [this] { told_to_stop_ = true; });
}

Hosts::End Hosts::conclude(int status, const std::string& error) {
  on_stop_.reset();
  std::unique_lock lock(mutex_);
  end_ = nullptr;
  End end{status, {}};
  std::optional<TimePoint> deadline;
  const auto is_late = [&] {
    if (!deadline && (leads() || ended_by_leader_ || failure_)) deadline = now() + options_.conclude_within;
    return deadline && now() >= *deadline;
  };
  if (!leads()) {
    WireWriter writer;
    // What the leader said itself is no news to it.
    writer(status, ended_by_leader_ ? std::string() : error);
    post(0, Kind::ended, writer.take());
    to_do_.notify_all();
    while (!bye_ && !peers_[0].lost && !is_late()) came_.wait_for(lock, std::chrono::milliseconds(50));
    over_ = true;
    aborts_ = !bye_;
    abort_status_ = std::max(status, 1);
  } else {
    const auto all_ended = [&] {
      return std::all_of(peers_.begin() + 1, peers_.end(), [](const Peer& peer) { return peer.ended || peer.lost; });
    };
    for (int to = 1; to < size_; ++to)
      if (!peers_[static_cast<std::size_t>(to)].lost) post(to, Kind::end, error);
    to_do_.notify_all();
    while (!all_ended() && !is_late()) came_.wait_for(lock, std::chrono::milliseconds(50));
    bool all_there = true;
    for (int from = 1; from < size_; ++from) {
      const Peer& peer = peers_[static_cast<std::size_t>(from)];
      all_there = all_there && peer.ended && !peer.lost;
      if (!peer.ended || peer.ended->error.empty()) continue;
      if (end.status == 0) end.status = peer.ended->status;
      const bool is_said = peer.ended->error == error || run_error(called(from), peer.ended->error).what() == error;
      if (!is_said) end.errors.push_back(called(from) + ": " + peer.ended->error);
    }
    bye_ = true;
    for (int to = 1; to < size_; ++to)
      if (!peers_[static_cast<std::size_t>(to)].lost) post(to, Kind::bye, {});
    over_ = true;
    aborts_ = !all_there;
    abort_status_ = std::max(end.status, 1);
  }
  lock.unlock();
  to_do_.notify_all();
  thread_.join();
  return end;
}

}  // namespace edagen
