#include "report/history_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/part_difference.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"
#include "report/judgement_text.hpp"
#include "report/judgement_words.hpp"
#include "report/number_text.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"

namespace edagen {
namespace {

constexpr std::size_t fewest_nights_of_change = 6;  ///< three before it and three after it

/// Op kinds are many: one has a row when its level changed, or when the last night lost or gained by it.
bool has_row(const FigureSeries& series, const std::vector<NightChange>& changes, const std::vector<Night>& nights) {
  const auto is_of_series = [&](const auto& each) {
    return each.measurement == series.measurement && each.figure == series.figure;
  };
  if (series.kind != FigureKind::op_kind || std::ranges::any_of(changes, is_of_series)) return true;
  const std::optional<NightJudgement>& last = nights.back().judgement;
  return last && std::ranges::any_of(last->figures, [&](const FigureVerdict& figure) {
           const bool tells = figure.verdict == NightVerdict::regression || figure.verdict == NightVerdict::improvement;
           return tells && is_of_series(figure);
         });
}

/// The change from the first night to the last one, as a change of level: against the reference where both nights have
/// one.
std::string first_to_last(const FigureSeries& series) {
  const auto &first = series.references.front(), &last = series.references.back();
  const bool by_ratio = series.against_reference && first && last;
  const double moved = by_ratio ? last->value - first->value : 0;
  return signed_percent(std::expm1(series.samples.back().value - series.samples.front().value - moved)) +
         reference_text(by_ratio);
}

}  // namespace

std::string unchanged_text(const std::vector<FigureSeries>& series) {
  std::size_t nights = 0;
  for (const FigureSeries& each : series) nights = std::max(nights, each.samples.size());
  if (nights >= fewest_nights_of_change)
    return "no figure changed its level by more than chance (a change shows once three nights have it)";
  return fmt::format("{}: a change of a figure's level shows from {} nights on", counted(nights, "night"),
                     fewest_nights_of_change);
}

std::string figure_name(const std::string& measurement, const std::string& figure) {
  return one_line(measurement.empty() ? figure : measurement + ": " + figure);
}

std::string night_summary(const Night& night) {
  return night.judgement ? judgement_line(*night.judgement) : std::string("not judged");
}

bool is_simulated(const FigureSeries& series, const std::vector<Night>& nights) {
  const NightMeasurement* const last = measurement_named(nights[series.nights.back()], series.measurement);
  return last && is_simulated(*last);
}

bool is_invalid(const FigureSeries& series, std::size_t at, const std::vector<Night>& nights) {
  const NightMeasurement* const measured = measurement_named(nights[series.nights[at]], series.measurement);
  return measured && is_invalid(*measured, series.figure);
}

std::size_t nights_without(const FigureSeries& series, const std::vector<Night>& nights) {
  std::size_t count = 0;
  for (std::size_t i = series.nights.back() + 1; i < nights.size(); ++i) {
    const NightMeasurement* const measured = measurement_named(nights[i], series.measurement);
    if (measured && std::ranges::count(measured->runs, false, &NightRun::reference) > 0) ++count;
  }
  return count;
}

std::string invalid_nights_text(const NightChange& change) {
  if (change.invalid_nights == 0) return "";
  return fmt::format(", INVALID: {} of {}", change.invalid_nights, counted(change.nights, "night"));
}

std::string history_text(const std::vector<Night>& nights, std::size_t most) {
  TextTable table({"night", "status", "version", "kernel", "verdict"}, {0, 1, 2, 3, 4});
  for (std::size_t i = nights.size() - std::min(most, nights.size()); i < nights.size(); ++i)
    table.add({nights[i].started_at,
               std::string(to_string(nights[i].status)) + (has_invalid_figures(nights[i]) ? ", INVALID" : ""),
               nights[i].edagen_version, nights[i].kernel, night_summary(nights[i])});
  std::string text = wrapped_lines(table.str(), 4);
  const std::vector<FigureSeries> series = series_of(nights);
  const auto are_comparable = [&](const FigureSeries& each) {
    const NightMeasurement* const first = measurement_named(nights[each.nights.front()], each.measurement);
    const NightMeasurement* const last = measurement_named(nights[each.nights.back()], each.measurement);
    return !first || !last || difference_in_words(*first, *last, {}).empty();
  };
  const std::vector<NightChange> changes = changes_of(nights, series);
  TextTable figures({"figure", "nights", "first", "last", "first to last"});
  std::uint64_t without_row = 0;
  for (const FigureSeries& each : series) {
    if (!has_row(each, changes, nights)) {
      ++without_row;
      continue;
    }
    const double first = each.samples.front().value, last = each.samples.back().value;
    const std::size_t end = each.samples.size() - 1;
    const auto mark = [&](std::size_t at) { return std::string(is_invalid(each, at, nights) ? "INVALID " : ""); };
    const bool one = each.samples.size() == 1;
    const std::size_t without = nights_without(each, nights);
    figures.add({figure_name(each.measurement, each.figure) + (is_simulated(each, nights) ? ", simulated" : ""),
                 std::to_string(each.samples.size()), mark(0) + value_text(std::exp(first)),
                 mark(end) + value_text(std::exp(last)),
                 without > 0 ? fmt::format("none in the last {}", counted(without, "night"))
                 : one       ? "-"
                             : (mark(0).empty() ? mark(end) : mark(0)) + first_to_last(each) +
                             (are_comparable(each) ? "" : ", not comparable")});
  }
  text += "\n" + figures.str();
  if (without_row > 0)
    text += fmt::format("and {} of op kinds, without a change of level (--html FILE has them)\n",
                        counted(without_row, "figure"));
  text += "\n";
  if (changes.empty()) text += unchanged_text(series) + "\n";
  for (const NightChange& change : changes)
    text += wrapped(
        fmt::format("since {}: {} {}{} ({}, p = {:.2g}{}){}", nights[change.night].started_at,
                    figure_name(change.measurement, change.figure), signed_percent(change.change),
                    reference_text(change.against_reference), change.better ? "better" : "worse", change.p,
                    invalid_nights_text(change), change.differs.empty() ? "" : "; " + few_differences(change.differs)),
        4);
  return text;
}

}  // namespace edagen
