#include "report/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "edagen/units.hpp"
#include "report/comparison_reasons.hpp"
#include "report/factor_text.hpp"
#include "report/point_text.hpp"
#include "report/repeats_text.hpp"
#include "report/slices_text.hpp"
#include "report/staleness_text.hpp"
#include "report/work_text.hpp"
#include "result/error_probability.hpp"
#include "result/escaped_text.hpp"
#include "stats/distribution.hpp"

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

/// How many repeats that vary as these do it takes to tell the ratio within 10 %; nullopt: more than 1,000.
/// `confidence`: that of the interval.
std::optional<int> repeats_needed(const AgainstFirst& against, std::size_t repeats, double confidence) {
  const auto& [low, high] = against.confidence_95;
  const auto half_width = [&](int of) { return student_quantile(confidence, of - 1) / std::sqrt(of); };
  const int now = static_cast<int>(std::max<std::size_t>(2, repeats));
  const double deviation = std::log(*high / low.value_or(0)) / 2 / half_width(now);
  for (int number = now + 1; number <= 1000; ++number)
    if (deviation * half_width(number) <= std::log(1.1)) return number;
  return std::nullopt;
}

/// "2 repeats cannot tell, as they vary too much: about 27 repeats would narrow the interval to ±10 %"
std::string too_wide_text(const AgainstFirst& against, std::size_t repeats, double confidence, bool has_stalled) {
  if (has_stalled) return counted(repeats, "repeat") + " cannot tell, as repeats stalled: measure again";
  const std::optional<int> needed = repeats_needed(against, repeats, confidence);
  return fmt::format("{} cannot tell, as they vary too much: {} repeats would narrow the interval to ±10 %",
                     counted(repeats, "repeat"), needed ? fmt::format("about {}", *needed) : "more than 1,000");
}

/// The confidence of each interval of whole runs, where so many variants are compared with the baseline (Bonferroni).
double confidence_of_one(const ComparisonResult& comparison, std::size_t compared) {
  const bool ends_at_precision = comparison.alternation && comparison.alternation->until;
  return 1 - error_left(false, ends_at_precision) / static_cast<double>(std::max<std::size_t>(1, compared));
}

/// Why a variant cannot be compared with the baseline although both were measured.
std::string bound_text(const VariantFigures& variant, const VariantFigures& baseline) {
  if (variant.is_lower_bound() && baseline.is_lower_bound())
    return "cannot be compared: both rates are lower bounds, as the target was not reached, and either may be higher";
  return fmt::format("cannot be compared: the rate of {} is a lower bound, as the target was not reached",
                     variant.is_lower_bound() ? variant.name : baseline.name);
}

/// The time, and not a number of repeats, was asked for: --max-time does not go with --repeat.
bool has_ended_with_time(const ComparisonResult& comparison) {
  return comparison.alternation && comparison.alternation->end == EndReason::time;
}

/// Why there is no interval, and what gives one.
std::string no_interval_text(const ComparisonResult& comparison, const VariantFigures& variant) {
  const VariantFigures& baseline = *comparison.baseline();
  const bool is_interrupted = comparison.status == Status::interrupted;
  const char* const too_early = "no interval, as the comparison was interrupted";
  if (variant.is_sliced() && is_interrupted) return too_early;
  if (variant.is_sliced()) return "too few blocks for an interval: more time gives one (--max-time)";
  const std::size_t repeats = variant.repeats_as(baseline);
  const bool has_stalled = has_stalled_run(variant, comparison) || has_stalled_run(baseline, comparison);
  if (repeats > 1)
    return fmt::format("{} cannot tell, as {}", counted(repeats, "repeat"),
                       has_stalled ? "repeats stalled: measure again" : "they vary too much for an interval");
  if (is_interrupted) return too_early;
  const bool one = variant.runs.size() == 1 && baseline.runs.size() == 1;
  return fmt::format(
      "{} no interval: {}", one ? "1 run of each gives" : "fewer than 2 repeats that both have give",
      has_ended_with_time(comparison) ? "more time gives one (--max-time)" : "2 or more repeats of both do");
}

/// "b against a: I/O rate at 2 ms +3.2 % (95 % confidence +1.0 % to +5.4 %): faster"
/// `compared`: how many variants are compared with the baseline.
std::string verdict_text(const ComparisonResult& comparison, const VariantFigures& variant, const std::string& figure,
                         const Ratios& ratios, std::size_t compared) {
  const VariantFigures& baseline = *comparison.baseline();
  const AgainstFirst& against = *variant.against_first;
  const std::string both = fmt::format("{} against {}: ", variant.name, baseline.name);
  if (is_bound(variant, baseline)) return both + bound_text(variant, baseline) + "\n";
  const std::string known = both + figure + (variant.has_ratio() ? " " + ratios.text(against.ratio) : "");
  const std::string used =
      variant.is_sliced() ? fmt::format("{} of {}", against.usable_pairs, counted(against.pairs, "block"))
                          : fmt::format("{} of {}", against.usable_pairs, counted(against.pairs, "pair") + " of runs");
  // Blocks can be used whose slices missed their rate. There is no verdict, either, when most slices are of that kind.
  const bool are_few = !variant.is_sliced() || 2 * against.usable_pairs < against.pairs;
  const char* const more = has_ended_with_time(comparison) ? ", and more time (--max-time) may give a verdict"
                                                           : ", and more repeats (--repeat) may give a verdict";
  const char* const more_repeats = !variant.is_sliced() && against.usable_pairs > 0 ? more : "";
  if (against.verdict == Verdict::invalid_runs)
    return fmt::format("{}: no verdict, as {} invalid{}\n", known,
                       are_few ? "runs are" : "most slices of a variant are",
                       are_few && against.pairs > 0 ? fmt::format(": {} can be used{}", used, more_repeats) : "");
  if (!against.confidence_95[0] || !against.confidence_95[1])
    return fmt::format("{}; {}\n", known, no_interval_text(comparison, variant));
  if (is_too_wide(against)) {
    // Documents of older versions have no number of pairs.
    const std::size_t repeats = against.pairs > 0 ? against.usable_pairs : variant.repeats_as(baseline);
    return fmt::format("{}; {}\n", known,
                       variant.is_sliced() ? too_few_blocks_text(against)
                                           : too_wide_text(against, repeats, confidence_of_one(comparison, compared),
                                                           has_stalled_run(variant, comparison) ||
                                                               has_stalled_run(baseline, comparison)));
  }
  return fmt::format("{} (95 % confidence {}): {}{}\n", known, ratios.text(against.confidence_95),
                     to_string(against.verdict),
                     against.usable_pairs < against.pairs ? fmt::format(", from {}", used) : "");
}

bool has_no_usable_pair(const VariantFigures& variant, const VariantFigures* baseline) {
  return baseline && variant.against_first && !is_bound(variant, *baseline) &&
         variant.against_first->verdict == Verdict::invalid_runs && variant.against_first->usable_pairs == 0;
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

/// "none: lower bound", or the verdict.
Cell verdict_cell(const VariantFigures& variant, const VariantFigures& baseline) {
  const AgainstFirst& against = *variant.against_first;
  if (is_bound(variant, baseline)) return "none: lower bound";
  if (is_too_wide(against) || (against.verdict != Verdict::invalid_runs && !against.confidence_95[1]))
    return variant.is_sliced()                ? "none: too few blocks"
           : variant.repeats_as(baseline) > 2 ? "none: repeats vary"
                                              : "none: too few repeats";
  const auto are_valid = [](const VariantFigures& each) { return std::ranges::all_of(each.runs, &RunFigures::valid); };
  if (against.verdict == Verdict::invalid_runs && are_valid(variant) && !are_valid(baseline))
    return fmt::format("none: runs of {} are invalid", baseline.name);
  return {std::string(to_string(against.verdict)), against.verdict == Verdict::faster   ? "good"
                                                   : against.verdict == Verdict::slower ? "bad"
                                                                                        : ""};
}

std::string ratio_interval_cell(const VariantFigures& variant, const VariantFigures& baseline, const Ratios& ratios) {
  if (is_bound(variant, baseline)) return "";
  return has_interval(*variant.against_first) ? ratios.text(variant.against_first->confidence_95)
                                              : "none";  // the verdict has why
}

/// "2 of 3, 1 missing"
Cell valid_runs_cell(const ComparisonResult& comparison, const VariantFigures& variant) {
  std::uint64_t missing = 0;
  for (const MissingRuns& runs : comparison.missing_runs())
    if (runs.variant == variant.name) missing += runs.last - runs.first + 1;
  const auto valid = std::ranges::count_if(variant.runs, [](const RunFigures& run) { return run.valid(); });
  const bool all = !variant.runs.empty() && static_cast<std::size_t>(valid) == variant.runs.size() && missing == 0;
  return {fmt::format("{} of {}{}", valid, variant.runs.size(),
                      missing > 0 ? fmt::format(", {} missing", format_count(static_cast<double>(missing))) : ""),
          all ? "good" : "bad"};
}

}  // namespace

std::vector<std::string> comparison_notes(const ComparisonResult& comparison) {
  std::vector<std::pair<std::string, std::vector<std::string>>> named;  // a note, and the variants that have it
  for (const VariantFigures& variant : comparison.variants)
    for (const std::string& note : variant.last_run ? variant.last_run->notes : std::vector<std::string>()) {
      auto found = std::ranges::find(named, note, &decltype(named)::value_type::first);
      if (found == named.end()) found = named.insert(named.end(), {note, {}});
      found->second.push_back(variant.name);
    }
  std::vector<std::string> notes = comparison.notes;
  for (const auto& [note, names] : named) notes.push_back(fmt::format("{}: {}", fmt::join(names, ", "), note));
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
    const bool measured = !variant.runs.empty(), rates = variant.has_rates();
    const bool compared = baseline && variant.against_first;
    std::vector<Cell> row = {variant.name};
    const auto add = [&](const std::string& cell) { row.emplace_back(measured ? cell : ""); };
    const bool is_lower_bound = rates && variant.is_lower_bound();  // else no load met the target
    const char* const least = is_lower_bound ? "> " : "";
    add(rates ? least + per_second(variant.mean_ops_per_sec) : "none");
    add(rates ? least + format_mib(variant.mean_mib_per_sec) : "none");
    const char* const least_response = variant.is_response_bound() ? "> " : "";
    add(variant.has_responses() ? least_response + format_millis(variant.mean_response.count()) : "none");
    if (nfs) add(variant.mean_rpcs_per_op > 0 ? fmt::format("{:.3g}", variant.mean_rpcs_per_op) : "");
    add(compared && !is_bound(variant, *baseline) && variant.has_ratio() ? ratios.text(variant.against_first->ratio)
                                                                         : "");
    add(compared ? ratio_interval_cell(variant, *baseline, ratios) : "");
    row.push_back(variant.refused        ? Cell("refused", "bad")
                  : variant.is_invalid() ? Cell(is_lower_bound ? "INVALID: lower bound" : "INVALID", "bad")
                  : compared && measured ? verdict_cell(variant, *baseline)
                                         : Cell(""));
    row.push_back(valid_runs_cell(comparison, variant));
    table.add(std::move(row));
  }
  return table;
}

std::string runs_text(const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  const bool compared =
      std::ranges::any_of(comparison.variants, [](const auto& variant) { return variant.against_first.has_value(); });
  if (comparison.is_sliced()) {
    const bool by_block = std::ranges::any_of(comparison.variants, &VariantFigures::has_ratio);
    if (!baseline || !by_block) return alternation_text(comparison);
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
  if (!baseline || !compared || *numbers.rbegin() < 2) return runs;
  std::string fewer, left_out;  // than the means are of
  bool has_invalid = false;
  for (const VariantFigures& variant : comparison.variants) {
    has_invalid = has_invalid || !std::ranges::all_of(variant.runs, &RunFigures::valid);
    const std::size_t both = variant.repeats_as(*baseline);
    const auto& against = variant.against_first;
    if (against && (both < variant.runs.size() || both < baseline->runs.size()))
      fewer += fmt::format("{} {} {}", fewer.empty() ? ", over those that both have:" : ",", variant.name, both);
    if (against && against->verdict != Verdict::invalid_runs && against->usable_pairs < against->pairs)
      left_out += fmt::format("{} {} {} of {}", left_out.empty() ? ", from the pairs that can be used:" : ",",
                              variant.name, against->usable_pairs, against->pairs);
  }
  return fmt::format(
      "{}; a row shows their arithmetic means, and \"vs {}\" is the geometric mean of the ratios, repeat by repeat{}",
      runs + (has_invalid ? " (with invalid ones)" : ""), baseline->name, fewer + left_out);
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
  const VariantFigures* const baseline = comparison.baseline();
  const Ratios ratios(comparison);
  std::string text;
  if (comparison.failure) text += "The comparison failed: " + *comparison.failure + "\n";
  text += missing_text(comparison);
  const std::string invalid = invalid_runs_text(comparison);  // which come first where they are the answer
  if (has_no_verdict(comparison)) text += invalid;
  for (const FactorEffects& effects : comparison.factor_effects)
    for (const std::string& answer : factor_answers(effects, figure_name(effects, target))) text += answer + "\n";
  const std::size_t compared = tested_variants(comparison);
  std::uint64_t unusable = 0;  // variants of which no pair of runs can be used: one line for all
  for (const VariantFigures& variant : comparison.variants)
    if (has_no_usable_pair(variant, baseline)) ++unusable;
  for (const VariantFigures& variant : comparison.variants)
    if (variant.against_first && baseline && (unusable < 2 || !has_no_usable_pair(variant, baseline)))
      text +=
          verdict_text(comparison, variant, target.empty() ? "mean response" : "I/O rate" + target, ratios, compared);
  if (unusable >= 2)
    text +=
        fmt::format("no verdict on {}: no pair of their runs is valid on both sides\n", counted(unusable, "variant"));
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
