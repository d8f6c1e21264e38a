// The options of a gate, and the outputs of its verdict.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "edagen/run_plan.hpp"
#include "nights/night.hpp"

namespace edagen {

/// What was typed of a gate.
struct GateOptions {
  std::optional<double> false_alarms, max_regression, max_tail_regression;
  std::optional<std::size_t> nights;
  std::optional<std::string> since;
  std::optional<std::vector<std::string>> allowed;

  /// Parsing throws Error (usage).
  void add_to(CLI::App& app);
  /// The gate with what was typed in place of its own settings. A limit that was typed is that of all measurements.
  Gate over(Gate gate) const;
};

/// Files to which a verdict is written.
struct VerdictOutputs {
  std::string json, junit, markdown;

  void add_to(CLI::App& app);
  std::vector<Output<NightJudgement>> outputs() const;
  bool stdout_taken() const { return json == "-" || junit == "-" || markdown == "-"; }
};

/// Throws Error (usage) when `key` is not one of comparable_keys().
void check_difference_key(const std::string& key, const std::string& where);

/// The exit status: regression 3, failed 1, cannot tell 6, else 0.
int exit_status_of(const NightJudgement& judgement);

/// Returns `text`, a time of a night: "2026-01-31" or "2026-01-31T12:00:00Z". Throws Error (usage).
std::string night_time(const std::string& text, const std::string& where);

}  // namespace edagen
