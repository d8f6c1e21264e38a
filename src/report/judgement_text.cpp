#include "report/judgement_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/number_text.hpp"
#include "report/text_table.hpp"

namespace edagen {
namespace {

std::string percent(double share) {
  return share >= 1 ? fmt::format("{:.0f} %", 100 * share) : fmt::format("{:.2g} %", 100 * share);
}

std::string name_of(const FigureVerdict& figure) {
  return one_line(figure.measurement.empty() ? figure.figure : figure.measurement + ": " + figure.figure);
}

std::string value_or_nothing(const std::optional<double>& value) { return value ? value_text(*value) : ""; }

std::string interval_text(const FigureVerdict& figure) {
  const auto& [low, high] = figure.interval;
  return low && high ? signed_percent(*low) + " to " + signed_percent(*high) : "";
}

/// What may have got worse unseen.
double unseen(const FigureVerdict& figure) {
  const auto& [low, high] = figure.interval;
  return std::max(0.0, higher_is_better(figure.kind) ? -low.value_or(0) : high.value_or(0));
}

std::string verdict_text(const FigureVerdict& figure) {
  if (figure.verdict != NightVerdict::no_change) return std::string(to_string(figure.verdict));
  return fmt::format("no loss larger than {}", percent(unseen(figure)));
}

std::string change_text(const FigureVerdict& figure) {
  std::string text = name_of(figure);
  if (figure.change) text += " " + signed_percent(*figure.change);
  if (!figure.note.empty()) text += (figure.change ? "; " : ": ") + one_line(figure.note);
  return text;
}

std::vector<const FigureVerdict*> with(const NightJudgement& judgement, NightVerdict verdict) {
  std::vector<const FigureVerdict*> found;
  for (const FigureVerdict& figure : judgement.figures)
    if (figure.verdict == verdict) found.push_back(&figure);
  return found;
}

/// What all figures together, but for those of op kinds, leave open.
std::string limits_text(const NightJudgement& judgement) {
  double visible = 0;
  bool tails = false;
  for (const FigureVerdict& figure : judgement.figures) {
    if (figure.kind != FigureKind::op_kind) visible = std::max(visible, figure.smallest_visible.value_or(0));
    tails |= figure.kind == FigureKind::tail;
  }
  std::string text = "limit " + percent(judgement.max_regression);
  if (tails) text += fmt::format(" ({} of p99)", percent(judgement.max_tail_regression));
  text += fmt::format(", false alarms {} of nights", percent(judgement.false_alarms));
  if (visible > 0) text += fmt::format(", losses from {} on are visible", percent(visible));
  return text;
}

/// Each note once, with the figures that have it.
std::string notes_text(const NightJudgement& judgement) {
  std::map<std::string, std::vector<std::string>> figures;
  for (const FigureVerdict& figure : judgement.figures) {
    if (!figure.note.empty()) figures[figure.note].push_back(name_of(figure));
    if (figure.drift_per_night != 0)
      figures[fmt::format("drifts by {:+.2g} % per night", 100 * figure.drift_per_night)].push_back(name_of(figure));
  }
  std::string text;
  for (const auto& [note, names] : figures)
    text += fmt::format(
        "{}: {}\n",
        names.size() > 2 ? fmt::format("{} figures", names.size()) : fmt::format("{}", fmt::join(names, ", ")),
        one_line(note));
  for (const std::string& note : judgement.notes) text += one_line(note, 2000) + "\n";
  return text;
}

std::string xml(const std::string& text) {
  std::string safe;
  for (const char c : one_line(text, 4000)) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

/// What Markdown would take for markup.
std::string markdown(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#&").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace

std::string judgement_line(const NightJudgement& judgement) {
  std::string text(to_string(judgement.verdict));
  if (judgement.verdict == NightVerdict::no_change) return text + ": " + limits_text(judgement);
  std::vector<const FigureVerdict*> figures = with(judgement, judgement.verdict);
  if (judgement.verdict == NightVerdict::cannot_tell)
    std::erase_if(figures, [](const FigureVerdict* figure) { return figure->kind == FigureKind::op_kind; });
  for (std::size_t i = 0; i < std::min<std::size_t>(figures.size(), 2); ++i)
    text += (i == 0 ? ": " : ", ") + change_text(*figures[i]);
  if (figures.size() > 2) text += fmt::format(" and {} more", figures.size() - 2);
  return text;
}

std::string judgement_text(const NightJudgement& judgement) {
  TextTable table({"figure", "now", "expected", "change", "interval", "visible", "between nights", "nights", "verdict"},
                  {0, 8});
  for (const FigureVerdict& figure : judgement.figures) {
    const std::string used = figure.outliers > 0
                                 ? fmt::format("{} of {}", figure.nights - figure.outliers, figure.nights)
                                 : std::to_string(figure.nights);
    table.add({name_of(figure), value_or_nothing(figure.value), value_or_nothing(figure.expected),
               figure.change ? signed_percent(*figure.change) : "", interval_text(figure),
               figure.smallest_visible ? percent(*figure.smallest_visible) : "",
               figure.between_nights ? percent(*figure.between_nights) : "", used, verdict_text(figure)});
  }
  return table.str() + notes_text(judgement) + limits_text(judgement) + "\n" + judgement_line(judgement) + "\n";
}

std::string judgement_markdown(const NightJudgement& judgement) {
  std::string text = fmt::format("**edagen: {}** ({})\n", to_string(judgement.verdict), limits_text(judgement));
  std::vector<const FigureVerdict*> told;
  for (const NightVerdict verdict : {NightVerdict::regression, NightVerdict::cannot_tell, NightVerdict::improvement})
    for (const FigureVerdict* const figure : with(judgement, verdict)) told.push_back(figure);
  if (!told.empty()) text += "\n| figure | now | expected | change | visible | verdict |\n|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(told.size(), 20); ++i)
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown(name_of(*told[i])), value_or_nothing(told[i]->value),
                    value_or_nothing(told[i]->expected), told[i]->change ? signed_percent(*told[i]->change) : "",
                    told[i]->smallest_visible ? percent(*told[i]->smallest_visible) : "",
                    markdown(verdict_text(*told[i]) + (told[i]->note.empty() ? "" : ": " + one_line(told[i]->note))));
  if (told.size() > 20) text += fmt::format("\nand {} more\n", told.size() - 20);
  for (const std::string& note : judgement.notes) text += "\n" + markdown(one_line(note, 2000)) + "\n";
  return text;
}

std::string judgement_junit(const NightJudgement& judgement) {
  const auto count = [&](NightVerdict verdict) { return with(judgement, verdict).size(); };
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"edagen\" tests=\"{}\" "
      "failures=\"{}\" "
      "errors=\"0\" skipped=\"{}\">\n",
      judgement.figures.size(), count(NightVerdict::regression), count(NightVerdict::cannot_tell));
  for (const FigureVerdict& figure : judgement.figures) {
    text += fmt::format("<testcase classname=\"edagen.{}\" name=\"{}\">", xml(figure.measurement), xml(figure.figure));
    const std::string message =
        fmt::format("{}; now {}, expected {}, interval {}", change_text(figure), value_or_nothing(figure.value),
                    value_or_nothing(figure.expected), interval_text(figure));
    if (figure.verdict == NightVerdict::regression) text += fmt::format("<failure message=\"{}\"/>", xml(message));
    if (figure.verdict == NightVerdict::cannot_tell)
      text += fmt::format("<skipped message=\"cannot tell: {}\"/>", xml(message));
    text += "</testcase>\n";
  }
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace edagen
