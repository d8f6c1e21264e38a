// The options of a gate, and the outputs of its verdict.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "edagen/run_plan.hpp"
#include "nights/night.hpp"

namespace edagen {

/// Options whose values are stored in `gate`, which must outlive the parsing; what `gate` holds are the defaults.
/// Parsing throws Error (usage).
void add_gate_options(CLI::App& app, Gate& gate);

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
