// Shows and writes down what happens while load points are run.
#pragma once

#include "edagen/curve/load_curve.hpp"
#include "edagen/report/journal.hpp"
#include "progress.hpp"

namespace edagen {

class RunReporter final : public CurveObserver {
 public:
  RunReporter(Journal& journal, bool live) : journal_(journal), progress_(live) {}

  void point_begins(double rate, const std::string& purpose) override;
  void point_done(const CurvePoint& point) override;
  void warming_up(const Interval& interval) override { note("warmup", "warm-up", interval); }
  void measured(const Interval& interval) override { note("measure", "measuring", interval); }
  void op_failed(const std::string& what, OpKind kind, int error) override;
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override;
  /// Takes the live line away.
  void finish() { progress_.clear(); }

 private:
  void note(const char* phase, const char* shown, const Interval& interval);

  Journal& journal_;
  Progress progress_;
  std::size_t points_done_ = 0;
  std::string point_;  ///< what the live line says of it
};

}  // namespace edagen
