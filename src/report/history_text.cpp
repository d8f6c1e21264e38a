#include "report/history_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/embedded.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"
#include "report/difference_text.hpp"
#include "report/html.hpp"
#include "report/judgement_text.hpp"
#include "report/number_text.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"
#include "result/inert.hpp"
#include "stats/distribution.hpp"

namespace edagen {
namespace {

std::string figure_name(const std::string& measurement, const std::string& figure) {
  return one_line(measurement.empty() ? figure : measurement + ": " + figure);
}

std::string verdict_of(const Night& night) {
  return night.judgement ? judgement_line(*night.judgement) : std::string("not judged");
}

/// Of a night from the one before that has the measurement.
std::string differences(const std::vector<Night>& nights, std::size_t at) {
  std::string text;
  for (const NightMeasurement& measurement : nights[at].measurements) {
    if (measurement.comparable.empty()) continue;
    for (std::size_t before = at; before-- > 0;) {
      const NightMeasurement* const its = measurement_named(nights[before], measurement.name);
      if (its == nullptr || its->comparable.empty()) continue;
      const std::string differs = difference_in_words(*its, measurement, {});
      if (!differs.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", measurement.name, differs);
      break;
    }
  }
  return text;
}

/// By the last night that has it.
bool is_simulated(const FigureSeries& series, const std::vector<Night>& nights) {
  const NightMeasurement* const its = measurement_named(nights[series.nights.back()], series.measurement);
  return its && is_simulated(*its);
}

Document series_json(const FigureSeries& series, const std::vector<Night>& nights) {
  Document points = Document::array();
  const double errors = normal_quantile(0.95);
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    const LogSample& sample = series.samples[i];
    const auto own = [&](double z) { return std::exp(sample.value + z * sample.error); };
    Document point = {series.nights[i], own(0), own(-errors), own(errors),
                      was_regression(nights[series.nights[i]], series.measurement, series.figure)};
    if (series.references[i]) point.push_back(std::exp(series.references[i]->value));
    points.push_back(std::move(point));
  }
  return {{"measurement", series.measurement},
          {"figure", series.figure},
          {"detail", series.kind == FigureKind::op_kind},
          {"simulated", is_simulated(series, nights)},
          {"points", std::move(points)}};
}

Document night_json(const std::vector<Night>& nights, std::size_t at) {
  const Night& night = nights[at];
  Document reports = Document::array();
  std::set<std::string> mounts;
  for (const NightMeasurement& measurement : night.measurements) {
    for (const NightRun& run : measurement.runs)
      if (run.file.ends_with(".json"))
        reports.push_back({{"name", measurement.name + (run.reference ? " (reference)" : "")},
                           {"file", run.file.substr(0, run.file.size() - 5) + ".html"}});
    for (const auto& [part, its] : measurement.comparable)
      if (part.starts_with("mount ")) mounts.insert(part.substr(6) + " " + its);
  }
  return {{"started_at", night.started_at},
          {"status", to_string(night.status)},
          {"version", night.edagen_version},
          {"kernel", night.kernel},
          {"host", night.host},
          {"mounts", fmt::format("{}", fmt::join(mounts, "; "))},
          {"verdict", night.judgement ? to_string(night.judgement->verdict) : std::string_view("not judged")},
          {"summary", verdict_of(night)},
          {"differs", differences(nights, at)},
          {"reports", std::move(reports)}};
}

}  // namespace

std::string history_text(const std::vector<Night>& nights, std::size_t most) {
  TextTable table({"night", "status", "version", "kernel", "verdict"}, {0, 1, 2, 3, 4});
  for (std::size_t i = nights.size() - std::min(most, nights.size()); i < nights.size(); ++i)
    table.add({nights[i].started_at, std::string(to_string(nights[i].status)), nights[i].edagen_version,
               nights[i].kernel, verdict_of(nights[i])});
  std::string text = wrapped_lines(table.str(), 4);
  const std::vector<FigureSeries> series = series_of(nights);
  TextTable figures({"figure", "nights", "first", "last", "change"});
  for (const FigureSeries& each : series) {
    const double first = each.samples.front().value, last = each.samples.back().value;
    const bool one = each.samples.size() == 1;
    figures.add({figure_name(each.measurement, each.figure) + (is_simulated(each, nights) ? ", simulated" : ""),
                 std::to_string(each.samples.size()), value_text(std::exp(first)), value_text(std::exp(last)),
                 one ? "-" : signed_percent(std::expm1(last - first))});
  }
  text += "\n" + figures.str() + "\n";
  const std::vector<NightChange> changes = changes_of(nights, series);
  if (changes.empty()) text += "no figure changed its level\n";
  for (const NightChange& change : changes)
    text += wrapped(
        fmt::format("since {}: {} {}{} ({}, p = {:.2g}){}", nights[change.night].started_at,
                    figure_name(change.measurement, change.figure), signed_percent(change.change),
                    change.against_reference ? " against the reference" : "", change.better ? "better" : "worse",
                    change.p, change.differs.empty() ? "" : "; " + few_differences(change.differs)),
        4);
  return text;
}

std::string history_html(const std::vector<Night>& nights, const std::vector<NightCurve>& curves) {
  Document page = {{"nights", Document::array()},
                   {"series", Document::array()},
                   {"changes", Document::array()},
                   {"curves", Document::array()}};
  for (std::size_t i = 0; i < nights.size(); ++i) page["nights"].push_back(night_json(nights, i));
  const std::vector<FigureSeries> series = series_of(nights);
  for (const FigureSeries& each : series) page["series"].push_back(series_json(each, nights));
  for (const NightChange& change : changes_of(nights, series))
    page["changes"].push_back({{"night", change.night},
                               {"measurement", change.measurement},
                               {"figure", change.figure},
                               {"change", change.change},
                               {"better", change.better},
                               {"p", change.p},
                               {"differs", change.differs}});
  for (const auto& [measurement, result] : curves) {
    Document points = Document::array();
    for (const PointFigures& point : result.load_points)
      if (point.has_response()) points.push_back({point.achieved_ops_per_sec, point.latency.response.mean.count()});
    page["curves"].push_back(
        {{"measurement", measurement}, {"night", result.started_at}, {"points", std::move(points)}});
  }
  const std::string title = nights.empty()
                                ? "edagen history"
                                : fmt::format("edagen history: {}, {} to {}", counted(nights.size(), "night"),
                                              nights.front().started_at, nights.back().started_at);
  return html_page("src/report/history.js", inert(page), title);
}

}  // namespace edagen
