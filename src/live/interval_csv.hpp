// Each interval as a line of CSV, written as it ends, and on several mounts a line for each mount after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  void begin_run(const Result& header);
  void add(const IntervalEnded& ended);
  /// The columns before the counts.
  std::string head(const IntervalEnded& ended);

  Stream stream_;
  IntervalClock clock_;
  std::size_t run_ = 0, point_ = 0;
  std::string purpose_;
  std::optional<double> rate_;
  std::vector<std::string> mounts_;  ///< of the run
};

}  // namespace edagen
