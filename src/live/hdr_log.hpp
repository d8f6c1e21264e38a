// The latencies of each interval of the window as a log of HdrHistogram, written as it ends.
#pragma once

#include "edagen/session.hpp"
#include "live/interval_clock.hpp"
#include "live/stream.hpp"

namespace edagen {

/// Response of all ops has no tag, their service the tag "service", those of a kind "response.KIND" and "service.KIND".
class HdrLog {
 public:
  HdrLog(Place place, StuckWatch& watch) : stream_(std::move(place), watch) {}
  const Stream& stream() const { return stream_; }
  void observe(const Event& event);

 private:
  void begin_run(const Result& header);
  void add(const Interval& interval, const IntervalStats& stats);

  Stream stream_;
  IntervalClock clock_;
  IntervalClock::Wall began_{};
};

}  // namespace edagen
