// Whether this program was kept from running: stopped, suspended with the host, or without a processor.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "edagen/clock.hpp"

namespace edagen {

/// Not thread-safe.
class PauseWatch {
 public:
  /// Returns how many ops have ended, as the threads that carry them out count them. While ops go on, a late thread is
  /// no pause of the program.
  using Operations = std::function<std::uint64_t()>;
  explicit PauseWatch(Operations operations) : operations_(std::move(operations)), first_(operations_()) {}

  /// Sleeps until `until`; the time by which it wakes later is a pause. Time that the caller spent before does not
  /// count.
  void sleep_until(TimePoint until);
  Nanos longest() const { return longest_; }
  /// The share of the time since construction in pauses that are longer than scheduling explains.
  double share() const;

 private:
  bool ops_went_on(std::uint64_t before, Nanos slept) const;

  Operations operations_;
  std::uint64_t first_;
  TimePoint since_ = now();
  Nanos longest_{0}, all_{0};
};

}  // namespace edagen
