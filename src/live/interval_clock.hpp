// When intervals were, by the clock of the wall.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "edagen/run_stats.hpp"

namespace edagen {

/// Finds the time of each interval from when its window began. Intervals follow each other, also those of a simulation.
class IntervalClock {
 public:
  using Wall = std::chrono::sys_time<Nanos>;

  /// A load point begins, or its window does: intervals count from here.
  void begins() { origin_.reset(); }
  /// When the interval began.
  Wall began(const Interval& interval) {
    if (!origin_) origin_ = std::max(time_now() - interval.start - interval.length, after_ - interval.start);
    after_ = *origin_ + interval.start + interval.length;
    return *origin_ + interval.start;
  }
  static Wall time_now() { return std::chrono::time_point_cast<Nanos>(std::chrono::system_clock::now()); }

 private:
  std::optional<Wall> origin_;
  Wall after_{};  ///< no interval begins before
};

}  // namespace edagen
