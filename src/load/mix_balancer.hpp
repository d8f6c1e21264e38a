// Keeps the shares of the ops in a closed loop of several kinds of procs that all have rates: a kind that is ahead
// waits.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

/// Without a balancer the kind with the shortest ops would make most of the ops. Thread-safe.
class MixBalancer {
 public:
  /// A proc that waits for other kinds, perhaps of other shards, is checked again after this time.
  static constexpr Nanos recheck_after = std::chrono::microseconds(100);

  /// `shares` are by kind of procs, in any unit; 0: the kind has no procs.
  explicit MixBalancer(const std::vector<double>& shares);
  /// Whether several kinds have a share.
  static bool are_needed(const std::vector<double>& shares) {
    return std::ranges::count_if(shares, [](double share) { return share > 0; }) > 1;
  }

  /// Whether this kind leads the slowest kind by no more than the slack.
  bool may_begin(std::size_t kind) const { return progress(kind) <= least_progress() + slack_; }
  /// Ops started over the share: the kind with the least progress goes first.
  double progress(std::size_t kind) const {
    return static_cast<double>(kinds_[kind].started.load(std::memory_order_relaxed)) * kinds_[kind].step;
  }
  void op_started(std::size_t kind, std::uint64_t ops) {
    kinds_[kind].started.fetch_add(ops, std::memory_order_relaxed);
  }

 private:
  struct alignas(64) Kind {
    std::atomic<std::uint64_t> started{0};
    double step = 0;  ///< progress by one op; 0: the kind has no procs
  };
  double least_progress() const;

  std::unique_ptr<Kind[]> kinds_;
  std::size_t count_;
  double slack_ = 0;
};

}  // namespace edagen
