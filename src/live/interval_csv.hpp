// Each interval as a line of CSV, written as it ends.
#pragma once

#include <optional>

#include "edagen/session.hpp"
#include "live/interval_clock.hpp"
#include "live/stream.hpp"

namespace edagen {

class IntervalCsv {
 public:
  IntervalCsv(Place place, StuckWatch& watch) : stream_(std::move(place), watch) {}
  const Stream& stream() const { return stream_; }
  void observe(const Event& event);

 private:
  void begin_run();
  void add(const IntervalEnded& its);

  Stream stream_;
  IntervalClock clock_;
  std::size_t run_ = 0, point_ = 0;
  std::string purpose_;
  std::optional<double> rate_;
};

}  // namespace edagen
