// Shows on stderr what a session does, and on stdout what it found.
#pragma once

#include <mutex>
#include <optional>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/screen.hpp"
#include "edagen/session.hpp"

namespace edagen {

class Console final : public SessionObserver {
 public:
  /// `text_to_stderr`: stdout is for something else. `run`: what a screen shows, where the terminal has room for one;
  /// nullptr: a line. It outlives this, and is told of the session, too, if has_screen().
  Console(const LoggingOptions& talk, bool text_to_stderr, const LiveRun* run = nullptr);
  bool has_screen() const { return screen_.has_value(); }

  /// From any thread: the process ends and writes nothing more.
  void ends_at_once();
  void journal_opened(const std::string& path) override;
  void begins(const std::string& plan) override;
  void will_take(Nanos time) override { will_take_ = time; }
  void building(const BuildProgress& progress) override { progress_.show(build_.text(progress)); }
  void built() override { progress_.clear(); }
  void point_begins(std::optional<double> rate, const std::string& purpose) override;
  void point_measured(const PointFigures& point) override;
  void load_begins(const Result& header) override;
  void load_ended() override;
  void finished(const Result& result) override;
  void variant_run(const std::string& variant, std::size_t number, std::size_t of, const RunFigures& figures,
                   bool at_target) override;
  void variant_refused(const std::string& variant, const std::string& why) override;
  void finished(const ComparisonResult& comparison) override;
  void warming_up(const Interval& interval, const IntervalStats&) override { show("warm-up", interval); }
  void measured(const Interval& interval, const IntervalStats&) override { show("measuring", interval); }
  void op_failed(const std::string& what, OpKind kind, int error) override;
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override;
  void ops_never_returned(std::uint64_t count) override;
  void dataset_left(const DatasetLeft& left) override;
  void hanging(const std::string& call, Nanos age) override;
  [[noreturn]] void abandon(const std::string& call) override;

 private:
  void show(const char* phase, const Interval& interval);
  std::ostream& text() const;

  std::mutex journal_mutex_;
  std::string journal_;  ///< where it is, when there is one
  bool quiet_, verbose_, live_, text_to_stderr_;
  Progress progress_;
  std::optional<Screen> screen_;  ///< while a load is made
  BuildText build_;
  Nanos will_take_{0};                   ///< 0: not known
  std::optional<TimePoint> load_began_;  ///< of the run
  std::size_t points_done_ = 0;
  std::string point_;  ///< what the live line says of it
};

}  // namespace edagen
