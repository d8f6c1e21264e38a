#include "report/history_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "edagen/units.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"
#include "nights/references.hpp"
#include "report/curve_points.hpp"
#include "report/history_text.hpp"
#include "report/html.hpp"
#include "report/judgement_words.hpp"
#include "report/number_text.hpp"
#include "report/page_blocks.hpp"
#include "result/escaped_text.hpp"
#include "stats/distribution.hpp"

namespace edagen {
namespace {

using Nights = std::vector<Night>;

std::string minute_of(const std::string& rfc3339) { return rfc3339.substr(0, 16); }

/// When nights began: "2026-01-31 01:00", or with seconds where two of them began in the same minute, as simulated ones
/// do.
class NightTimes {
 public:
  NightTimes(const Nights& nights, const std::vector<NightCurve>& curves) {
    std::set<std::pair<std::string, std::string>> minutes;
    for (const Night& night : nights) has_seconds_ |= !minutes.emplace("", minute_of(night.started_at)).second;
    for (const auto& [measurement, result] : curves)
      has_seconds_ |= !minutes.emplace("curve of " + measurement, minute_of(result.started_at)).second;
  }
  std::string text(const std::string& rfc3339) const {
    std::string time = has_seconds_ ? rfc3339.substr(0, 19) : minute_of(rfc3339);
    if (time.size() > 10) time[10] = ' ';
    return time;
  }

 private:
  bool has_seconds_ = false;
};

Document column(const char* head, const char* style = "") { return {{"text", head}, {"style", style}}; }
/// A long text: a page shows its beginning, and the rest when a reader unfolds it.
Document folded(const std::string& text, const char* style = "") {
  return {{"text", text}, {"style", style}, {"fold", true}};
}

bool is_alarm(const Night& night) {
  return night.judgement &&
         (night.judgement->verdict == NightVerdict::regression || night.judgement->verdict == NightVerdict::failed);
}

/// The differences of each measurement of a night from the last night before it that has the same measurement.
std::string differences(const Nights& nights, std::size_t at) {
  std::string text;
  for (const NightMeasurement& measurement : nights[at].measurements) {
    if (measurement.comparable.empty()) continue;
    for (std::size_t before = at; before-- > 0;) {
      const NightMeasurement* const earlier = measurement_named(nights[before], measurement.name);
      if (earlier == nullptr || earlier->comparable.empty()) continue;
      const std::string differs = difference_in_words(*earlier, measurement, {});
      if (!differs.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", measurement.name, differs);
      break;
    }
  }
  return text;
}

void add_changes(Document& blocks, const Nights& nights, const NightTimes& times,
                 const std::vector<FigureSeries>& series, const std::vector<NightChange>& changes) {
  blocks.push_back(heading("Changes of level"));
  if (changes.empty()) {
    blocks.push_back(paragraph(unchanged_text(series), "dim"));
    return;
  }
  blocks.push_back({{"table", array_of(changes,
                                       [&](const NightChange& change) {
                                         const Document differs =
                                             change.differs.empty()
                                                 ? Document({{"text", "no recorded difference"}, {"style", "dim"}})
                                                 : folded(change.differs);
                                         const std::string what =
                                             reference_text(change.against_reference) + invalid_nights_text(change);
                                         const Document size = {{"text", signed_percent(change.change) + what},
                                                                {"style", change.better ? "good" : "bad"}};
                                         return list_of(times.text(nights[change.night].started_at),
                                                        figure_name(change.measurement, change.figure), size,
                                                        fmt::format("{:.2g}", change.p), differs);
                                       })},
                    {"heads", list_of("since", column("figure", "wide"), "change", "p",
                                      column("what differs from the night before", "wide"))},
                    {"style", ""}});
}

/// A figure over the nights: each with its interval and, where there is one, the reference.
void add_figure(Document& blocks, const FigureSeries& series, const Nights& nights, const NightTimes& times,
                const std::vector<NightChange>& changes) {
  const double errors = normal_quantile(0.95);
  Document points = Document::array(), references = Document::array(), marks = Document::array();
  bool any_hollow = false;
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    const auto own = [&](double z) { return std::exp(series.samples[i].value + z * series.samples[i].error); };
    const bool hollow = is_invalid(series, i, nights);
    any_hollow |= hollow;
    points.push_back({series.nights[i], own(0), own(-errors), own(errors),
                      was_regression(nights[series.nights[i]], series.measurement, series.figure), hollow});
    if (series.references[i]) references.push_back(list_of(series.nights[i], std::exp(series.references[i]->value)));
  }
  for (const NightChange& change : changes) {
    if (change.measurement != series.measurement || change.figure != series.figure) continue;
    const std::string size = signed_percent(change.change) + reference_text(change.against_reference) +
                             (change.invalid_nights > 0 ? " INVALID" : "");
    marks.push_back({change.night, size + (change.differs.empty() ? "" : " *"), change.better});
  }
  const std::size_t without = nights_without(series, nights);
  blocks.push_back(
      {{"h3", figure_name(series.measurement, series.figure) + (is_simulated(series, nights) ? ", simulated" : "") +
                  (without > 0 ? ", none for the last " + counted(without, "night") : "")}});
  blocks.push_back({{"chart", "nights"},
                    {"points", std::move(points)},
                    {"references", std::move(references)},
                    {"marks", std::move(marks)},
                    {"nights", array_of(nights, [&](const Night& night) { return times.text(night.started_at); })}});
  if (any_hollow) blocks.push_back(paragraph("Hollow: invalid", "dim"));
}

void add_figures(Document& blocks, const Nights& nights, const NightTimes& times,
                 const std::vector<FigureSeries>& series, const std::vector<NightChange>& changes) {
  Document details = Document::array();
  std::size_t of_kinds = 0;
  blocks.push_back(heading("Figures"));
  if (!series.empty())
    blocks.push_back(
        paragraph("Bars: 95 % interval of a night's value; red: a regression; dashed: a change of level (*: something "
                  "else changed as well)",
                  "dim"));
  for (const FigureSeries& each : series) {
    const bool is_detail = each.kind == FigureKind::op_kind;
    of_kinds += is_detail ? 1 : 0;
    add_figure(is_detail ? details : blocks, each, nights, times, changes);
  }
  if (of_kinds > 0)
    blocks.push_back(
        {{"details", counted(of_kinds, "figure") + " of op kinds"}, {"open", false}, {"blocks", std::move(details)}});
}

/// The line of a curve, empty where the search had no shape: the rate and latency of each point, and whether it is
/// hollow.
Document points_of_night(const Result& result) {
  std::map<double, Document> points;  // by rate
  for (const PointFigures& point : result.load_points)
    if (point.has_figures() && point.statistic.value > Millis(0) && is_of_line(point.purpose))
      points[point.achieved_ops_per_sec] = list_of(point.achieved_ops_per_sec, point.statistic.value.count(),
                                                   !point.valid() || is_overload(point.invalid));
  return array_of(points, [](const auto& point) { return point.second; });
}

/// A measurement's curves: the last night's over those of the nights before, which are grey.
struct NightCurves {
  std::string measurement;
  std::vector<const Result*> results;
};

void add_curves_of(Document& blocks, const NightCurves& curves, const NightTimes& times) {
  Document sets = Document::array();
  double ceiling = 0, highest = 0;
  bool any_hollow = false;
  for (const Result* const result : curves.results) {
    const bool is_last = result == curves.results.back();
    ceiling = std::max(ceiling, plot_ceiling(result->at_latency_target).count());
    Document points = points_of_night(*result);
    for (const Document& point : points) {
      highest = std::max(highest, point[1].get<double>());
      any_hollow |= point[2].get<bool>();
    }
    sets.push_back({{"label", times.text(with_escaped_text(result->started_at))},
                    {"style", is_last ? "line" : "night"},
                    {"colour", is_last ? Document(0) : Document("grey")},
                    {"minor", !is_last},
                    {"points", std::move(points)}});
  }
  std::ranges::reverse(sets);  // what is first is drawn over the others
  const std::string which =
      sets.size() == 1 ? "one night" : fmt::format("the last {} nights that have results", sets.size());
  const char* const simulated = curves.results.back()->simulated() ? ", simulated" : "";
  blocks.push_back({{"h3", figure_name(with_escaped_text(curves.measurement), which) + simulated}});
  const std::vector<AnswerFigures>& answers = curves.results.back()->at_latency_target;
  Document chart = curve_chart(
      std::move(sets),
      answers.empty() ? "response, ms" : answers.front().statistic + " " + answers.front().latency + ", ms");
  if (highest > ceiling) chart["ceiling"] = ceiling;
  chart["targets"] = array_of(answers, [](const AnswerFigures& answer) {
    return list_of(answer.target.count(), fmt::format("target {:g} ms", answer.target.count()));
  });
  blocks.push_back(std::move(chart));
  if (any_hollow) blocks.push_back(paragraph("Hollow: invalid or overload", "dim"));
}

void add_curves_of_nights(Document& blocks, const std::vector<NightCurve>& curves, const NightTimes& times) {
  std::vector<NightCurves> measurements;  // in the order in which they come
  for (const auto& [measurement, result] : curves) {
    if (points_of_night(result).size() < 2) continue;
    auto found = std::ranges::find(measurements, measurement, &NightCurves::measurement);
    if (found == measurements.end()) found = measurements.insert(found, {measurement, {}});
    found->results.push_back(&result);
  }
  if (!measurements.empty()) blocks.push_back(heading("Curves of the last nights"));
  for (const NightCurves& measured : measurements) add_curves_of(blocks, measured, times);
}

Document reports_of(const Night& night) {
  Document links = Document::array();
  for (const NightMeasurement& measurement : night.measurements)
    for (const NightRun& run : measurement.runs)
      if (run.file.ends_with(".json"))
        links.push_back(
            {{"name", measurement.name + (run.reference ? " (" + volume_role(run.reference_number) + ")" : "")},
             {"file", run.file.substr(0, run.file.size() - 5) + ".html"}});
  return {{"links", std::move(links)}};
}

void add_nights(Document& blocks, const Nights& nights, const NightTimes& times) {
  Document rows = Document::array();
  for (std::size_t i = nights.size(); i-- > 0;) {
    const Night& night = nights[i];
    std::set<std::string> mounts;
    for (const NightMeasurement& measurement : night.measurements)
      for (const auto& [part, mount] : measurement.comparable)
        if (part.starts_with("mount ")) mounts.insert(part.substr(6) + " " + mount);
    const bool is_better = night.judgement && night.judgement->verdict == NightVerdict::improvement;
    const std::string summary = night_summary(night);
    const bool is_named = summary.find("INVALID") != std::string::npos || summary.find(" invalid") != std::string::npos;
    std::string status = night.status == Status::complete ? "" : fmt::format(" ({})", to_string(night.status));
    if (has_invalid_figures(night) && !is_named) status += " (INVALID)";
    rows.push_back({times.text(night.started_at),
                    folded(summary + status, is_alarm(night) ? "bad"
                                             : is_better     ? "good"
                                                             : ""),
                    night.edagen_version, night.kernel, folded(fmt::format("{}", fmt::join(mounts, "; "))),
                    folded(differences(nights, i), "bad"), reports_of(night)});
  }
  blocks.push_back(heading("Nights"));
  blocks.push_back({{"table", std::move(rows)},
                    {"heads", list_of("night", column("verdict", "wide"), "edagen", "kernel", column("mounts", "wide"),
                                      column("changed since the night before", "wide"), column("reports", "wide"))},
                    {"style", ""}});
}

}  // namespace

std::string history_html(const std::vector<Night>& raw, const std::vector<NightCurve>& curves) {
  const Nights nights = with_escaped_text(raw);
  const std::vector<FigureSeries> series = series_of(nights);
  const std::vector<NightChange> changes = changes_of(nights, series);
  const NightTimes times(nights, curves);
  Document blocks = list_of(Document({{"h1", "edagen: " + counted(nights.size(), "night")}, {"style", "words"}}));
  std::string title = "edagen history";
  if (!nights.empty()) {
    const Night &first = nights.front(), &last = nights.back();
    title += fmt::format(": {}, {} to {}", counted(nights.size(), "night"), first.started_at, last.started_at);
    blocks.push_back(paragraph(fmt::format("{} to {}; the last one: {}", times.text(first.started_at),
                                           times.text(last.started_at), night_summary(last)),
                               is_alarm(last) ? "bad" : "dim"));
  }
  add_changes(blocks, nights, times, series, changes);
  add_figures(blocks, nights, times, series, changes);
  add_curves_of_nights(blocks, curves, times);
  add_nights(blocks, nights, times);
  return html_page(blocks, title);
}

}  // namespace edagen
