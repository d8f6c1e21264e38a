// --sweep and --repeat, as typed.
#pragma once

#include "cli/options.hpp"

namespace edagen {

struct SeriesOptions {
  std::string sweep;
  std::size_t repeats = 1;

  void add_repeat_to(CLI::App& app);
  void add_sweep_to(CLI::App& app);
  /// What a sweep needs of the options: as many clients as its most, no pacing unless a rate is given. Throws Error
  /// (usage).
  void prepare(LoadOptions& load);
  /// After prepare(), of a plan of the same options.
  LoadSeries series(const LoadOptions& load, const RunPlan& plan) const;

 private:
  Swept swept_ = Swept::nothing;
  std::vector<double> values_{0};
};

/// "1,2,4,...,256" and "1..12" as numbers: an ellipsis goes on as the two values before it do, by their ratio if the
/// value after it can be reached so, else by their difference. Throws Error (usage).
std::vector<double> parse_values(const std::string& text, const std::string& where);

}  // namespace edagen
