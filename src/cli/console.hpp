// Shows on stderr what a session does, and on stdout what it found.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/screen.hpp"
#include "edagen/session.hpp"
#include "live/load_phase.hpp"

namespace edagen {

class Console {
 public:
  /// `text_to_stderr`: stdout is for something else. `run`: what a screen shows, where the terminal has room for one;
  /// nullptr: a line. It outlives this, and observes the session, too, if has_screen().
  Console(const LoggingOptions& logging, bool text_to_stderr, const LiveRun* run = nullptr);
  bool has_screen() const { return screen_.has_value(); }

  void observe(const Event& event);
  /// Calls observe(). This outlives it.
  EventSink sink() {
    return [this](const Event& event) { observe(event); };
  }
  /// From any thread: the process ends and writes nothing more.
  void ends_at_once();

 private:
  void show(const DatasetLeft& left);
  void show(const IntervalEnded& ended);
  void show(const PointMeasured& measured);
  void show(const Result& result);
  void show(const ComparisonResult& comparison);
  /// Those that a reader has seen in the plan above.
  void leave_out_planned(std::vector<std::string>& notes) const;
  void set_point(const PointBegan& began);
  void end_load();
  void show_leftovers();

  std::mutex mutex_;                    ///< of the next two
  std::string journal_;                 ///< where it is, when there is one
  std::vector<DatasetLeft> leftovers_;  ///< if the process ends at once
  bool quiet_, verbose_, live_, text_to_stderr_;
  Progress progress_;
  std::optional<Screen> screen_;  ///< while a load is made
  BuildText build_;
  Nanos will_take_{0};                   ///< 0: not known
  std::optional<TimePoint> load_began_;  ///< of the run
  std::uint64_t errors_ = 0;             ///< of all ops so far
  std::size_t points_done_ = 0;
  std::string variant_;  ///< the run of a comparison, in the live line
  std::string point_;    ///< the load point, in the live line
  LoadPhase phase_;      ///< of the load point
  std::string plan_;     ///< as it was printed
};

}  // namespace edagen
