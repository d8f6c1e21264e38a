#include "report/comparison_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "edagen/units.hpp"
#include "report/comparison_text.hpp"
#include "report/curve_ratio.hpp"
#include "report/curves_page.hpp"
#include "report/factor_text.hpp"
#include "report/point_text.hpp"
#include "report/slices_text.hpp"
#include "report/staleness_text.hpp"
#include "report/work_text.hpp"

namespace edagen {
namespace {

/// The ratios to the baseline as points with their intervals, a line for each variant.
void add_ratios(Document& blocks, const ComparisonResult& comparison, const Ratios& ratios) {
  const VariantFigures* const baseline = comparison.baseline();
  const auto place = [&](double ratio) { return ratios.are_factors() ? ratio : 100 * (ratio - 1); };
  Document rows = Document::array();
  double low = place(1), high = low;
  for (const VariantFigures& variant : comparison.variants) {
    if (!baseline || !has_ratio_to(*baseline, variant)) continue;
    const AgainstFirst& against = *variant.against_first;
    const bool interval = has_interval(against);
    const double at = place(against.ratio),
                 from = interval ? place(against.confidence_95[0].value_or(against.ratio)) : at,
                 to = interval ? place(*against.confidence_95[1]) : at;
    low = std::min(low, from), high = std::max(high, to);
    const char* const mark = against.verdict == Verdict::invalid_runs ? ", INVALID" : "";
    rows.push_back({{"label", variant.name + " against " + baseline->name + mark},
                    {"at", at},
                    {"interval", interval ? Document({from, to}) : Document::array()}});
  }
  if (rows.empty()) return;
  const double room = (high - low) / 10;
  const bool factors = ratios.are_factors();
  const Document range = factors ? list_of(std::min(0.9, low / 1.1), std::max(1.1, high * 1.1))
                                 : list_of(std::min(-5.0, low - room), std::max(5.0, high + room));
  blocks.push_back({{"chart", "ratios"},
                    {"x", std::string(factors ? "factor" : "change, %") + " (bar: 95 % interval)"},
                    {"scale", factors ? "logarithmic" : ""},
                    {"range", range},
                    {"none", place(1)},
                    {"rows", std::move(rows)}});
}

/// The latency of each variant's last run over the baseline's, along the rates that both curves have.
void add_ratios_along_rate(Document& blocks, const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  if (!baseline || !baseline->last_run) return;
  const std::vector<RateLatency> reference = line_of(baseline->last_run->load_points);
  Document sets = Document::array(), bars = Document::array();
  bool any_hollow = false;
  for (std::size_t colour = 0; colour < comparison.variants.size(); ++colour) {
    const VariantFigures& variant = comparison.variants[colour];
    if (&variant == baseline || !variant.last_run) continue;
    const std::vector<LatencyRatio> ratios = latency_ratios(reference, line_of(variant.last_run->load_points));
    if (ratios.size() < 2) continue;
    for (const auto& [rate, ratio, error, valid] : ratios) {
      any_hollow |= !valid;
      if (error > 0) bars.push_back({rate, std::max(0.0, ratio - 2 * error), ratio + 2 * error, colour});
    }
    sets.push_back(
        {{"label", variant.name},
         {"style", "line"},
         {"colour", colour},
         {"points", array_of(ratios, [](const LatencyRatio& at) { return list_of(at.rate, at.ratio, !at.valid); })},
         {"minor", false}});
  }
  if (sets.empty()) return;
  Document chart = curve_chart(std::move(sets), "latency, in " + baseline->name + "'s");
  chart["bars"] = std::move(bars);
  chart["targets"] = list_of(list_of(1, "as " + baseline->name));
  chart["height"] = 220;
  blocks.push_back(paragraph("The latency at the same rate, as a multiple of that of " + baseline->name +
                                 " (bar: two standard errors); between load points on a straight line." +
                                 (any_hollow ? " Hollow: of an invalid load point." : ""),
                             "dim"));
  blocks.push_back(std::move(chart));
}

/// The means by combination of two factors: parallel lines where they do not depend on each other.
void add_interaction_chart(Document& blocks, const FactorPairFigures& pair, const std::string& figure) {
  const auto line = [&](const std::string& label, std::size_t colour, double from, double to) {
    return line_set(label, figure + ", neither = 1", colour, list_of(from, to), 1.5, 3);
  };
  const double second = pair.second_without.ratio;
  blocks.push_back(line_chart(list_of("without " + pair.first, "with " + pair.first), "",
                              list_of(line("without " + pair.second, 0, 1, pair.first_without.ratio),
                                      line("with " + pair.second, 1, second, second * pair.first_with.ratio))));
}

void add_factors(Document& blocks, const ComparisonResult& comparison, const std::string& target) {
  for (const FactorEffects& effects : comparison.factor_effects) {
    const std::string figure = figure_name(effects, target);
    blocks.push_back(heading("Factors: " + figure));
    for (const std::string& sentence : factor_sentences(effects, figure)) blocks.push_back(paragraph(sentence));
    blocks.push_back(factor_table(effects).block());
    if (!effects.pairs.empty()) blocks.push_back(pair_table(effects).block());
    for (const FactorPairFigures& pair : effects.pairs)
      if (pair.interaction.is_shown() && pair.aliases.empty()) add_interaction_chart(blocks, pair, figure);
  }
}

/// What the variants' last runs saw beside the figures that are compared.
void add_last_runs(Document& blocks, const ComparisonResult& comparison) {
  std::vector<NamedCurve> curves;
  std::vector<std::pair<std::string, std::map<OpKind, Millis>>> means;
  std::vector<std::pair<std::string, Settings>> settings;
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.last_run) continue;
    const VariantRun& run = *variant.last_run;
    if (run.load_points.size() > 1) curves.push_back({variant.name, run.load_points, run.at_latency_target});
    const RunFigures last =
        variant.runs.empty() ? RunFigures{} : std::ranges::max(variant.runs, {}, &RunFigures::repeat);
    const bool is_valid = comparison.is_sliced() ? !variant.is_invalid() : last.valid();
    means.emplace_back(
        variant.name + (comparison.is_sliced() ? ", all slices" : fmt::format(", last run (repeat {})", last.repeat)) +
            (is_valid ? "" : ", INVALID"),
        run.op_response);
    Settings& of_variant = settings.emplace_back(variant.name, Settings{{"what", variant.what}}).second;
    for (const auto& setting : load_settings(run)) of_variant.push_back(setting);
  }
  if (!curves.empty()) {
    blocks.push_back(heading(std::string("Latency over I/O rate, ") +
                             (comparison.is_sliced() ? "after the slices" : "of the last runs")));
    add_curves(blocks, curves);
    add_ratios_along_rate(blocks, comparison);
  }
  add_op_kinds(blocks, means);
  if (!settings.empty()) add_configurations(blocks, settings);
}

/// Each run of each variant.
void add_runs(Document& blocks, const ComparisonResult& comparison, const std::string& target) {
  std::map<std::uint64_t, Document> none;  // by repeat: a document may number them as it likes
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs) none.try_emplace(run.repeat);
  const std::string figure = target.empty() ? "mean response, ms" : "I/O rate" + target + ", ops/s";
  Document sets = Document::array();
  TextTable table({"variant", "what", "repeat", "I/O rate" + target + ", ops/s", "MiB/s", "mean ms", "valid run"});
  bool any_hollow = false;
  for (const VariantFigures& variant : comparison.variants) {
    std::map<std::uint64_t, Document> values = none, hollow = none;
    for (const RunFigures& run : variant.runs) {
      hollow[run.repeat] = !run.valid();
      any_hollow |= !run.valid();
      if (target.empty() ? run.has_response() : run.has_rate())
        values[run.repeat] = target.empty() ? run.response.count() : run.ops_per_sec;
      table.add({variant.name,
                 {variant.what, "text"},
                 std::to_string(run.repeat),
                 run.has_rate() ? per_second(run.ops_per_sec) : "-",
                 run.has_rate() ? format_mib(run.mib_per_sec) : "-",
                 run.has_response() ? ms(run.response) : "-",
                 validity_cell(run.invalid)});
    }
    sets.push_back(line_set(variant.name, figure, sets.size(),
                            array_of(values, [](const auto& of_repeat) { return of_repeat.second; }), 1.5, 3));
    sets.back()["hollow"] = array_of(hollow, [](const auto& of_repeat) { return of_repeat.second; });
  }
  blocks.push_back(heading("Runs"));
  blocks.push_back(
      line_chart(array_of(none, [](const auto& of_repeat) { return of_repeat.first; }), "repeat", std::move(sets)));
  if (any_hollow) blocks.push_back(paragraph("Hollow: invalid", "dim"));
  blocks.push_back(table.block());
}

}  // namespace

void add_comparison(Document& blocks, const ComparisonResult& comparison) {
  const std::string target = target_text(comparison);
  const Ratios ratios(comparison);
  const std::string text = comparison_text(comparison);
  blocks.push_back(verdict_block(text));
  if (const std::string status = status_text("comparison", comparison, text); !status.empty())
    blocks.push_back(paragraph(status, "bad"));
  for (const std::string& note : comparison_notes(comparison)) blocks.push_back(note_block(note));
  blocks.push_back(variant_table(comparison, target, ratios).block("answer"));
  const std::string whole_runs = comparison.is_sliced() ? "" : alternation_text(comparison);
  for (const std::string& note : {runs_text(comparison), whole_runs, all_intervals_text(comparison)}) {
    std::istringstream lines(note);
    for (std::string line; std::getline(lines, line);) blocks.push_back(paragraph(line, "dim"));
  }
  add_ratios(blocks, comparison, ratios);
  if (comparison.is_sliced()) add_slices(blocks, comparison);
  add_work(blocks, comparison);
  add_factors(blocks, comparison, target);
  add_last_runs(blocks, comparison);
  if (!comparison.is_sliced()) add_runs(blocks, comparison, target);
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.staleness) continue;
    blocks.push_back(paragraph(variant.name));
    blocks.push_back(staleness_table(*variant.staleness).block());
  }
  Settings settings(comparison.labels.begin(), comparison.labels.end());
  for (const auto& setting : origin_settings(comparison)) settings.push_back(setting);
  settings.emplace_back("command", fmt::format("{}", fmt::join(comparison.command, " ")));
  const bool is_end_known = comparison.status != Status::incomplete;  // else the document has the start in its place
  settings.emplace_back("time",
                        fmt::format("{} to {}", comparison.started_at,
                                    is_end_known ? comparison.finished_at.value_or("-") : "a time that is not known"));
  blocks.push_back(settings_table(settings));
}

}  // namespace edagen
