// The latencies of each interval of the window as a log of HdrHistogram, written as it ends.
#pragma once

#include <optional>

#include "edagen/session_observer.hpp"
#include "live/interval_clock.hpp"
#include "live/stream.hpp"

namespace edagen {

/// Response of all ops has no tag, their service the tag "service", those of a kind "response.KIND" and "service.KIND".
class HdrLog final : public SessionObserver {
 public:
  HdrLog(Place place, StuckWatch& watch) : stream_(std::move(place), watch) {}
  std::string lost() const { return stream_.lost(); }
  std::vector<std::string> lacks() const override { return stream_.lacks(); }

  void load_begins(const Result& header) override;
  void point_begins(std::optional<double> rate, const std::string& purpose) override;
  void window_began() override { clock_.begins(); }
  void measured(const Interval& interval, const IntervalStats& stats) override;

 private:
  Stream stream_;
  IntervalClock clock_;
  IntervalClock::Wall began_{};
};

}  // namespace edagen
