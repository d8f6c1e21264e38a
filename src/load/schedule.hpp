// The intended starts of a proc's ops.
#pragma once

#include <algorithm>

#include "edagen/clock.hpp"
#include "edagen/load_runner.hpp"
#include "edagen/parts/random.hpp"

namespace edagen {

/// Intended start times, ascending, as an offset from the start of the load. A value; not thread-safe.
/// Uniform arrivals have one op in each gap, always at the same place in the gap, which is drawn anew every 250 ms or
/// so: procs that are due together by chance do not stay together for the whole run, so the standard error is
/// meaningful. Times are kept as doubles of ns: exact to 1 ns for 104 days, so a rate has no bias at any speed.
class Schedule {
 public:
  /// Each op is due as soon as the one before has ended.
  static Schedule closed_loop() { return Schedule(); }
  /// An open loop in which nothing is due.
  static Schedule idle() {
    Schedule schedule;
    schedule.open_loop_ = true;
    schedule.at_ = never;
    return schedule;
  }
  /// An open loop that begins at `start`; ops_per_sec > 0.
  Schedule(Arrivals arrivals, double ops_per_sec, std::uint64_t seed, Nanos start = Nanos(0))
      : open_loop_(true),
        arrivals_(arrivals),
        random_(seed),
        gap_(1e9 / ops_per_sec),
        at_(static_cast<double>(start.count())) {
    if (arrivals == Arrivals::poisson) at_ += gap_ * random_.exponential();
    else draw_place();
  }

  bool open_loop() const { return open_loop_; }
  /// The intended start of the next op; 0 in a closed loop.
  Nanos due() const { return Nanos(static_cast<Nanos::rep>(std::min(at_, never))); }
  void advance() {
    if (arrivals_ == Arrivals::poisson) {
      at_ += gap_ * random_.exponential();
      return;
    }
    at_ += gap_;
    if (--until_draw_ == 0) {
      at_ -= place_;
      draw_place();
    }
  }

 private:
  static constexpr NanosF keeps_place{250e6};
  static constexpr double never = 4e18;  ///< 127 years, for rates near 0

  Schedule() = default;
  /// Draws the place of ops in their gaps; at_ must be the beginning of a gap.
  void draw_place() {
    place_ = gap_ * random_.uniform();
    at_ += place_;
    until_draw_ = static_cast<std::uint32_t>(std::clamp(keeps_place.count() / gap_, 1.0, 1e9));
  }

  bool open_loop_ = false;
  Arrivals arrivals_ = Arrivals::uniform;
  Random random_{0};
  double gap_ = 0;  ///< ns; 0 in a closed loop, whose time stays 0
  double at_ = 0;
  double place_ = 0;              ///< of the op in each gap, ns
  std::uint32_t until_draw_ = 0;  ///< number of further ops at place_
};

}  // namespace edagen
