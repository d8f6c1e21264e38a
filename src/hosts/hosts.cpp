// Messages: the thread that moves them, and what is sent and asked for.
#include "hosts/hosts.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <numeric>

namespace edagen {
namespace {

/// After a message more are likely, so that sleep is short: a clock is as well known as messages are answered soon. Not
/// none: on a busy machine who does not sleep waits for its next slice of a processor.
constexpr Nanos hot_for = std::chrono::milliseconds(10), hot_wait = std::chrono::microseconds(20);
constexpr Nanos idle_wait = std::chrono::milliseconds(2);
constexpr Nanos longest_begin = std::chrono::seconds(50);  ///< of the others, besides the deadline

}  // namespace

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
    ranks_here_ = communicator_->ranks_here();
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
    if (aborts) return communicator_->abort(std::max(exit_status_, 1));
    if (!all_sent) continue;
    // The others begin with it when they hear of it, and the library wants all of them at the same time.
    if (!finishes_at_) finishes_at_ = now() + (leads() ? round_trip() / 2 : Nanos(0));
    if (now() >= *finishes_at_) return communicator_->finish(exit_status_);
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
  if (told_to_stop_.exchange(false))
    for (int to = 0; to < size_; ++to)
      if (leads() ? to != 0 && !peers_[static_cast<std::size_t>(to)].lost : to == 0) post(to, Kind::stopping, {});
  watch_silence(at);
  judge_hanging(at);
  beat(at);
}

/// Whatever error the library returns, the other ranks are still sent to, heard and watched.
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
      if (const std::string version = bytes.substr(0, bytes.find('\n')); version != options_.version && !failure_)
        failure_ = usage_error(called(received.from), "is edagen " + version + ", here it is " + options_.version,
                               "install the same on all hosts");
      break;
    case Kind::message:
      if (!bytes.empty()) peer.inbox.emplace_back(static_cast<About>(bytes[0]), bytes.substr(1));
      break;
    case Kind::ping: answer(received.from, bytes); break;
    case Kind::pong: note_answer(received.from, bytes, at); break;
    case Kind::stopping:
    case Kind::hanging:
    case Kind::ended:
    case Kind::end:
    case Kind::bye: note_end(received.from, kind, bytes, at); break;
  }
  lock.unlock();
  came_.notify_all();
}

bool Hosts::has(std::uint64_t client, const DealtClients& dealt) const {
  const auto hosts = static_cast<std::uint64_t>(size_);
  const std::uint64_t shift = client / std::lcm(hosts, dealt.mounts) % std::gcd(hosts, dealt.mounts);
  return (client + shift) % hosts == static_cast<std::uint64_t>(rank_);
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

std::vector<std::string> Hosts::gather(std::string own) {
  std::vector<std::string> all;
  if (!leads()) {
    send(0, About::facts, std::move(own));
    return all;
  }
  all.push_back(std::move(own));
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

}  // namespace edagen
