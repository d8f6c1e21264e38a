// Shows on stderr what a session does, and on stdout what it found.
#pragma once

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "edagen/session.hpp"

namespace edagen {

class Console final : public SessionObserver {
 public:
  /// `text_to_stderr`: stdout is for something else.
  Console(const TalkOptions& talk, bool text_to_stderr);

  void begins(const std::string& plan) override;
  void building(const BuildProgress& progress) override { progress_.show(build_text(progress)); }
  void built() override { progress_.clear(); }
  void point_begins(std::optional<double> rate, const std::string& purpose) override;
  void point_measured(const PointFigures& point) override;
  void load_ended() override;
  void finished(const Result& result) override;
  void variant_run(const std::string& variant, std::size_t number, std::size_t of, const RunFigures& figures,
                   bool at_target) override;
  void variant_refused(const std::string& variant, const std::string& why) override;
  void finished(const ComparisonResult& comparison) override;
  void warming_up(const Interval& interval) override { show("warm-up", interval); }
  void measured(const Interval& interval) override { show("measuring", interval); }
  void op_failed(const std::string& what, OpKind kind, int error) override;
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override;
  void ops_never_returned(std::uint64_t count) override;
  void dataset_left(const DatasetLeft& left) override;
  void hanging(const std::string& call, Nanos age) override;
  [[noreturn]] void abandon(const std::string& call) override;

 private:
  void show(const char* phase, const Interval& interval);
  std::ostream& text() const;

  bool quiet_, live_, text_to_stderr_;
  Progress progress_;
  std::size_t points_done_ = 0;
  std::string point_;  ///< what the live line says of it
};

}  // namespace edagen
