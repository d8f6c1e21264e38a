#include "report/slices_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "edagen/units.hpp"
#include "report/ratios.hpp"
#include "result/block_figure.hpp"

namespace edagen {
namespace {

/// "" where the number is not known, as after a kill.
std::string seconds_text(const char* before, const std::optional<double>& seconds, const char* after) {
  return seconds > 0 ? before + format_duration(from_seconds(*seconds)) + after : "";
}

/// ", of 2 s", or ", of 500 ms to 2 s" where slices became longer or shorter; "" where no slice has ended.
std::string length_text(const ComparisonResult& comparison) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      if (run.slice) shortest = std::min(shortest, run.slice->seconds), longest = std::max(longest, run.slice->seconds);
  if (longest <= 0) return "";
  const std::string most = format_duration(from_seconds(longest)), least = format_duration(from_seconds(shortest));
  return least == most ? ", of " + most : fmt::format(", of {} to {}", least, most);
}

std::string end_text(const AlternationFigures& alternation, Status status) {
  if (!alternation.end) return "";
  switch (*alternation.end) {
    case EndReason::precision:
      return fmt::format("; ended at the precision of --until {:g}%", 100 * alternation.until.value_or(0));
    case EndReason::time:
      return alternation.until ? "; ended as its time was over (--max-time), before the precision of --until"
                               : "; ended as its time was over";
    case EndReason::failure:  // repeats end when all variants were refused, have invalid runs or lower bounds
      return status == Status::complete ? "; ended as no variant can have a verdict" : "; ended as a variant failed";
    case EndReason::as_planned:
    case EndReason::interrupt: break;
  }
  return "";
}

/// Blocks in which each variant has both of its slices.
std::uint64_t whole_blocks_of(const ComparisonResult& comparison) {
  std::map<std::uint64_t, std::size_t> slices;  // of all variants, by block
  std::size_t variants = 0;
  for (const VariantFigures& variant : comparison.variants) {
    for (const RunFigures& run : variant.runs)
      if (run.slice) ++slices[run.slice->block];
    if (!variant.refused) ++variants;
  }
  return static_cast<std::uint64_t>(
      std::ranges::count_if(slices, [&](const auto& block) { return block.second == 2 * variants; }));
}

/// A chart over the seconds of the comparison.
Document time_chart(Document sets, const std::string& y) {
  Document chart = curve_chart(std::move(sets), y);
  chart["x"] = "seconds since the first load";
  return chart;
}

/// The ratio to the baseline by block, at the block's middle.
Document ratio_points(const VariantFigures& variant, const VariantFigures& baseline, ComparedBy by) {
  struct Block {
    std::vector<double> baselines = {}, others = {};
    double time = 0;
    bool valid = true;
  };
  std::map<std::uint64_t, Block> blocks;
  const auto add = [&](const VariantFigures& of, std::vector<double> Block::*figures) {
    for (const RunFigures& run : of.runs) {
      if (!run.slice || figure_of(run, by) <= 0) continue;
      Block& block = blocks[run.slice->block];
      (block.*figures).push_back(figure_of(run, by));
      block.time += run.slice->start_seconds + run.slice->seconds / 2;
      block.valid = block.valid && run.valid();
    }
  };
  add(baseline, &Block::baselines);
  add(variant, &Block::others);
  const auto log_figure = [&](const std::vector<double>& of) { return log_figure_of_block(of[0], of[1], by); };
  Document points = Document::array();
  for (const auto& [number, block] : blocks)
    if (block.baselines.size() == 2 && block.others.size() == 2)
      points.push_back(
          list_of(block.time / 4, std::exp(log_figure(block.others) - log_figure(block.baselines)), !block.valid));
  return points;
}

}  // namespace

std::string alternation_text(const ComparisonResult& comparison) {
  if (!comparison.alternation) return "";
  const AlternationFigures& alternation = *comparison.alternation;
  if (!comparison.is_sliced())
    return fmt::format("whole runs alternated: {}{}", alternation.reason, end_text(alternation, comparison.status));
  std::string text =
      fmt::format("slices alternated ({}): {} of two slices of each{}{}{}{}", alternation.reason,
                  counted(whole_blocks_of(comparison), "block"),
                  comparison.at_latency_target ? " (at rates below and over the target)" : "", length_text(comparison),
                  seconds_text(", each after ", alternation.settle_seconds, " of settling"),
                  end_text(alternation, comparison.status));
  for (const std::string& shared : alternation.shared) text += "\nshared: " + shared;
  return text;
}

std::string too_few_blocks_text(const AgainstFirst& against) {
  return fmt::format("{} cannot tell: more time does (--max-time)", counted(against.usable_pairs, "block"));
}

void add_slices(Document& blocks, const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  const ComparedBy by = compared_by(comparison);
  const bool by_rate = by == ComparedBy::rate;
  const Ratios texts(comparison);
  Document figures = Document::array(), ratios = Document::array(), targets = Document::array();
  for (std::size_t colour = 0; colour < comparison.variants.size(); ++colour) {
    const VariantFigures& variant = comparison.variants[colour];
    Document points = Document::array();
    for (const RunFigures& run : variant.runs)
      if (run.slice && figure_of(run, by) > 0)
        points.push_back(list_of(run.slice->start_seconds + run.slice->seconds / 2, figure_of(run, by), !run.valid()));
    if (points.empty()) continue;
    const auto set = [&](Document of) {
      return Document({{"label", variant.name},
                       {"style", "night"},
                       {"colour", colour},
                       {"points", std::move(of)},
                       {"minor", false}});
    };
    figures.push_back(set(std::move(points)));
    if (!baseline || &variant == baseline || !variant.against_first) continue;
    const char* const mark = variant.against_first->verdict == Verdict::invalid_runs ? ", INVALID" : "";
    ratios.push_back(set(ratio_points(variant, *baseline, by)));
    if (!has_ratio_to(*baseline, variant)) continue;
    const double ratio = variant.against_first->ratio;
    targets.push_back(list_of(ratio, fmt::format("{}: {}{}", variant.name, texts.text(ratio), mark)));
  }
  if (figures.empty()) return;
  blocks.push_back(heading("Slices"));
  blocks.push_back(
      paragraph("What all variants have in common is a disturbance; what is left between them in each block "
                "is the difference. Hollow: invalid slices.",
                "dim"));
  blocks.push_back(time_chart(
      std::move(figures), by_rate ? "rate at the target that a slice shows, ops/s" : "mean response of a slice, ms"));
  if (ratios.empty()) return;
  Document chart =
      time_chart(std::move(ratios),
                 (by_rate ? "rate at the target by block, in " : "response by block, in ") + baseline->name + "'s");
  chart["targets"] = std::move(targets);
  chart["height"] = 220;
  blocks.push_back(std::move(chart));
}

}  // namespace edagen
