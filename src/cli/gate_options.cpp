#include "cli/gate_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/number.hpp"
#include "base/rfc3339.hpp"
#include "base/words.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "nights/comparable.hpp"
#include "nights/night_json.hpp"
#include "report/judgement_text.hpp"

namespace edagen {
namespace {

/// The share of "1%" or "1", at most `most` percent. Throws Error (usage).
double share_of(const std::string& text, double most) {
  const std::string figure = text.substr(0, text.size() - (text.ends_with('%') ? 1 : 0));
  const double percent = number_of(figure, std::chars_format::fixed).value_or(0);
  if (percent < 0.001 || percent > most)
    throw usage_error("", fmt::format("'{}' is not from 0.001 % to {} %", text, most), "as in 1%");
  return percent / 100;
}

}  // namespace

std::string night_time(const std::string& text, const std::string& where) {
  if (!parse_rfc3339(text.size() == std::string_view("2026-01-31").size() ? text + "T00:00:00Z" : text))
    throw usage_error(where, fmt::format("'{}' is no time", text), "2026-01-31 or 2026-01-31T12:00:00Z");
  return text;
}

void GateOptions::add_to(CLI::App& app) {
  const GateSettings usual;
  OptionGroup group(app, "Gate");
  const auto add_share = [&](const std::string& name, std::optional<double>& share, double of_usual, double most,
                             const char* text) {
    group
        .parsed(
            name + " PERCENT", [&share, most](const std::string& typed) { share = share_of(typed, most); }, text)
        ->default_str(fmt::format("{:g}%", 100 * of_usual));
  };
  add_share("--false-alarms", false_alarms, usual.false_alarms, 49,
            "Probability that a night without a change is reported as a regression, for all figures together");
  add_share("--max-regression", max_regression, usual.max_regression, 99,
            "Largest loss of a rate, or increase of a latency, that is no regression");
  add_share("--max-tail-regression", max_tail_regression, usual.max_tail_regression, 99,
            "The same for p99, which varies more");
  group.number("--nights", nights, whole_number(3, 1000), "Use at most this many nights of the history")
      ->default_str(std::to_string(usual.nights));
  group.parsed(
      "--since DATE", [this](const std::string& typed) { since = night_time(typed, ""); },
      "Judge by nights since this time alone: what changed before it, also for the worse, is accepted");
  app.add_option_function<std::vector<std::string>>(
         "--allow-difference",
         [this](const std::vector<std::string>& keys) {
           for (const std::string& key : keys) check_difference_key(key, "--allow-difference");
           allowed = keys;
         },
         fmt::format("Parts that may differ from the history (repeatable, or several with commas between them): {}",
                     fmt::join(comparable_keys(), ", ")))
      ->type_name("PART,...")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)  // the words after the value are files
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Gate");
}

Gate GateOptions::over(Gate gate) const {
  for (auto& [name, own] : gate.of_measurements) {
    if (max_regression) own.max_regression.reset();
    if (max_tail_regression) own.max_tail_regression.reset();
  }
  gate.false_alarms = false_alarms.value_or(gate.false_alarms);
  gate.max_regression = max_regression.value_or(gate.max_regression);
  gate.max_tail_regression = max_tail_regression.value_or(gate.max_tail_regression);
  gate.nights = nights.value_or(gate.nights);
  gate.since = since.value_or(gate.since);
  gate.allowed = allowed.value_or(gate.allowed);
  return gate;
}

void VerdictOutputs::add_to(CLI::App& app) {
  OptionGroup output(app, "Output");
  output.text("--json FILE", json, "Write the verdict as a JSON document; - is stdout");
  output.text("--junit FILE", junit, "Write the verdict as JUnit XML, a test case for each figure; - is stdout");
  output.text("--markdown FILE", markdown, "Write a short summary in Markdown; - is stdout");
}

void check_difference_key(const std::string& key, const std::string& where) {
  const std::vector<std::string>& keys = comparable_keys();
  if (std::ranges::find(keys, key) != keys.end()) return;
  const std::string near = did_you_mean(key, keys);
  throw usage_error(where, fmt::format("there is no '{}'", key),
                    near.empty() ? fmt::format("known: {}", fmt::join(keys, ", ")) : near);
}

std::vector<Output<NightJudgement>> VerdictOutputs::outputs() const {
  std::vector<Output<NightJudgement>> all;
  const auto add = [&](const char* option, const std::string& path, auto text) {
    if (!path.empty()) all.push_back({{option, path}, text});
  };
  add("--json", json, json_text<NightJudgement>);
  add("--junit", junit, judgement_junit);
  add("--markdown", markdown, judgement_markdown);
  return all;
}

int exit_status_of(const NightJudgement& judgement) {
  switch (judgement.verdict) {
    case NightVerdict::regression: return exit_status::regression;
    case NightVerdict::failed: return exit_status::run_failed;
    case NightVerdict::cannot_tell: return exit_status::cannot_tell;
    default: return exit_status::done;
  }
}

}  // namespace edagen
