// The options of a curve, as typed.
#pragma once

#include "cli/options.hpp"

namespace edagen {

struct CurveOptions {
  std::string targets = "2ms", statistic = "mean", latency = "response", scale_by = "rate", max_rate,
              search_time = "2m";
  double precision = 2;
  std::size_t points = 0;

  void add_to(CLI::App& app);
  /// Those that say how a curve is measured: without effect where none is.
  static const std::vector<std::string>& names();
  /// A curve on a simulated volume costs nothing per proc: without --job-sets and --procs, so many that procs, being
  /// serial, are not the limit.
  void give_procs(const LoadOptions& load, RunPlan& plan) const;
  /// Throws Error (usage).
  CurvePlan curve(const LoadOptions& load, const RunPlan& plan) const;
  /// The lowest of --latency-target, as typed.
  std::string first_target() const { return targets.substr(0, targets.find(',')); }
};

}  // namespace edagen
