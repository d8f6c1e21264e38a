// The parts of a page in their order: texts, tables, and what charts show. All of it is made here; the script of the
// page (report.js) only draws it. Tables are TextTable::block().
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "edagen/clock.hpp"
#include "edagen/parts/result_enums.hpp"
#include "report/text_table.hpp"

namespace edagen {

/// An array of what `of` returns for each element.
template <class Range, class F>
Document array_of(const Range& range, F of) {
  Document made = Document::array();
  for (const auto& each : range) made.push_back(of(each));
  return made;
}

/// An array of these parts.
template <class... Parts>
Document list_of(const Parts&... parts) {
  return Document::array({Document(parts)...});
}

/// null where it is not known.
inline Document milliseconds(const std::optional<Millis>& time) { return time ? Document(time->count()) : Document(); }

inline Document heading(const std::string& text) { return {{"h2", text}}; }
/// `style`: "", "dim", "bad" or "label", which is a text in a frame.
inline Document paragraph(const std::string& text, const char* style = "") { return {{"p", text}, {"style", style}}; }
inline Document note_block(const std::string& note) { return paragraph("Note: " + note, "bad"); }

/// The first paragraph of a text for a terminal: its first line is the shortest form of the answer.
inline Document verdict_block(const std::string& text) {
  const std::string first = text.substr(0, text.find("\n\n"));
  const std::size_t end = std::min(first.find('\n'), first.size());
  return {{"verdict", Document::array({first.substr(0, end), first.substr(std::min(end + 1, first.size()))})}};
}

/// "This run has failed: host2 is lost": that a run or a comparison did not come to its end; "" where it did, or the
/// first paragraph of its text for a terminal has that.
std::string status_text(const std::string& what, const auto& document, const std::string& text) {
  if (document.status == Status::complete || document.status == Status::incomplete) return "";
  const std::string first = text.substr(0, text.find("\n\n"));
  const auto has = [&](const std::string& words) { return first.find(words) != std::string::npos; };
  if (document.failure)
    return has(*document.failure) ? "" : fmt::format("This {} has failed: {}", what, *document.failure);
  if (has("was interrupted") || has("ended before its time") || has("The comparison failed")) return "";
  return fmt::format("This {} {} {}.", what, document.status == Status::failed ? "has" : "is",
                     to_string(document.status));
}

/// A set of a bar or line chart: a value for each label of the chart, or null. `colour`: a number, or for bars one for
/// each value, or "grey".
inline Document chart_set(const std::string& label, Document colour, Document values) {
  return {{"label", label}, {"colour", std::move(colour)}, {"data", std::move(values)}};
}

/// Bars for each label, beside each other or stacked. `y` is the title of their axis, which begins at 0: the lengths of
/// bars are compared.
inline Document bar_chart(Document labels, const std::string& y, Document sets, bool stacked = false) {
  return {{"chart", "bars"}, {"labels", std::move(labels)}, {"x", ""},
          {"y", y},          {"sets", std::move(sets)},     {"stacked", stacked}};
}

/// Lines over the labels. The sets' "axis" is the title of the axis that they are drawn on, the first one at the left.
inline Document line_chart(Document labels, const std::string& x, Document sets, const char* scale = "") {
  return {{"chart", "lines"}, {"labels", std::move(labels)}, {"x", x}, {"sets", std::move(sets)}, {"scale", scale}};
}

inline Document line_set(const std::string& label, const std::string& axis, Document colour, Document values,
                         double width = 1.2, double points = 0) {
  Document set = chart_set(label, std::move(colour), std::move(values));
  set["axis"] = axis;
  set["width"] = width;
  set["points"] = points;
  return set;
}

/// Points over the rate. Sets have a "label", a "style" of report.js, a "colour" and "points": rate, latency, and
/// whether the point is hollow. "minor" ones are not named where there is little room; those "on_request" are drawn
/// when the reader wants to see them. The chart ends at its "ceiling", if it has one; what is "above" is at its upper
/// edge.
inline Document curve_chart(Document sets, const std::string& y) {
  const Document none = Document::array();
  return {{"chart", "curves"},       {"x", "achieved ops/s"}, {"y", y},       {"scale", ""},    {"above", none},
          {"sets", std::move(sets)}, {"bands", none},         {"bars", none}, {"targets", none}};
}

}  // namespace edagen
