// Ranks that are lost or hang, and the end that all ranks share.

#include <algorithm>

#include "edagen/units.hpp"
#include "hosts/hosts.hpp"
#include "hosts/wire.hpp"

namespace edagen {
namespace {

constexpr Nanos asleep_from = std::chrono::seconds(1);
/// Hosts whose ops stop at the same time tell of it within that, and are named together.
constexpr Nanos hangs_together = std::chrono::seconds(1);

}  // namespace

void Hosts::watch_silence(TimePoint at) {
  // A process that was stopped itself has not listened.
  const Nanos asleep = at - last_turn_;
  last_turn_ = at;
  for (int from = 0; from < size_; ++from) {
    Peer& peer = peers_[static_cast<std::size_t>(from)];
    if (from == rank_ || (!leads() && from != 0) || peer.lost || peer.ended || bye_) continue;
    if (asleep > asleep_from) peer.heard += asleep;
    if (at - peer.heard < options_.deadline) continue;
    peer.lost = true;
    if (!failure_)
      failure_ = run_error(called(from), "has not been heard of for " + format_duration(options_.deadline),
                           "it hangs, has ended, or its network is gone");
    came_.notify_all();
    if (end_) end_();
  }
}

void Hosts::note_end(int from, Kind kind, const std::string& bytes, TimePoint at) {
  Peer& peer = peers_[static_cast<std::size_t>(from)];
  switch (kind) {
    case Kind::stopping:
      if (leads() && !peer.stopping) told_to_stop_ = true;  // the other ranks end, too
      peer.stopping = true;
      if (end_) end_();
      break;
    case Kind::hanging: note_hanging(from, bytes, at); break;
    case Kind::ended: {
      Peer::Ended ended;
      WireReader reader(bytes);
      reader.read(ended.status, ended.error);
      if (!ended.error.empty() && !failure_)
        failure_ = Error(ended.status == 2 ? Error::Kind::usage : Error::Kind::run, called(from), ended.error);
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
    case Kind::bye:
      if (!bytes.empty()) leaders_status_ = from_wire<int>(bytes);  // one of another version sends none
      bye_ = true;
      break;
    default: break;
  }
}

void Hosts::tell_hanging(const std::string& what) {
  {
    std::lock_guard lock(mutex_);
    if (leads()) note_hanging(0, what, now());
    else post(0, Kind::hanging, what);
  }
  to_do_.notify_all();
}

void Hosts::note_hanging(int rank, const std::string& what, TimePoint at) {
  if (what.empty()) return;
  if (std::string& told = peers_[static_cast<std::size_t>(rank)].hanging; told.empty()) told = what;
  if (!hanging_since_) hanging_since_ = at;
}

void Hosts::judge_hanging(TimePoint at) {
  if (!hanging_since_ || at - *hanging_since_ < hangs_together) return;
  name_hanging();
}

void Hosts::name_hanging() {
  hanging_since_.reset();
  std::string who, what;
  for (int rank = 0; rank < size_; ++rank) {
    const std::string& hanging = peers_[static_cast<std::size_t>(rank)].hanging;
    if (hanging.empty()) continue;
    who += (who.empty() ? "" : ", ") + called(rank);
    if (what.empty()) what = hanging;
  }
  if (!failure_) failure_ = run_error(who, what, "look at the mount, the network and the server");
  came_.notify_all();
  if (end_) end_();
}

void Hosts::end_for_hanging(const std::vector<int>& ranks) {
  if (ranks.empty()) return;
  std::lock_guard lock(mutex_);
  for (const int rank : ranks) note_hanging(rank, "ops never returned", now());
  name_hanging();
}

void Hosts::fail(Error error) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
  came_.notify_all();
  if (end_) end_();
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
    writer.add(status, ended_by_leader_ ? std::string() : error);
    post(0, Kind::ended, writer.take());
    to_do_.notify_all();
    while (!bye_ && !peers_[0].lost && !is_late()) came_.wait_for(lock, std::chrono::milliseconds(50));
    over_ = true;
    aborts_ = !bye_;
    exit_status_ = end.status = status == 0 ? 0 : leaders_status_;
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
      if (!peer.ended) continue;
      if (end.status == 0) end.status = peer.ended->status;
      if (peer.ended->error.empty()) continue;
      const bool is_said = peer.ended->error == error || run_error(called(from), peer.ended->error).what() == error;
      if (!is_said) end.errors.push_back(called(from) + ": " + peer.ended->error);
    }
    bye_ = true;
    for (int to = 1; to < size_; ++to)
      if (!peers_[static_cast<std::size_t>(to)].lost) post(to, Kind::bye, to_wire(end.status));
    over_ = true;
    aborts_ = !all_there;
    exit_status_ = end.status;
  }
  lock.unlock();
  to_do_.notify_all();
  thread_.join();
  return end;
}

}  // namespace edagen
