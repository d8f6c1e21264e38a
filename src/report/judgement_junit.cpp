#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "edagen/error.hpp"
#include "report/judgement_text.hpp"
#include "report/judgement_words.hpp"
#include "report/number_text.hpp"

namespace edagen {
namespace {

std::string xml(const std::string& text) {
  const std::string safe = replaced(replaced(one_line(text, 4000), "&", "&amp;"), "<", "&lt;");
  return replaced(replaced(safe, ">", "&gt;"), "\"", "&quot;");
}

/// The class name for JUnit, in XML; a measurement of `edagen check` has no name.
std::string class_name(const std::string& measurement) {
  return measurement.empty() ? "edagen" : "edagen." + xml(measurement);
}

/// "projects: ops/s -20.8 %; now 31,159, expected 39,400, interval -25 % to -16 %"
std::string junit_message(const FigureVerdict& figure, const NightJudgement& judgement) {
  if (has_only_incomparable_nights(figure)) return name_of(figure) + ": " + why_not_compared(figure, judgement);
  std::string text = change_text(figure);
  if (figure.value) text += (figure.invalid ? "; INVALID now " : "; now ") + now_text(figure);
  if (figure.expected) text += ", expected " + value_text(*figure.expected);
  if (const std::string interval = interval_text(figure); !interval.empty()) text += ", interval " + interval;
  return text;
}

}  // namespace

std::string judgement_junit(const NightJudgement& judgement) {
  const auto count = [&](auto&& is) { return static_cast<std::size_t>(std::ranges::count_if(judgement.figures, is)); };
  const auto is_skipped = [](const FigureVerdict& figure) {
    return figure.verdict == NightVerdict::cannot_tell && !has_only_incomparable_nights(figure);
  };
  const bool is_empty = judgement.figures.empty() && judgement.failures.empty();
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"edagen\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
      judgement.figures.size() + judgement.failures.size() + (is_empty ? 1 : 0),
      count([](const FigureVerdict& figure) { return figure.verdict == NightVerdict::regression; }),
      judgement.failures.size() + count(has_only_incomparable_nights) + (is_empty ? 1 : 0), count(is_skipped));
  if (is_empty)
    text += fmt::format("<testcase classname=\"edagen\" name=\"figures\"><error message=\"{}\"/></testcase>\n",
                        xml(judgement_line(judgement)));
  for (const MeasurementFailure& failure : judgement.failures)
    text += fmt::format("<testcase classname=\"{}\" name=\"measurement\"><error message=\"{}\"/></testcase>\n",
                        class_name(failure.measurement), xml(failure.reason));
  for (const FigureVerdict& figure : judgement.figures) {
    text += fmt::format("<testcase classname=\"{}\" name=\"{}\">", class_name(figure.measurement), xml(figure.figure));
    const std::string message = xml(junit_message(figure, judgement));
    if (figure.verdict == NightVerdict::regression) text += fmt::format("<failure message=\"{}\"/>", message);
    else if (has_only_incomparable_nights(figure)) text += fmt::format("<error message=\"{}\"/>", message);
    else if (is_skipped(figure)) text += fmt::format("<skipped message=\"cannot tell: {}\"/>", message);
    text += "</testcase>\n";
  }
  std::string notes;
  for (const std::string& note : judgement.all_notes()) notes += xml(note) + "\n";
  if (!notes.empty()) text += "<system-out>" + notes + "</system-out>\n";
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace edagen
