// Ranks within one process: messages go through memory, and a rank can be cut off.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "hosts/hosts.hpp"

namespace edagen::testing {

class FakeNetwork {
 public:
  explicit FakeNetwork(int size) : inboxes_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(inboxes_.size()); }
  std::unique_ptr<Communicator> connect(int rank) { return std::make_unique<End>(*this, rank); }
  /// No message to this rank can be sent any more, which the sender is told.
  void break_way_to(int rank) {
    std::lock_guard lock(mutex_);
    broken_.insert(rank);
  }
  /// Nothing of this rank comes through any more, nor to it.
  void cut(int rank) {
    std::lock_guard lock(mutex_);
    cut_.insert(rank);
  }
  /// With which status, by rank.
  std::map<int, int> finished() {
    std::lock_guard lock(mutex_);
    return finished_;
  }
  std::vector<int> aborted() {
    std::lock_guard lock(mutex_);
    return aborted_;
  }

 private:
  class End final : public Communicator {
   public:
    End(FakeNetwork& network, int rank) : network_(network), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return network_.size(); }
    int ranks_here() const override { return network_.size(); }
    void send(int to, std::string bytes) override {
      std::lock_guard lock(network_.mutex_);
      if (network_.broken_.contains(to)) throw SendError(to);
      if (network_.cut_.contains(rank_) || network_.cut_.contains(to)) return;
      network_.inboxes_[static_cast<std::size_t>(to)].push_back({rank_, std::move(bytes)});
    }
    std::optional<Received> poll() override {
      std::lock_guard lock(network_.mutex_);
      auto& inbox = network_.inboxes_[static_cast<std::size_t>(rank_)];
      if (inbox.empty()) return std::nullopt;
      Received next = std::move(inbox.front());
      inbox.pop_front();
      return next;
    }
    bool all_sent() override { return true; }
    void finish(int status) override {
      std::lock_guard lock(network_.mutex_);
      network_.finished_[rank_] = status;
    }
    void abort(int) override {
      std::lock_guard lock(network_.mutex_);
      network_.aborted_.push_back(rank_);
    }

   private:
    FakeNetwork& network_;
    int rank_;
  };

  std::mutex mutex_;
  std::vector<std::deque<Received>> inboxes_;
  std::set<int> cut_, broken_;
  std::vector<int> aborted_;
  std::map<int, int> finished_;
};

/// What each rank's conclude() returned.
using Ends = std::vector<Hosts::End>;

/// Calls `work` for each rank in a thread of its own, and conclude() with what it threw.
inline Ends on_hosts(FakeNetwork& network, const std::function<void(Hosts&)>& work,
                     Nanos deadline = std::chrono::seconds(10), const std::string& odd_version = "",
                     Nanos conclude_within = std::chrono::seconds(20)) {
  Ends ends(static_cast<std::size_t>(network.size()));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < network.size(); ++rank)
    threads.emplace_back([&, rank] {
      const bool odd = !odd_version.empty() && rank == network.size() - 1;
      Hosts hosts([&] { return network.connect(rank); }, {.deadline = deadline,
                                                          .name = "host" + std::to_string(rank),
                                                          .version = odd ? odd_version : "1",
                                                          .conclude_within = conclude_within});
      int status = 0;
      std::string error;
      try {
        work(hosts);
      } catch (const Error& thrown) {
        status = thrown.kind() == Error::Kind::usage ? 2 : 1;
        error = thrown.what();
      }
      ends[static_cast<std::size_t>(rank)] = hosts.conclude(status, error);
      if (!error.empty())
        ends[static_cast<std::size_t>(rank)].errors.insert(ends[static_cast<std::size_t>(rank)].errors.begin(), error);
    });
  for (std::thread& thread : threads) thread.join();
  return ends;
}

}  // namespace edagen::testing
