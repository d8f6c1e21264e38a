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

  /// A load point begins: its intervals count from here, which is known when the first ends.
  void begins() { origin_.reset(); }
  /// A window begins now. Its last interval ends when its ops have, which may take seconds.
  void window_begins() { origin_ = std::max(time_now(), after_); }
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
