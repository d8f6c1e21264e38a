// When a proc's ops are meant to start.
#pragma once

#include <algorithm>

#include "edagen/core/clock.hpp"
#include "edagen/core/random.hpp"

namespace edagen {

enum class Arrivals {
  uniform,  ///< equally spaced, each proc with a phase of its own
  poisson,  ///< exponential gaps
  unpaced   ///< as fast as the op before allows
};

/// Intended start times, ascending, as an offset from the start of the load. A value; not thread-safe.
/// Times are kept as doubles of ns: exact to 1 ns for 104 days, so a rate has no bias at any speed.
class Schedule {
 public:
  Schedule() = default;
  /// ops_per_sec > 0 unless unpaced.
  Schedule(Arrivals arrivals, double ops_per_sec, std::uint64_t seed)
      : arrivals_(arrivals), random_(seed), gap_(arrivals == Arrivals::unpaced ? 0 : 1e9 / ops_per_sec) {
    if (arrivals_ == Arrivals::uniform) at_ = gap_ * random_.uniform();
    if (arrivals_ == Arrivals::poisson) at_ = gap_ * random_.exponential();
  }

  bool paced() const { return arrivals_ != Arrivals::unpaced; }
  /// Of the next op; 0 when unpaced.
  Nanos due() const { return Nanos(static_cast<Nanos::rep>(std::min(at_, never))); }
  void advance() {
    if (arrivals_ == Arrivals::uniform) at_ += gap_;
    if (arrivals_ == Arrivals::poisson) at_ += gap_ * random_.exponential();
  }

 private:
  static constexpr double never = 4e18;  ///< 127 years; of a rate of next to nothing

  Arrivals arrivals_ = Arrivals::unpaced;
  Random random_{0};
  double gap_ = 0;
  double at_ = 0;
};

}  // namespace edagen
