// How early a thread ends its sleep so that it is awake when an op is due. It spins the rest of the time.
#pragma once

#include <algorithm>
#include <cmath>

#include "edagen/clock.hpp"

namespace edagen {

/// Learns how late sleeps end on this machine. Not thread-safe.
class WakeUp {
 public:
  /// This long before the time, the sleep is to end: most sleeps then end in time.
  Nanos margin() const {
    return std::min(longest,
                    Nanos(static_cast<Nanos::rep>(late_ns_ + 3 * deviation_ns_)) + std::chrono::microseconds(5));
  }
  /// A sleep has ended so much later than it was to.
  void woke(Nanos late) {
    // One pause of milliseconds is no reason to spin more from now on.
    const auto ns = static_cast<double>(std::min(late, 2 * longest).count());
    deviation_ns_ += (std::abs(ns - late_ns_) - deviation_ns_) / 32;
    late_ns_ += (ns - late_ns_) / 32;
  }

 private:
  /// Spinning costs a processor: it stays below a half of one at 5,000 ops/s.
  static constexpr Nanos longest = std::chrono::microseconds(90);

  double late_ns_ = 40e3, deviation_ns_ = 5e3;
};

}  // namespace edagen
