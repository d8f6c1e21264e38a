#include "report/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "edagen/units.hpp"
#include "report/comparison_reasons.hpp"
#include "report/factor_text.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/repeats_text.hpp"
#include "report/shared_notes.hpp"
#include "report/slices_text.hpp"
#include "report/staleness_text.hpp"
#include "report/verdict_text.hpp"
#include "report/work_text.hpp"
#include "result/escaped_text.hpp"

namespace edagen {
namespace {

/// The variants whose figures are a model's; "" when there are none.
std::string simulated_text(const ComparisonResult& comparison) {
  std::vector<std::string> names;
  for (const VariantFigures& variant : comparison.variants)
    if (variant.what.starts_with("sim:")) names.push_back(variant.name);
  if (names.empty()) return "";
  const std::string which =
      names.size() < comparison.variants.size() ? fmt::format("{}: ", fmt::join(names, ", ")) : "";
  return which + "simulated: figures of a model, not of storage\n";
}

/// ", as ops of a never returned", where a whole run was ended for that; "" otherwise. A comparison in slices has its
/// failure.
std::string stuck_text(const ComparisonResult& comparison) {
  std::set<std::string> names;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      if (std::ranges::find(run.invalid, Invalid::stuck_ops) != run.invalid.end()) names.insert(variant.name);
  if (names.empty() || comparison.failure || comparison.status != Status::failed) return "";
  return fmt::format(", as ops of {} never returned", fmt::join(names, ", "));
}

/// Whether nothing was measured of any variant.
bool is_empty(const ComparisonResult& comparison) {
  return std::ranges::all_of(comparison.variants, [](const VariantFigures& variant) {
    return variant.runs.empty() && !variant.refused && !variant.staleness;
  });
}

/// That the comparison was cut off, and which runs of its plan are missing, so that nobody takes the rest for all; ""
/// when it was not.
std::string missing_text(const ComparisonResult& comparison) {
  std::string which;
  for (const MissingRuns& missing : comparison.missing_runs())
    which += fmt::format("{}{} {}{}", which.empty() ? "" : "; ", missing.variant, missing.first,
                         missing.last > missing.first ? fmt::format(" to {}", missing.last) : "");
  const std::string stuck = stuck_text(comparison);
  const bool is_cut_off =
      comparison.status == Status::interrupted || comparison.status == Status::incomplete || !stuck.empty();
  const std::string why = comparison.status == Status::interrupted  ? "was interrupted"
                          : comparison.status == Status::incomplete ? "did not come to its end"
                                                                    : "failed" + stuck;
  if (is_cut_off && is_empty(comparison))
    return fmt::format("The comparison {} before a {} had ended: there is nothing to compare.\n", why,
                       comparison.is_sliced() ? "slice" : "run");
  if (which.empty())
    return is_cut_off ? fmt::format("The comparison {}. All that follows is of what was measured before.\n", why) : "";
  return fmt::format(
      "The comparison {}. Of {} of each variant these are missing: {}. All that follows is of the runs that are there, "
      "not of the whole plan.\n",
      why, counted(*comparison.repeats, "repeat"), which);
}

/// Which edagen compared when and where, and on what.
std::string comparison_origin(const ComparisonResult& comparison) {
  const Host& host = comparison.host;
  std::string text =
      fmt::format("\nedagen {} on {} (Linux {}, {}), {}\n", comparison.edagen_version, host.name, host.kernel,
                  counted(static_cast<std::uint64_t>(host.cpus), "processor"), comparison.started_at);
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.last_run || variant.last_run->target.mounts.empty())
      text += fmt::format("  {}: {}\n", variant.name, variant.what);
    else
      for (const MountFigures& mount : variant.last_run->target.mounts)
        text += fmt::format("  {}: {}\n", variant.name, mount_text(mount));
  }
  for (const auto& [key, label] : comparison.labels) text += fmt::format("  {}: {}\n", key, label);
  for (const std::string& note : comparison_notes(comparison)) text += "Note: " + note + "\n";
  return text;
}

/// Why a variant has no figures.
const char* no_run_text(const ComparisonResult& comparison) {
  return comparison.is_sliced() ? "none: no slice" : "none: no run";
}

/// "2 of 3, 1 missing"
Cell valid_runs_cell(const ComparisonResult& comparison, const VariantFigures& variant) {
  std::uint64_t missing = 0;
  for (const MissingRuns& runs : comparison.missing_runs())
    if (runs.variant == variant.name) missing += runs.last - runs.first + 1;
  const auto valid = std::ranges::count_if(variant.runs, [](const RunFigures& run) { return run.valid(); });
  const bool all = !variant.runs.empty() && static_cast<std::size_t>(valid) == variant.runs.size() && missing == 0;
  const std::string of_runs = variant.runs.empty() ? "-" : fmt::format("{} of {}", valid, variant.runs.size());
  return {of_runs + (missing > 0 ? fmt::format(", {} missing", format_count(static_cast<double>(missing))) : ""),
          all ? "good" : "bad"};
}

}  // namespace

std::vector<std::string> comparison_notes(const ComparisonResult& comparison) {
  std::vector<std::pair<std::string, std::vector<std::string>>> named;
  for (const VariantFigures& variant : comparison.variants)
    if (variant.last_run) named.emplace_back(variant.name, variant.last_run->notes);
  std::vector<std::string> notes = comparison.notes;
  std::ranges::move(notes_with_names(named), std::back_inserter(notes));
  return notes;
}

std::string target_text(const ComparisonResult& comparison) {
  if (!comparison.at_latency_target) return "";
  std::string time = *comparison.at_latency_target;
  const auto unit = time.find_first_not_of("0123456789.");
  if (unit != std::string::npos && unit > 0) time.insert(unit, 1, ' ');
  return " at " + time;
}

TextTable variant_table(const ComparisonResult& comparison, const std::string& target, const Ratios& ratios) {
  const VariantFigures* const baseline = comparison.baseline();
  const bool nfs = std::ranges::any_of(comparison.variants, [](const auto& one) { return one.mean_rpcs_per_op > 0; });
  std::vector<Column> heads = {"Scenario",
                               "I/O rate" + target,
                               "MiB/s" + target,
                               {"mean ms", target.empty() ? Shown::everywhere : Shown::on_page}};
  if (nfs) heads.emplace_back("RPCs/op");
  const bool are_some_invalid = std::ranges::any_of(comparison.variants, [](const VariantFigures& variant) {
    return !std::ranges::all_of(variant.runs, &RunFigures::valid);
  });
  heads.insert(heads.end(), {"vs " + (baseline ? baseline->name : "the first"),
                             {"95 % interval", Shown::on_page},
                             "verdict",
                             {comparison.is_sliced() ? "valid slices" : "valid runs",
                              are_some_invalid && !comparison.is_sliced() ? Shown::everywhere : Shown::on_page}});
  TextTable table(heads, {0, heads.size() - 2});
  for (const VariantFigures& variant : comparison.variants) {
    const bool measured = !variant.runs.empty(), rates = variant.has_rates(), is_first = &variant == baseline;
    std::vector<Cell> row = {variant.name};
    const auto add = [&](const std::string& cell) { row.emplace_back(measured ? cell : "-"); };
    const bool is_lower_bound = rates && variant.is_lower_bound();  // else no load met the target
    const char* const least = is_lower_bound ? "> " : "";
    add(rates ? least + per_second(variant.mean_ops_per_sec) : "none");
    add(rates ? least + format_mib(variant.mean_mib_per_sec) : "none");
    const char* const least_mean = variant.is_response_bound() ? "> " : "";
    add(variant.has_responses() ? least_mean + format_millis(variant.mean_response.count()) : "none");
    if (nfs) add(variant.mean_rpcs_per_op > 0 ? value_text(variant.mean_rpcs_per_op) : "");
    add(!baseline || is_first ? "" : baseline_ratio_cell(variant, *baseline, ratios));
    add(!baseline || is_first ? "" : ratio_interval_cell(variant, *baseline, ratios));
    row.push_back(variant.refused                     ? Cell("refused", "bad")
                  : !measured                         ? Cell(no_run_text(comparison), "bad")
                  : variant.is_invalid()              ? Cell(is_lower_bound ? "INVALID: lower bound" : "INVALID", "bad")
                  : baseline && variant.against_first ? verdict_cell(variant, *baseline)
                  : is_first                          ? Cell("")
                                                      : Cell("none: no runs of both"));
    row.push_back(valid_runs_cell(comparison, variant));
    table.add(std::move(row));
  }
  return table;
}

std::string runs_text(const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  const bool any_ratio = baseline && std::ranges::any_of(comparison.variants, [&](const VariantFigures& variant) {
                           return has_ratio_to(*baseline, variant);
                         });
  if (comparison.is_sliced()) {
    if (!any_ratio) return alternation_text(comparison);
    return fmt::format(
        "{}\n\"vs {}\" compares slices of the same block, so that it is not the ratio of the rows' means",
        alternation_text(comparison), baseline->name);
  }
  std::set<std::size_t> numbers;
  std::string each;
  for (const VariantFigures& variant : comparison.variants) {
    numbers.insert(variant.runs.size());
    each += fmt::format("{}{} {}", each.empty() ? "" : ", ", variant.name, variant.runs.size());
  }
  std::string runs =
      numbers.size() == 1 ? counted(*numbers.begin(), "run") + " of each" : fmt::format("runs: {}", each);
  if (!baseline || *numbers.rbegin() < 2) return runs;
  std::string fewer, left_out;  // than there are runs
  bool has_invalid = false;
  for (const VariantFigures& variant : comparison.variants) {
    has_invalid = has_invalid || !std::ranges::all_of(variant.runs, &RunFigures::valid);
    const std::size_t both = variant.repeats_as(*baseline);
    const auto& against = variant.against_first;
    if (against && (both < variant.runs.size() || both < baseline->runs.size()))
      fewer += fmt::format("{} {} {}", fewer.empty() ? ", over those that both have:" : ",", variant.name, both);
    if (has_ratio_to(*baseline, variant) && against->usable_pairs < against->pairs)
      left_out += fmt::format("{} {} {} of {}", left_out.empty() ? ", from the pairs that can be used:" : ",",
                              variant.name, against->usable_pairs, against->pairs);
  }
  std::string means = runs + (has_invalid ? " (with invalid ones); a row shows the arithmetic means of those that "
                                            "can be used, or of all where none can"
                                          : "; a row shows their arithmetic means");
  if (!any_ratio) return means;
  return fmt::format("{}, and \"vs {}\" is the geometric mean of the ratios, repeat by repeat{}", means, baseline->name,
                     fewer + left_out);
}

std::size_t tested_variants(const ComparisonResult& comparison) {
  return static_cast<std::size_t>(std::ranges::count_if(comparison.variants, [](const VariantFigures& variant) {
    return variant.against_first && variant.against_first->p_holm;
  }));
}

std::string all_intervals_text(const ComparisonResult& comparison) {
  const std::size_t tested = tested_variants(comparison);
  const bool any_interval = std::ranges::any_of(comparison.variants, [](const VariantFigures& variant) {
    return variant.against_first && has_interval(*variant.against_first);
  });
  if (tested < 2 || !any_interval) return "";
  return fmt::format("Intervals and verdicts allow for the comparison of {} variants (docs/nfs.md)", tested);
}

std::string figure_text(const RunFigures& figures, bool at_target) {
  const std::string invalid = figures.valid() ? "" : ", INVALID: " + reason_names(figures.invalid);
  if (!(at_target ? figures.has_rate() : figures.has_response()))
    return (at_target ? "no rate at the target" : "no response") + invalid;
  const std::string rate = per_second(figures.ops_per_sec);
  if (at_target)
    return fmt::format("{}{} ops/s, {} MiB/s at the target{}", figures.is_lower_bound() ? "at least " : "", rate,
                       format_mib(figures.mib_per_sec), invalid);
  return fmt::format("{}{} ms mean response at {} ops/s{}", figures.is_response_bound() ? "> " : "",
                     format_millis(figures.response.count()), rate, invalid);
}

std::string comparison_text(const ComparisonResult& raw) {
  const ComparisonResult comparison = with_escaped_text(raw);
  const std::string target = target_text(comparison);
  const Ratios ratios(comparison);
  std::string text;
  if (comparison.failure) text += "The comparison failed: " + *comparison.failure + "\n";
  text += missing_text(comparison);
  const std::string invalid = invalid_runs_text(comparison);  // which come first where they are the answer
  if (has_no_verdict(comparison)) text += invalid;
  for (const FactorEffects& effects : comparison.factor_effects)
    for (const std::string& answer : factor_answers(effects, figure_name(effects, target))) text += answer + "\n";
  const std::size_t compared = tested_variants(comparison);
  text += verdict_lines(comparison, target.empty() ? "mean response" : "I/O rate" + target, ratios, compared);
  for (const VariantFigures& variant : comparison.variants)
    if (variant.refused) text += fmt::format("{}: refused: {}\n", variant.name, *variant.refused);
  text += (has_no_verdict(comparison) ? "" : invalid) + busy_procs_text(comparison) + later_windows_text(comparison) +
          simulated_text(comparison);
  if (is_empty(comparison)) return text + comparison_origin(comparison);
  if (!text.empty()) text += "\n";
  text += variant_table(comparison, target, ratios).str() + runs_text(comparison) + "\n";
  if (!comparison.is_sliced() && comparison.alternation) text += alternation_text(comparison) + "\n";
  text += repeats_text(comparison, target);
  if (compared > 1) text += all_intervals_text(comparison) + "\n";
  text += work_text(comparison);
  text += factor_text(comparison, target);
  for (const VariantFigures& variant : comparison.variants)
    if (variant.staleness) text += "\n" + variant.name + "\n" + staleness_text(*variant.staleness);
  return text + comparison_origin(comparison);
}

}  // namespace edagen
