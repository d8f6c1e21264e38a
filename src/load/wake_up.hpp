// How early a thread ends its sleep so that it is awake when an op is due. The thread spins for the rest of the time.
#pragma once

#include <algorithm>

#include "edagen/clock.hpp"

namespace edagen {

/// Measures how late sleeps end on this machine. Not thread-safe.
class WakeUp {
 public:
  /// How long before the due time a sleep must end, so that most sleeps end in time.
  Nanos margin() const {
    return std::min(longest, std::chrono::duration_cast<Nanos>(late_ + 3 * deviation_) + std::chrono::microseconds(5));
  }
  /// Takes how late a sleep has ended.
  void woke(Nanos late) {
    // A single pause of milliseconds is no reason to spin more from now on.
    const NanosF more = std::min(late, 2 * longest) - late_;
    deviation_ += (std::chrono::abs(more) - deviation_) / 32;
    late_ += more / 32;
  }

 private:
  /// Spinning costs a processor: at 5,000 ops/s it stays below half a processor.
  static constexpr Nanos longest = std::chrono::microseconds(90);

  NanosF late_{40e3}, deviation_{5e3};
};

}  // namespace edagen
