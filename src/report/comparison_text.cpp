#include "report/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "edagen/units.hpp"
#include "report/number_text.hpp"
#include "report/text_table.hpp"
#include "result/inert.hpp"

namespace edagen {
namespace {

/// Why runs are invalid, each reason once; "" when all are valid.
std::string invalid_text(const VariantFigures& variant) {
  std::set<std::string_view> reasons;
  for (const RunFigures& run : variant.runs)
    for (const Invalid reason : run.invalid) reasons.insert(to_string(reason));
  if (reasons.empty()) return "";
  const auto count =
      std::count_if(variant.runs.begin(), variant.runs.end(), [](const RunFigures& run) { return !run.valid(); });
  return fmt::format("{}: {} of {} runs INVALID: {}\n", variant.name, count, variant.runs.size(),
                     fmt::join(reasons, ", "));
}

/// "2 ms" of "2ms".
std::string spaced(std::string time) {
  const auto unit = time.find_first_not_of("0123456789.");
  return unit == std::string::npos || unit == 0 ? time : time.insert(unit, 1, ' ');
}

}  // namespace

std::string figure_text(const RunFigures& figures, bool at_target) {
  std::string invalid;
  for (const Invalid reason : figures.invalid)
    invalid += fmt::format("{}{}", invalid.empty() ? ", INVALID: " : ", ", to_string(reason));
  const std::string rate = format_count(figures.ops_per_sec);
  if (at_target)
    return fmt::format("{} ops/s, {} MiB/s at the target{}", rate, format_mib(figures.mib_per_sec), invalid);
  return fmt::format("{} ms mean response at {} ops/s{}", format_millis(figures.response.count()), rate, invalid);
}

std::string staleness_text(const StalenessFigures& staleness) {
  TextTable table({"stale data", "checks", "stale %", "periods", "unended", "stale for, p50 ms", "max ms"});
  const auto add = [&](const char* shown, const StaleFigures& seen) {
    const std::string longest = format_millis(seen.stale_for_max.count());
    table.add({shown, format_count(static_cast<double>(seen.looks)), fmt::format("{:.1f}", 100 * seen.stale_share),
               format_count(static_cast<double>(seen.periods)), format_count(static_cast<double>(seen.unended)),
               seen.stale_for_p50 ? format_millis(seen.stale_for_p50->count()) : "> " + longest,
               (seen.unended > 0 ? "> " : "") + longest});
  };
  add("attributes (stat)", staleness.attributes);
  add("data (open, read)", staleness.data);
  add("created files not found", staleness.lookups);
  const bool unended = staleness.attributes.unended + staleness.data.unended + staleness.lookups.unended > 0;
  return table.str() +
         (unended ? "unended: still stale when the watching ended, so that they last longer than was seen\n" : "");
}

std::string comparison_text(const ComparisonResult& raw) {
  const ComparisonResult comparison = inert(raw);
  const std::string target = comparison.at_latency_target ? " at " + spaced(*comparison.at_latency_target) : "";
  const VariantFigures* const baseline = comparison.baseline();
  std::size_t compared = 0;
  TextTable table({"Scenario", "I/O rate" + target, "MiB/s" + target, "response ms", "RPCs/op", "runs",
                   "vs " + (baseline ? baseline->name : "the first"), "95 % confidence", "verdict"},
                  {0, 8});
  for (const VariantFigures& variant : comparison.variants) {
    std::string change, interval, verdict;
    if (variant.refused) verdict = "refused";
    if (variant.runs.empty()) {
      table.add({variant.name, "", "", "", "", "0", "", "", verdict});
      continue;
    }
    if (const auto& against = variant.against_first) {
      const auto& [low, high] = against->confidence_95;
      change = signed_percent(against->ratio - 1);
      interval = low && high ? signed_percent(*low - 1) + " to " + signed_percent(*high - 1) : "needs more runs";
      if (!variant.refused) verdict = to_string(against->verdict);
      if (against->p_holm) ++compared;
    }
    const double rpcs = variant.mean_rpcs_per_op;
    const bool has_rates = std::ranges::all_of(variant.runs, [](const RunFigures& run) { return run.ops_per_sec > 0; });
    table.add({variant.name, has_rates ? format_count(variant.mean_ops_per_sec) : "none",
               has_rates ? format_mib(variant.mean_mib_per_sec) : "none", format_millis(variant.mean_response.count()),
               rpcs > 0 ? fmt::format("{:.3g}", rpcs) : "", std::to_string(variant.runs.size()), change, interval,
               verdict});
  }
  std::string text = table.str();
  if (compared > 1)
    text += fmt::format(
        "{} variants are compared with one: 95 % confidence is of all intervals together (Bonferroni), and the "
        "probability of a wrong verdict is at most 5 % for all together (Holm), which may show a difference where the "
        "interval does not\n",
        compared);
  for (const VariantFigures& variant : comparison.variants)
    if (variant.refused) text += fmt::format("{}: refused: {}\n", variant.name, *variant.refused);
  for (const VariantFigures& variant : comparison.variants) text += invalid_text(variant);
  for (const VariantFigures& variant : comparison.variants)
    if (variant.staleness) text += "\n" + variant.name + "\n" + staleness_text(*variant.staleness);
  return text;
}

}  // namespace edagen
