// Each interval as a line of CSV, written as it ends.
#pragma once

#include <optional>

#include "edagen/session_observer.hpp"
#include "live/interval_clock.hpp"
#include "live/stream.hpp"

namespace edagen {

class IntervalCsv final : public SessionObserver {
 public:
  IntervalCsv(Place place, StuckWatch& watch) : stream_(std::move(place), watch) {}
  std::string lost() const { return stream_.lost(); }
  std::vector<std::string> lacks() const override { return stream_.lacks(); }

  void load_begins(const Result& header) override;
  void point_begins(std::optional<double> rate, const std::string& purpose) override;
  void window_began() override { clock_.begins(); }
  void warming_up(const Interval& interval, const IntervalStats& stats) override { add("warmup", interval, stats); }
  void measured(const Interval& interval, const IntervalStats& stats) override { add("measure", interval, stats); }
  void point_done(const CurvePoint&) override { clock_.begins(); }

 private:
  void add(const char* phase, const Interval& interval, const IntervalStats& stats);

  Stream stream_;
  IntervalClock clock_;
  std::size_t run_ = 0, point_ = 0;
  std::string purpose_;
  std::optional<double> rate_;
};

}  // namespace edagen
