// How early a thread ends its sleep so that it is awake when an op is due. It spins the rest of the time.
#pragma once

#include <algorithm>

#include "edagen/clock.hpp"

namespace edagen {

/// Learns how late sleeps end on this machine. Not thread-safe.
class WakeUp {
 public:
  /// This long before the time, the sleep is to end: most sleeps then end in time.
  Nanos margin() const {
    return std::min(longest, std::chrono::duration_cast<Nanos>(late_ + 3 * deviation_) + std::chrono::microseconds(5));
  }
  /// A sleep has ended so much later than it was to.
  void woke(Nanos late) {
    // One pause of milliseconds is no reason to spin more from now on.
    const NanosF more = std::min(late, 2 * longest) - late_;
    deviation_ += (std::chrono::abs(more) - deviation_) / 32;
    late_ += more / 32;
  }

 private:
  /// Spinning costs a processor: it stays below a half of one at 5,000 ops/s.
  static constexpr Nanos longest = std::chrono::microseconds(90);

  NanosF late_{40e3}, deviation_{5e3};
};

}  // namespace edagen
