// The options of a gate and where its verdict goes, as typed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "edagen/run_plan.hpp"
#include "nights/night.hpp"

namespace edagen {

/// "1%" or "1": percent, above 0 and at most `most`, as a share. Throws Error (usage).
double share_of(const std::string& text, const std::string& where, double most);

struct GateOptions {
  std::string false_alarms = "1%", max_regression = "5%", max_tail_regression = "15%", since;
  std::size_t nights = 30;
  std::vector<std::string> allowed;

  void add_to(CLI::App& app);
  /// Throws Error (usage).
  Gate gate() const;
};

/// Where a verdict is written.
struct VerdictOutputs {
  std::string json, junit, markdown;

  void add_to(CLI::App& app);
  std::vector<Output<NightJudgement>> outputs() const;
  bool stdout_taken() const { return json == "-" || junit == "-" || markdown == "-"; }
};

/// Throws Error (usage) when `key` is no part that may differ (comparable_keys()).
void check_difference_key(const std::string& key, const std::string& where);

/// Regression 3, failed 1, cannot tell 6, else 0.
int exit_status_of(const NightJudgement& judgement);

/// A time of a night: "2026-01-31" or "2026-01-31T12:00:00Z". Throws Error (usage).
std::string night_time(const std::string& text, const std::string& where);

}  // namespace edagen
