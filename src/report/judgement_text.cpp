#include "report/judgement_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/part_difference.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/judgement_words.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/text_table.hpp"

namespace edagen {
namespace {

constexpr std::size_t few = 8;  ///< so many figures have a line each, whatever their verdict is

std::string value_cell(const std::optional<double>& value) { return value ? value_text(*value) : "-"; }

/// Tonight's value, "INVALID 3,500" where it is of invalid runs alone, "INVALID > 3,500" where it is a lower bound.
std::string now_cell(const FigureVerdict& figure) {
  return (figure.invalid ? "INVALID " : "") + (figure.value ? now_text(figure) : "-");
}

std::string change_cell(const FigureVerdict& figure) { return figure.change ? size_text(figure) : "-"; }

std::string interval_cell_of(const FigureVerdict& figure) {
  const std::string interval = interval_text(figure);
  return interval.empty() ? "-" : interval;
}

using Figures = std::vector<const FigureVerdict*>;

/// The largest loss that the interval does not exclude.
double largest_loss(const FigureVerdict& figure) {
  const auto& [low, high] = figure.interval;
  return std::max(0.0, higher_is_better(figure.kind) ? -low.value_or(0) : high.value_or(0));
}

/// "INVALID: unsteady"
std::string invalid_text(const std::set<Invalid>& reasons) {
  const std::string names = reason_names({reasons.begin(), reasons.end()});
  return names.empty() ? "INVALID" : "INVALID: " + names;  // a line of an older version has no names
}

/// ", INVALID: unsteady", or ", 1 of 3 INVALID: unsteady": of how many figures tonight's value is of invalid runs
/// alone;
/// "" of none.
std::string invalid_mark(const Figures& figures) {
  std::size_t invalid = 0;
  std::set<Invalid> reasons;
  for (const FigureVerdict* const figure : figures) {
    invalid += figure->invalid ? 1 : 0;
    reasons.insert(figure->invalid_reasons.begin(), figure->invalid_reasons.end());
  }
  if (invalid == 0) return "";
  const std::string some = invalid == figures.size() ? "" : fmt::format("{} of {} ", invalid, figures.size());
  return ", " + some + invalid_text(reasons);
}

/// "no change (more than 1.4 % worse is ruled out)", or "... (more than 1.4 % worse, of p99 6 %, is ruled out)": tails
/// have a limit of their own.
std::string no_change_text(const Figures& figures) {
  double tail = 0, other = 0;
  for (const FigureVerdict* const figure : figures) {
    double& loss = figure->kind == FigureKind::tail ? tail : other;
    loss = std::max(loss, largest_loss(*figure));
  }
  const std::string of_tail = tail > 0 && other > 0 ? fmt::format(", of p99 {},", percent_text(tail)) : "";
  return fmt::format("no change{} (more than {} worse{} is ruled out)", invalid_mark(figures),
                     percent_text(other > 0 ? other : tail), of_tail);
}

/// The MiB/s of a mix rise and fall with its ops/s: where both have the same verdict, people read of one.
bool is_said_as_ops(const FigureVerdict& figure, const NightJudgement& judgement) {
  constexpr std::string_view mib = "MiB/s";
  if (!figure.figure.starts_with(mib)) return false;
  const std::string ops = "ops/s" + figure.figure.substr(mib.size());
  return std::ranges::any_of(judgement.figures, [&](const FigureVerdict& other) {
    return other.figure == ops && other.measurement == figure.measurement && other.verdict == figure.verdict;
  });
}

/// For people.
Figures with(const NightJudgement& judgement, NightVerdict verdict) {
  Figures found;
  for (const FigureVerdict& figure : judgement.figures)
    if (figure.verdict == verdict && !is_said_as_ops(figure, judgement)) found.push_back(&figure);
  return found;
}

/// The figures in the order in which somebody acts on them.
Figures in_order(const NightJudgement& judgement) {
  Figures all;
  for (const NightVerdict verdict :
       {NightVerdict::regression, NightVerdict::cannot_tell, NightVerdict::improvement, NightVerdict::no_change})
    std::ranges::copy(with(judgement, verdict), std::back_inserter(all));
  return all;
}

/// Whether a figure needs no line of its own where there are many.
bool is_quiet(const FigureVerdict& figure) {
  return figure.verdict == NightVerdict::no_change ||
         (figure.verdict == NightVerdict::cannot_tell && figure.kind == FigureKind::op_kind);
}

/// A line for each verdict of the figures that have no line of their own; *no change* only if `has_unchanged`.
std::string quiet_text(const Figures& quiet, bool has_unchanged) {
  Figures unchanged;
  std::uint64_t details = 0;
  for (const FigureVerdict* const figure : quiet)
    if (figure->verdict != NightVerdict::no_change) ++details;
    else unchanged.push_back(figure);
  std::string text;
  if (details > 0)
    text +=
        fmt::format("{} of op kinds: cannot tell (which does not count for the night)\n", counted(details, "figure"));
  if (!unchanged.empty() && has_unchanged)
    text += fmt::format("{}: {}\n", counted(unchanged.size(), "figure"), no_change_text(unchanged));
  return text;
}

/// The limits of measurements that have limits of their own.
std::string own_limits_text(const NightJudgement& judgement) {
  std::string text;
  std::set<std::string> told;
  for (const FigureVerdict& figure : judgement.figures) {
    const bool tail = figure.kind == FigureKind::tail;
    if (figure.limit == (tail ? judgement.max_tail_regression : judgement.max_regression)) continue;
    if (!told.insert(figure.measurement + (tail ? " tail" : "")).second) continue;
    text +=
        fmt::format("; {} of {}{}", percent_text(figure.limit), tail ? "p99 of " : "", one_line(figure.measurement));
  }
  return text;
}

/// "projects: ops/s at 2.00 ms": as all latencies of nights are of the response, tables and lines need no word for it.
std::string short_name(const FigureVerdict& figure) {
  std::string name = name_of(figure);
  for (const std::string_view word : {" mean response", " response"})
    if (const std::size_t at = name.find(word); at != std::string::npos) return name.erase(at, word.size());
  return name;
}

/// ", a loss of 2 % or more would show"; of several figures the smallest and the largest loss that would, each with its
/// figure: "... would show in projects: ops/s, of 34 % or more in pts: mean ms". Without those of op kinds.
std::string visible_text(const NightJudgement& judgement) {
  const FigureVerdict *finest = nullptr, *coarsest = nullptr;
  bool some_vary = false;  // so much that they have no such loss
  for (const FigureVerdict& figure : judgement.figures) {
    if (figure.kind == FigureKind::op_kind || !figure.change || is_said_as_ops(figure, judgement)) continue;
    const double loss = figure.smallest_visible.value_or(1);
    some_vary |= loss >= 1;
    if (loss >= 1) continue;
    if (!finest || loss < *finest->smallest_visible) finest = &figure;
    if (!coarsest || loss > *coarsest->smallest_visible) coarsest = &figure;
  }
  if (!finest) return "";
  const std::string least = percent_text(*finest->smallest_visible), most = percent_text(*coarsest->smallest_visible);
  const std::string which = finest == coarsest ? " in " + short_name(*finest) : " in some figures";
  const std::string text = ", " + would_show_text(*finest->smallest_visible);
  if (least == most) return text + (some_vary ? which : "");
  return fmt::format("{} in {}, of {} or more in {}{}", text, short_name(*finest), most, short_name(*coarsest),
                     some_vary ? ", and not in all figures" : "");
}

/// The limits, the false-alarm rate, and the loss that the figures would show.
std::string limits_text(const NightJudgement& judgement) {
  const bool tails = std::ranges::any_of(judgement.figures,
                                         [](const FigureVerdict& figure) { return figure.kind == FigureKind::tail; });
  std::string text = "limit " + percent_text(judgement.max_regression);
  if (tails) text += fmt::format(" ({} of p99)", percent_text(judgement.max_tail_regression));
  text += own_limits_text(judgement);
  text += fmt::format(", false alarms {} of nights", percent_text(judgement.false_alarms));
  if (std::ranges::any_of(judgement.figures, &FigureVerdict::against_reference))
    text += ", changes are against the reference: expected values are scaled by the reference of this night";
  if (!judgement.since.empty()) text += ", nights since " + one_line(judgement.since);
  if (judgement.nights != GateSettings().nights) text += fmt::format(", at most {} nights", judgement.nights);
  if (!judgement.allowed.empty())
    text += ", nights may differ in " + one_line(fmt::format("{}", fmt::join(judgement.allowed, ", ")));
  return text + visible_text(judgement);
}

/// A note of invalid_notes() whose beginning stands in the line: the file and what mends it, without that it is invalid
/// and why. Other notes as they are.
std::string without_line(const std::string& note, const std::string& line) {
  const std::size_t names_end = note.find(" ("), verb = std::min(note.find(" is INVALID"), note.find(" are INVALID"));
  if (names_end == std::string::npos || verb > names_end || !note.ends_with(')')) return note;
  if (line.find(one_line(note.substr(0, names_end))) == std::string::npos) return note;
  const std::size_t begin = names_end + 2;
  return note.substr(0, verb) + ": " + note.substr(begin, note.size() - begin - 1);
}

/// Each note once, with the figures that have it, and not those that the last line has.
std::vector<std::string> note_lines(const NightJudgement& judgement, const std::string& last_line) {
  const auto is_in_line = [&](const std::string& note) { return last_line.find(one_line(note)) != std::string::npos; };
  std::map<std::string, std::vector<std::string>> figures;  // by note
  for (const FigureVerdict& figure : judgement.figures) {
    if (figure.outliers > 0 && !is_said_as_ops(figure, judgement))
      figures[fmt::format("{} before did not count, as {}", counted(figure.outliers, "night"),
                          figure.outliers == 1 ? "an outlier" : "outliers")]
          .push_back(name_of(figure));
    const bool is_detail = figure.kind == FigureKind::op_kind && figure.verdict == NightVerdict::cannot_tell;
    if (!figure.note.empty() && !is_detail && !is_in_line(figure.note) && !is_said_as_ops(figure, judgement) &&
        !has_only_incomparable_nights(figure))
      figures[figure.note].push_back(name_of(figure));
  }
  std::vector<std::string> lines;
  for (const auto& [note, names] : figures)
    lines.push_back(fmt::format(
        "{}: {}",
        names.size() > 2 ? fmt::format("{} figures", names.size()) : fmt::format("{}", fmt::join(names, ", ")),
        one_line(note)));
  for (const std::string& note : judgement.all_notes())
    if (!is_in_line(note)) lines.push_back(few_differences(without_line(note, last_line), 2000));
  return lines;
}

/// The text with the markup of Markdown escaped.
std::string markdown(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#&").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

/// "projects: ops/s at 2.00 ms -20.8 % against the reference"
std::string short_change(const FigureVerdict& figure) {
  std::string text = short_name(figure);
  if (figure.change) {
    const std::set<Invalid> reasons(figure.invalid_reasons.begin(), figure.invalid_reasons.end());
    return text + " " + size_text(figure) + reference_text(figure.against_reference) +
           (figure.invalid ? fmt::format(" ({})", invalid_text(reasons)) : "");
  }
  return figure.note.empty() ? text : text + ": " + one_line(figure.note);
}

/// Why figures that have only such nights are not compared, with their measurement; of several measurements their
/// names.
std::string why_nothing_is_compared(const NightJudgement& judgement) {
  std::vector<std::string> names;
  std::string first;
  for (const FigureVerdict& figure : judgement.figures)
    if (const std::string why = why_not_compared(figure, judgement); !why.empty()) {
      if (first.empty()) first = why;
      const std::string name = one_line(figure.measurement);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  if (names.size() > 1)
    return fmt::format("{}: earlier nights are not comparable with tonight", fmt::join(names, ", "));
  return names.empty() || names.front().empty() ? first : names.front() + ": " + first;
}

/// The reasons why there is no verdict, each once with its measurements, and the changes that are too small.
std::vector<std::string> cannot_tell_parts(const NightJudgement& judgement, const Figures& figures) {
  if (std::string why = why_nothing_is_compared(judgement); !why.empty()) {
    const std::size_t differences = why.find("): ");  // which are a note
    return {differences == std::string::npos ? why : why.substr(0, differences + 1)};
  }
  std::vector<std::string> parts;
  if (!judgement.invalid_runs.empty()) {
    const std::string& first = judgement.invalid_runs.front();
    parts.push_back(one_line(first.substr(0, first.find(" ("))));  // the sentences are a note
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> names;  // by note
  for (const FigureVerdict* const figure : figures) {
    if (figure->change) {
      const std::optional<double>& visible = figure->smallest_visible;
      parts.push_back(
          short_change(*figure) +
          (visible ? fmt::format(" ({}, and the limit is {})", would_show_text(*visible), percent_text(figure->limit))
                   : ""));
      continue;
    }
    auto found = std::ranges::find(names, figure->note, &decltype(names)::value_type::first);
    if (found == names.end()) found = names.insert(found, {figure->note, {}});
    const std::string name = figure->measurement.empty() ? one_line(figure->figure) : one_line(figure->measurement);
    if (std::ranges::find(found->second, name) == found->second.end()) found->second.push_back(name);
  }
  for (const auto& [note, named] : names)
    parts.push_back(fmt::format("{}: {}", fmt::join(named, ", "), one_line(note)));
  return parts;
}

}  // namespace

std::string judgement_line(const NightJudgement& judgement) {
  std::string text(to_string(judgement.verdict));
  Figures figures = with(judgement, judgement.verdict);
  std::size_t of_kinds =
      std::erase_if(figures, [](const FigureVerdict* figure) { return figure->kind == FigureKind::op_kind; });
  if (figures.empty()) {
    figures = with(judgement, judgement.verdict);
    of_kinds = 0;
  }
  std::vector<std::string> parts;
  if (judgement.verdict == NightVerdict::no_change) {
    text = no_change_text(figures);
  } else if (judgement.verdict == NightVerdict::failed) {
    std::ranges::transform(judgement.failures, std::back_inserter(parts), failure_text);
  } else if (judgement.verdict == NightVerdict::cannot_tell) {
    parts = cannot_tell_parts(judgement, figures);
  } else {
    for (const FigureVerdict* const figure : figures) parts.push_back(short_change(*figure));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 2); ++i) text += (i == 0 ? ": " : "; ") + parts[i];
  if (parts.size() > 2) text += fmt::format("; and {} more of this verdict", parts.size() - 2);
  if (!parts.empty() && of_kinds > 0 && judgement.verdict != NightVerdict::cannot_tell)
    text += fmt::format("; and {} of op kinds", counted(of_kinds, "figure"));
  if (judgement.verdict == NightVerdict::regression && !judgement.failures.empty())
    text += "; failed: " + failure_text(judgement.failures.front());
  return judgement.simulated.empty() ? text : fmt::format("{} ({})", text, one_line(judgement.simulated));
}

std::string judgement_text(const NightJudgement& judgement) {
  TextTable table({"figure", "now", "expected", "change", "interval", "verdict"}, {0, 5});
  Figures quiet;
  const Figures figures = in_order(judgement);
  for (const FigureVerdict* const each : figures) {
    const FigureVerdict& figure = *each;
    if (figures.size() > few && is_quiet(figure)) {
      quiet.push_back(each);
      continue;
    }
    table.add({short_name(figure), now_cell(figure), value_cell(figure.expected), change_cell(figure),
               interval_cell_of(figure), std::string(to_string(figure.verdict))});
  }
  const std::string line = judgement_line(judgement);
  std::string text;
  for (const MeasurementFailure& failure : judgement.failures)
    if (const std::string failed = failure_text(failure); line.find(failed) == std::string::npos)
      text += "failed: " + failed + "\n";
  if (quiet.size() < figures.size()) text += table.str();
  text += quiet_text(quiet, judgement.verdict != NightVerdict::no_change);  // else the last line has it
  for (const std::string& note : note_lines(judgement, line)) text += note + "\n";
  return text + limits_text(judgement) + "\n" + line + "\n";
}

std::string judgement_markdown(const NightJudgement& judgement) {
  const std::string line = judgement_line(judgement);
  std::string text = fmt::format("**edagen: {}**\n\n{}\n", markdown(line), markdown(limits_text(judgement)));
  for (const MeasurementFailure& failure : judgement.failures)
    if (const std::string failed = failure_text(failure); line.find(failed) == std::string::npos)
      text += "\nfailed: " + markdown(failed) + "\n";
  Figures told, quiet;
  const Figures figures = in_order(judgement);
  for (const FigureVerdict* const figure : figures)
    (figure->verdict == NightVerdict::no_change || (figures.size() > few && is_quiet(*figure)) ? quiet : told)
        .push_back(figure);
  if (!told.empty()) text += "\n| figure | now | expected | change | visible | verdict |\n|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(told.size(), 20); ++i)
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown(name_of(*told[i])), now_cell(*told[i]),
                        value_cell(told[i]->expected), change_cell(*told[i]),
                        told[i]->smallest_visible ? percent_text(*told[i]->smallest_visible) : "-",
                        to_string(told[i]->verdict));
  if (told.size() > 20) text += fmt::format("\nand {} more\n", told.size() - 20);
  const std::string of_quiet = quiet_text(quiet, judgement.verdict != NightVerdict::no_change);
  if (!of_quiet.empty()) text += "\n" + markdown(of_quiet);
  for (const std::string& note : note_lines(judgement, line)) text += "\n" + markdown(note) + "\n";
  return text;
}

}  // namespace edagen
