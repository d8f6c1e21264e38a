// When a proc's ops are meant to start.
#pragma once

#include <algorithm>

#include "edagen/clock.hpp"
#include "edagen/load_runner.hpp"
#include "edagen/random.hpp"

namespace edagen {

/// Intended start times, ascending, as an offset from the start of the load. A value; not thread-safe.
/// Times are kept as doubles of ns: exact to 1 ns for 104 days, so a rate has no bias at any speed.
class Schedule {
 public:
  /// Each op is due as soon as the one before has ended.
  static Schedule closed_loop() { return Schedule(); }
  /// An open loop; ops_per_sec > 0.
  Schedule(Arrivals arrivals, double ops_per_sec, std::uint64_t seed)
      : open_loop_(true), arrivals_(arrivals), random_(seed), gap_(1e9 / ops_per_sec), at_(first_gap()) {}

  bool open_loop() const { return open_loop_; }
  /// Of the next op; 0 in a closed loop.
  Nanos due() const { return Nanos(static_cast<Nanos::rep>(std::min(at_, never))); }
  void advance() {
    if (open_loop_) at_ += arrivals_ == Arrivals::poisson ? gap_ * random_.exponential() : gap_;
  }

 private:
  static constexpr double never = 4e18;  ///< 127 years; of a rate of next to nothing

  Schedule() = default;
  double first_gap() { return gap_ * (arrivals_ == Arrivals::poisson ? random_.exponential() : random_.uniform()); }

  bool open_loop_ = false;
  Arrivals arrivals_ = Arrivals::uniform;
  Random random_{0};
  double gap_ = 0;
  double at_ = 0;
};

}  // namespace edagen
