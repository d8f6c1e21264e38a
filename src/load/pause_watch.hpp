// Whether this program was kept from running: stopped, suspended with the host, or without a processor.
#pragma once

#include "edagen/clock.hpp"

namespace edagen {

/// Not thread-safe.
class PauseWatch {
 public:
  /// Sleeps; how much later than `until` it ends is a pause. Time that the caller spent before is none.
  void sleep_until(TimePoint until);
  Nanos longest() const { return longest_; }

 private:
  Nanos longest_{0};
};

}  // namespace edagen
