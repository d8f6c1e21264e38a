// The options of a curve.
#pragma once

#include "cli/load_rates.hpp"
#include "cli/options.hpp"

namespace edagen {

/// --latency-target
struct LatencyTargets {
  std::string text;          ///< as typed
  std::vector<Nanos> times;  ///< ascending
};

struct CurveOptions {
  LatencyTargets targets{"2ms", {std::chrono::milliseconds(2)}};
  LatencyStatistic statistic;
  std::optional<double> max_rate;  ///< ops/s
  double precision = 2;            ///< %
  Nanos search_time = std::chrono::minutes(2);
  std::optional<GivenPoints> points;  ///< nullopt: a search
  bool by_job_sets = false;           ///< else by rate
  bool shape = true;                  ///< the load goes on after the answer of a search

  void add_to(CLI::App& app);
  /// The names of these options: they have no effect where no curve is measured.
  static const std::vector<std::string>& names();
  /// A curve on a simulated volume costs nothing per proc: without --job-sets and --procs it has so many procs that
  /// procs, being serial, are not the limit.
  void give_procs(const LoadOptions& load, RunPlan& plan) const;
  /// Throws Error (usage).
  CurvePlan curve(const LoadOptions& load, const RunPlan& plan) const;

 private:
  /// The rates of the load points that the user gave, in ops/s. `made` has all other settings. Throws Error (usage).
  std::vector<double> rates(const CurvePlan& made) const;
};

}  // namespace edagen
