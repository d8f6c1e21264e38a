#include "report/repeats_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "edagen/units.hpp"
#include "report/point_text.hpp"
#include "report/text_table.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_shown = 5;  ///< repeats that have a column each

/// What is compared of a run; nullopt: the run does not have it.
std::optional<double> figure_of(const RunFigures& run, bool at_target) {
  if (at_target) return run.has_rate() ? std::optional(run.ops_per_sec) : std::nullopt;
  return run.has_response() ? std::optional(run.response.count()) : std::nullopt;
}

bool has_bound(const RunFigures& run, bool at_target) {
  return at_target ? run.is_lower_bound() : run.is_response_bound();
}

/// `is_least`: it is a lower bound.
std::string cell(double figure, bool at_target, bool is_least) {
  return (is_least ? "> " : "") + (at_target ? per_second(figure) : format_millis(figure));
}

/// An invalid run in brackets.
std::string cell_of(const RunFigures& run, bool at_target) {
  const std::optional<double> figure = figure_of(run, at_target);
  const std::string text = figure ? cell(*figure, at_target, has_bound(run, at_target)) : "-";
  return run.valid() ? text : "(" + text + ")";
}

/// A run may be missing before others, as a journal may have lost it.
void add_each(TextTable& table, const VariantFigures& variant, const std::set<std::uint64_t>& repeats, bool at_target) {
  std::vector<Cell> row = {variant.name};
  for (const std::uint64_t repeat : repeats) {
    const auto run = std::ranges::find(variant.runs, repeat, &RunFigures::repeat);
    row.emplace_back(run == variant.runs.end() ? "-" : cell_of(*run, at_target));
  }
  table.add(std::move(row));
}

void add_summary(TextTable& table, const VariantFigures& variant, bool at_target) {
  std::vector<double> figures;
  double least_bound = std::numeric_limits<double>::infinity();  // what is not below it may be more
  for (const RunFigures& run : variant.runs)
    if (const auto figure = figure_of(run, at_target)) {
      figures.push_back(*figure);
      if (has_bound(run, at_target)) least_bound = std::min(least_bound, *figure);
    }
  if (figures.empty()) return;
  const auto [low, high] = std::ranges::minmax(figures);
  std::vector<Cell> row = {variant.name};
  for (const double figure : {low, median_of(figures), high})
    row.emplace_back(cell(figure, at_target, figure >= least_bound));
  table.add(std::move(row));
}

}  // namespace

std::string repeats_text(const ComparisonResult& comparison, const std::string& target) {
  std::size_t most = 0;
  std::set<std::uint64_t> repeats;
  bool any_invalid = false;
  for (const VariantFigures& variant : comparison.variants) {
    most = std::max(most, variant.runs.size());
    for (const RunFigures& run : variant.runs) repeats.insert(run.repeat);
    any_invalid |= !std::ranges::all_of(variant.runs, &RunFigures::valid);
  }
  if (most < 2) return "";
  const bool at_target = !target.empty(), each = repeats.size() <= most_shown && !comparison.is_sliced();
  std::vector<Column> heads = {at_target ? "ops/s" + target : std::string("mean ms")};
  if (each)
    for (const std::uint64_t repeat : repeats) heads.emplace_back(fmt::format("repeat {}", repeat));
  else heads.insert(heads.end(), {"lowest", "median", "highest"});
  TextTable table(heads);
  for (const VariantFigures& variant : comparison.variants) {
    if (variant.runs.empty()) continue;
    if (each) add_each(table, variant, repeats, at_target);
    else add_summary(table, variant, at_target);
  }
  if (!any_invalid) return "\n" + table.str();
  const char* const what = comparison.is_sliced() ? "invalid slices are among them\n" : "invalid runs are among them\n";
  return "\n" + table.str() + (each ? "in brackets: invalid runs\n" : what);
}

}  // namespace edagen
