// The options of run and curve, in a command line or in the configuration of nightly, and the plan that they make.
#pragma once

#include "cli/curve_options.hpp"
#include "cli/series_options.hpp"

namespace edagen {

struct LoadCommand {
  enum class Kind { run, curve };

  explicit LoadCommand(Kind of) : kind(of) {}
  void add_to(CLI::App& app);
  /// Throws Error (usage).
  RunPlan plan(const std::vector<std::string>& command) const;

  Kind kind;
  LoadOptions load;
  CurveOptions curve;
  SeriesOptions series;
};

}  // namespace edagen
