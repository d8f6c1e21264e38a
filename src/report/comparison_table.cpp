#include "report/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "edagen/units.hpp"
#include "report/number_text.hpp"

namespace edagen {
namespace {

/// "none: lower bound", or the verdict.
Cell verdict_cell(const VariantFigures& variant, const VariantFigures& baseline) {
  const AgainstFirst& against = *variant.against_first;
  if (is_bound(variant, baseline)) return "none: lower bound";
  if (is_too_wide(against)) return "none: too few repeats";
  if (against.verdict != Verdict::invalid_runs && !against.confidence_95[1]) return "none: no interval";
  return {std::string(to_string(against.verdict)), against.verdict == Verdict::faster   ? "good"
                                                   : against.verdict == Verdict::slower ? "bad"
                                                                                        : ""};
}

std::string ratio_interval_cell(const VariantFigures& variant, const VariantFigures& baseline, const Ratios& ratios) {
  if (is_bound(variant, baseline)) return "";
  return has_interval(*variant.against_first) ? ratios.text(*variant.against_first) : "none: needs more repeats";
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

bool is_bound(const VariantFigures& variant, const VariantFigures& baseline) {
  return variant.is_lower_bound() || baseline.is_lower_bound();
}

bool is_too_wide(const AgainstFirst& against) {
  const auto& [low, high] = against.confidence_95;
  return against.verdict == Verdict::no_difference && high && *high > 4 * low.value_or(0);
}

Ratios::Ratios(const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.against_first || !baseline || is_bound(variant, *baseline)) continue;
    const AgainstFirst& against = *variant.against_first;
    const bool interval = has_interval(against);
    for (const double shown :
         {against.ratio, interval ? against.confidence_95[0].value_or(against.ratio) : against.ratio,
          interval ? *against.confidence_95[1] : against.ratio})
      factors_ |= shown >= 2 || shown <= 0.5;
  }
}

std::string Ratios::text(double ratio) const {
  if (!factors_) return signed_percent(ratio - 1);
  return (ratio >= 0.1 && ratio < 9.995 ? fmt::format("{:.2f}", ratio) : value_text(ratio)) + "x";
}

std::string Ratios::text(const AgainstFirst& against) const {
  return fmt::format("{} to {}", text(against.confidence_95[0].value_or(0)), text(*against.confidence_95[1]));
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
  heads.insert(heads.end(), {"vs " + (baseline ? baseline->name : "the first"),
                             {"95 % interval", Shown::on_page},
                             "verdict",
                             {"valid runs", Shown::on_page}});
  TextTable table(heads, {0, heads.size() - 2});
  for (const VariantFigures& variant : comparison.variants) {
    const bool measured = !variant.runs.empty(), rates = variant.has_rates();
    const bool compared = baseline && variant.against_first;
    std::vector<Cell> row = {variant.name};
    const auto add = [&](const std::string& cell) { row.emplace_back(measured ? cell : ""); };
    const char* const least = variant.is_lower_bound() ? "> " : "";
    add(rates ? least + format_count(variant.mean_ops_per_sec) : "none");
    add(rates ? least + format_mib(variant.mean_mib_per_sec) : "none");
    add(variant.has_responses() ? format_millis(variant.mean_response.count()) : "none");
    if (nfs) add(variant.mean_rpcs_per_op > 0 ? fmt::format("{:.3g}", variant.mean_rpcs_per_op) : "");
    add(compared && !is_bound(variant, *baseline) ? ratios.text(variant.against_first->ratio) : "");
    add(compared ? ratio_interval_cell(variant, *baseline, ratios) : "");
    row.push_back(variant.refused        ? Cell("refused", "bad")
                  : compared && measured ? verdict_cell(variant, *baseline)
                                         : Cell(""));
    row.push_back(valid_runs_cell(comparison, variant));
    table.add(std::move(row));
  }
  return table;
}

std::string runs_text(const ComparisonResult& comparison) {
  std::set<std::size_t> numbers;
  std::string each;
  for (const VariantFigures& variant : comparison.variants) {
    numbers.insert(variant.runs.size());
    each += fmt::format("{}{} {}", each.empty() ? "" : ", ", variant.name, variant.runs.size());
  }
  const std::string runs =
      numbers.size() == 1 ? counted(*numbers.begin(), "run") + " of each" : fmt::format("runs: {}", each);
  const VariantFigures* const baseline = comparison.baseline();
  const bool compared =
      std::ranges::any_of(comparison.variants, [](const auto& variant) { return variant.against_first.has_value(); });
  if (!baseline || !compared || *numbers.rbegin() < 2) return runs;
  std::string fewer;  // than the means are of
  for (const VariantFigures& variant : comparison.variants) {
    const std::size_t both = variant.repeats_as(*baseline);
    if (variant.against_first && (both < variant.runs.size() || both < baseline->runs.size()))
      fewer += fmt::format("{} {} {}", fewer.empty() ? ", over those that both have:" : ",", variant.name, both);
  }
  return fmt::format(
      "{}; a row shows their arithmetic means, and \"vs {}\" is the geometric mean of the ratios, repeat by repeat{}",
      runs, baseline->name, fewer);
}

std::size_t tested_variants(const ComparisonResult& comparison) {
  return static_cast<std::size_t>(std::ranges::count_if(comparison.variants, [](const VariantFigures& variant) {
    return variant.against_first && variant.against_first->p_holm;
  }));
}

std::string all_intervals_text(const ComparisonResult& comparison) {
  const std::size_t tested = tested_variants(comparison);
  if (tested < 2) return "";
  return fmt::format(
      "{} variants are compared with one: 95 % confidence is of all intervals together (Bonferroni), and the "
      "probability of a wrong verdict is at most 5 % for all together (Holm), which may show a difference where the "
      "interval does not",
      tested);
}

TextTable staleness_table(const StalenessFigures& staleness) {
  TextTable table(
      {"stale data", "checks", {"stale", Shown::on_page}, "stale %", "periods", "unended", "p50 ms", "max ms"});
  const auto count = [](std::uint64_t many) { return format_count(static_cast<double>(many)); };
  const auto add = [&](const char* shown, const StaleFigures& seen) {
    const std::string longest = format_millis(seen.stale_for_max.count());
    table.add({shown, count(seen.looks), count(seen.stale), fmt::format("{:.1f}", 100 * seen.stale_share),
               count(seen.periods), count(seen.unended),
               seen.stale_for_p50 ? format_millis(seen.stale_for_p50->count()) : "> " + longest,
               (seen.unended > 0 ? "> " : "") + longest});
  };
  add("attributes (stat)", staleness.attributes);
  add("data (open, read)", staleness.data);
  add("created files not found", staleness.lookups);
  return table;
}

}  // namespace edagen
