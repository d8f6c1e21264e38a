#include "report/judgement_words.hpp"

#include <algorithm>

#include "base/part_difference.hpp"
#include "edagen/error.hpp"
#include "report/number_text.hpp"

namespace edagen {

std::string name_of(const FigureVerdict& figure) {
  return one_line(figure.measurement.empty() ? figure.figure : figure.measurement + ": " + figure.figure);
}

std::string now_text(const FigureVerdict& figure) {
  return (figure.lower_bound ? "> " : "") + value_text(*figure.value);
}

std::string size_text(const FigureVerdict& figure) {
  return (figure.lower_bound ? "> " : "") + signed_percent(*figure.change);
}

std::string would_show_text(double smallest_visible) {
  return "a loss of " + percent_text(smallest_visible) + " or more would show";
}

std::string interval_text(const FigureVerdict& figure) {
  const auto& [low, high] = figure.interval;
  if (low && figure.lower_bound) return "> " + signed_percent(*low);
  return low && high ? signed_percent(*low) + " to " + signed_percent(*high) : "";
}

std::string change_text(const FigureVerdict& figure) {
  std::string text = name_of(figure);
  if (figure.change) text += " " + size_text(figure) + reference_text(figure.against_reference);
  if (!figure.note.empty()) text += (figure.change ? "; " : ": ") + one_line(figure.note);
  return text;
}

std::string failure_text(const MeasurementFailure& failure) {
  return one_line(failure.measurement) + ": " + one_line(failure.reason, 1000);
}

bool has_only_incomparable_nights(const FigureVerdict& figure) {
  return figure.verdict == NightVerdict::cannot_tell && !figure.change && !figure.expected &&
         figure.incomparable_nights > 0;
}

std::string why_not_compared(const FigureVerdict& figure, const NightJudgement& judgement) {
  const auto nights = std::ranges::find(judgement.incomparable, figure.measurement, &IncomparableNights::measurement);
  const bool is_so = has_only_incomparable_nights(figure) && nights != judgement.incomparable.end();
  return is_so ? few_differences(nights->reason) : "";
}

}  // namespace edagen
