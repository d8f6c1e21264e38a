// What run, curve and compare have in common: a setup on which loads are measured and written down.
#pragma once

#include "output.hpp"
#include "run_reporter.hpp"
#include "edagen/curve/load_series.hpp"
#include "run_setup.hpp"

namespace edagen {

struct CurveOptions {
  std::string targets = "2ms", statistic = "mean", latency = "response", scale_by = "rate", max_rate;
  std::size_t points = 0;

  void add_to(CLI::App& app);
  /// A curve on a modelled volume costs nothing per proc: so many job sets that procs, being serial, are not the limit.
  void give_procs(LoadOptions& load) const;
  CurvePlan plan(const LoadOptions& load, const RunSetup& setup) const;
};

class LoadSession {
 public:
  /// Checks everything that can be checked without touching anything. `options` outlive this.
  LoadSession(LoadOptions& options, std::vector<std::string> arguments);

  RunSetup& setup() { return setup_; }
  /// Builds the dataset and measures; the finished result. Its status is "interrupted" when `stop` came first.
  Result measure(const CurvePlan& plan, std::stop_token stop);
  Result measure(const LoadSeries& series, std::stop_token stop);
  const Curve& curve() const { return curve_; }
  RunJournal& journal() { return *journal_; }

 private:
  void open_journal();
  Result carry_out(std::stop_token stop, const std::function<Curve(LoadRunner&, CurveObserver&)>& measure);

  LoadOptions& options_;
  std::vector<std::string> arguments_;
  RunSetup setup_;
  std::unique_ptr<RunJournal> journal_;
  Curve curve_;
};

/// The exit status that a curve, or a single point, stands for.
int status_of(const Curve& curve);

}  // namespace edagen
