// In a closed loop of several kinds of procs that all have rates: which kind may go on, so that each keeps its share of
// the ops.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

/// Without it a kind whose ops are short would do most of them, and the mix would be another one. Thread-safe.
class KeptShares {
 public:
  /// When a proc that waits for the ops of other kinds, perhaps of other shards, is looked at again.
  static constexpr Nanos looked_at_again = std::chrono::microseconds(100);

  /// By kind of proc, any unit; 0: the kind has no procs.
  explicit KeptShares(const std::vector<double>& shares);
  /// Whether several kinds have a share.
  static bool are_needed(const std::vector<double>& shares) {
    return std::ranges::count_if(shares, [](double share) { return share > 0; }) > 1;
  }

  /// Whether a kind is not further on than the one that is furthest behind, but for a few ops.
  bool may_begin(std::size_t kind) const { return progress(kind) <= least_progress() + slack_; }
  /// In the unit of all kinds: the least goes first.
  double progress(std::size_t kind) const {
    return static_cast<double>(kinds_[kind].begun.load(std::memory_order_relaxed)) * kinds_[kind].step;
  }
  void begun(std::size_t kind, std::uint64_t ops) { kinds_[kind].begun.fetch_add(ops, std::memory_order_relaxed); }

 private:
  struct alignas(64) Kind {
    std::atomic<std::uint64_t> begun{0};
    double step = 0;  ///< progress by one op; 0: the kind has no procs
  };
  double least_progress() const;

  std::unique_ptr<Kind[]> kinds_;
  std::size_t count_;
  double slack_ = 0;
};

}  // namespace edagen
