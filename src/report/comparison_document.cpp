#include "edagen/report/comparison_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "edagen/core/units.hpp"
#include "edagen/report/text_table.hpp"
#include "edagen/stats/summary.hpp"

namespace edagen {
namespace {

std::vector<double> column(const Document& variant, const char* key) {
  std::vector<double> values;
  for (const Document& run : variant["runs"]) values.push_back(run[key].get<double>());
  return values;
}

std::ptrdiff_t invalid_runs(const Document& variant) {
  const Document& runs = variant["runs"];
  return std::count_if(runs.begin(), runs.end(), [](const Document& run) { return !run["valid"].get<bool>(); });
}

/// Why runs are invalid, each reason once.
std::string invalid_text(const Document& variant) {
  std::set<std::string> reasons;
  for (const Document& run : variant["runs"])
    for (const Document& reason : run["invalid_reasons"]) reasons.insert(reason.get<std::string>());
  return fmt::format("{}: {} of {} runs INVALID: {}\n", variant["name"].get<std::string>(), invalid_runs(variant),
                     variant["runs"].size(), fmt::join(reasons, ", "));
}

}  // namespace

RunFigures figures_of(const Document& result, bool at_target) {
  RunFigures figures;
  if (result["load_points"].empty()) {
    figures.invalid = {"nothing_measured"};
    return figures;
  }
  const Document& answers = result["at_latency_target"];
  const Document* const judged = answers.empty() ? nullptr : judged_point(result, answers[0]);
  const Document* const chosen = judged != nullptr ? judged : &result["load_points"].back();
  figures.ops_per_sec = (*chosen)["achieved_ops_per_sec"];
  figures.mib_per_sec = (*chosen)["mib_per_sec"];
  figures.response_ms = (*chosen)["latency_ms"]["response"]["mean"];
  figures.invalid = (*chosen)["invalid_reasons"].get<std::vector<std::string>>();
  if (!(*chosen)["nfs"].is_null()) figures.rpcs_per_op = (*chosen)["nfs"]["rpcs_per_op"];
  if (at_target && !answers.empty()) {
    const Document& answer = answers[0];
    figures.ops_per_sec = answer["ops_per_sec"];
    figures.mib_per_sec = answer["mib_per_sec"];
    figures.invalid = answer["invalid_reasons"].get<std::vector<std::string>>();
    if (!answer["met"].get<bool>()) figures.invalid.emplace_back("no_load_meets_target");
    else if (!answer["bounded"].get<bool>()) figures.invalid.emplace_back("target_not_reached");
  }
  return figures;
}

std::string figure_text(const RunFigures& figures, bool at_target) {
  const std::string validity = figures.invalid.empty() ? "" : fmt::format(", INVALID: {}", fmt::join(figures.invalid, ", "));
  const std::string rate = format_count(figures.ops_per_sec);
  if (at_target) return fmt::format("{} ops/s, {} MiB/s at the target{}", rate, format_mib(figures.mib_per_sec), validity);
  return fmt::format("{} ms mean response at {} ops/s{}", format_millis(figures.response_ms), rate, validity);
}

Document comparison_document(const std::vector<std::string>& command, const std::string& at) {
  return {{"schema", "edagen.compare/1"},
          {"edagen_version", EDAGEN_VERSION},
          {"command", command},
          {"host", host_json()},
          {"started_at", rfc3339_now()},
          {"finished_at", nullptr},
          {"status", "running"},
          {"at_latency_target", at.empty() ? Document(nullptr) : Document(at)},
          {"variants", Document::array()}};
}

void add_variant(Document& comparison, const std::string& name, const std::string& what, const std::vector<RunFigures>& runs,
                 bool at_target, Document staleness) {
  Document all = Document::array();
  for (const RunFigures& run : runs)
    all.push_back({{"ops_per_sec", run.ops_per_sec},
                   {"mib_per_sec", run.mib_per_sec},
                   {"response_ms", run.response_ms},
                   {"rpcs_per_op", run.rpcs_per_op},
                   {"valid", run.invalid.empty()},
                   {"invalid_reasons", run.invalid}});
  Document variant = {{"name", name}, {"what", what}, {"runs", std::move(all)}};
  for (const char* const key : {"ops_per_sec", "mib_per_sec", "response_ms", "rpcs_per_op"})
    variant[std::string("mean_") + key] = mean_of(column(variant, key));
  variant["staleness"] = std::move(staleness);
  variant["against_first"] = nullptr;
  if (!comparison["variants"].empty()) {
    const char* const key = at_target ? "ops_per_sec" : "response_ms";
    const Difference difference = difference_of(column(comparison["variants"][0], key), column(variant, key), at_target);
    variant["against_first"] = {{"ratio", difference.ratio},
                                {"confidence_95", {difference.low, std::isinf(difference.high) ? Document(nullptr) : Document(difference.high)}},
                                {"verdict", to_string(difference.verdict)}};
  }
  comparison["variants"].push_back(std::move(variant));
}

void finish_comparison(Document& comparison, const std::string& status) {
  comparison["finished_at"] = rfc3339_now();
  comparison["status"] = status;
}

bool is_valid(const Document& comparison) {
  const Document& variants = comparison["variants"];
  return std::all_of(variants.begin(), variants.end(), [](const Document& variant) { return invalid_runs(variant) == 0; });
}

Document staleness_json(const Staleness& staleness) {
  const auto looks = [](const StaleLooks& seen) {
    return Document{{"looks", seen.looks},
                    {"stale", seen.stale},
                    {"stale_share", seen.share()},
                    {"stale_for_p50_ms", to_millis(seen.periods.percentile(50))},
                    {"stale_for_max_ms", to_millis(seen.periods.max())}};
  };
  return {{"attributes", looks(staleness.attributes)}, {"data", looks(staleness.data)}, {"lookups", looks(staleness.lookups)}};
}

std::string staleness_text(const Document& staleness) {
  TextTable table({"what is stale", "looks", "stale %", "for, p50 ms", "max ms"});
  for (const auto& [key, shown] : {std::pair{"attributes", "attributes (stat)"}, {"data", "data (open, read)"},
                                   {"lookups", "created files not found"}}) {
    const Document& seen = staleness[key];
    table.add({shown, format_count(seen["looks"]), fmt::format("{:.1f}", 100 * seen["stale_share"].get<double>()),
               fmt::format("{:.4g}", seen["stale_for_p50_ms"].get<double>()), fmt::format("{:.4g}", seen["stale_for_max_ms"].get<double>())});
  }
  return table.str();
}

std::string comparison_text(const Document& comparison) {
  const Document& at = comparison["at_latency_target"];
  const std::string target = at.is_null() ? "" : " at " + at.get<std::string>();
  TextTable table({"Scenario", "I/O rate" + target, "MiB/s" + target, "response ms", "RPCs/op", "runs", "against the first",
                   "95 % confidence", "verdict"}, {0, 8});
  for (const Document& variant : comparison["variants"]) {
    const Document& against = variant["against_first"];
    const double rpcs = variant["mean_rpcs_per_op"];
    std::string change = "", interval = "", verdict = "";
    if (!against.is_null()) {
      const auto percent = [](double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); };
      change = percent(against["ratio"]);
      const Document& ends = against["confidence_95"];
      interval = ends[1].is_null() ? "one run says nothing" : percent(ends[0]) + " to " + percent(ends[1]);
      verdict = against["verdict"];
    }
    table.add({variant["name"], format_count(variant["mean_ops_per_sec"]), format_mib(variant["mean_mib_per_sec"]),
               format_millis(variant["mean_response_ms"]), rpcs > 0 ? fmt::format("{:.3g}", rpcs) : "",
               std::to_string(variant["runs"].size()), change, interval, verdict});
  }
  std::string text = table.str();
  for (const Document& variant : comparison["variants"])
    if (invalid_runs(variant) > 0) text += invalid_text(variant);
  for (const Document& variant : comparison["variants"])
    if (!variant["staleness"].is_null()) text += "\n" + variant["name"].get<std::string>() + "\n" + staleness_text(variant["staleness"]);
  return text;
}

}  // namespace edagen
