// --sweep and --repeat.
#pragma once

#include "cli/options.hpp"

namespace edagen {

struct Sweep {
  Swept parameter = Swept::nothing;
  std::vector<double> values;  ///< in the order of measurement
};

struct SeriesOptions {
  std::optional<Sweep> sweep;
  std::size_t repeats = 1;

  void add_repeat_to(CLI::App& app);
  void add_sweep_to(CLI::App& app);
  /// `load` with what the sweep needs: as many clients and as deep I/O as its largest value, and a closed loop unless a
  /// rate is given. Throws Error (usage) when `load` sets what is swept.
  LoadOptions swept(LoadOptions load) const;
  /// `load`: of swept(). `plan`: of these options. Throws Error (usage).
  LoadSeries series(const LoadOptions& load, const RunPlan& plan) const;
};

/// "clients=1..12". Throws Error (usage).
Sweep parse_sweep(const std::string& text);

/// "1,2,4,...,256" and "1..12" as numbers: an ellipsis goes on as the two values before it do, by their ratio if the
/// value after it can be reached so, else by their difference. Throws Error (usage).
std::vector<double> parse_values(const std::string& text, const std::string& where);

}  // namespace edagen
