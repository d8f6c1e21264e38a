#include "report/series_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "edagen/units.hpp"
#include "report/limit_text.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/reason_text.hpp"
#include "report/stall_text.hpp"
#include "report/wrapped_text.hpp"
#include "result/flaw.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

using Points = std::vector<const PointFigures*>;

/// The rate of an open loop is asked for; what is measured is its response.
bool is_open_loop(const Result& result) {
  return !result.load_points.empty() && result.load_points.front().requested_ops_per_sec.has_value();
}

bool is_repeated(const Series& series) {
  return std::ranges::any_of(series.points, [](const SeriesPoint& point) { return point.repeats > 1; });
}

Points points_at(const Result& result, double value) {
  Points points;
  for (const PointFigures& point : result.load_points)
    if (point.sweep_value == value) points.push_back(&point);
  return points;
}

/// The median of a figure of the points that have a response; 0 of none.
Millis median_response(const Points& points, Millis LatencyFigures::*figure) {
  std::vector<double> all;
  for (const PointFigures* const point : points)
    if (point->has_response()) all.push_back((point->latency.response.*figure).count());
  return Millis(all.empty() ? 0 : median_of(std::move(all)));
}

/// "> " where ops of one of the points had not ended, so that the response that `above` of the ops exceed is a lower
/// bound.
const char* bound_mark(const Points& points, double above = 0) {
  const auto is_bound = [&](const PointFigures* point) { return point->is_response_bound(above); };
  return std::ranges::any_of(points, is_bound) ? "> " : "";
}

/// A bar for each value, as long as its rate, or in an open loop as its mean response.
std::string series_plot(const Result& result, bool open_loop) {
  constexpr double width = 40;
  const Series& series = *result.series;
  const auto figure = [&](const SeriesPoint& point) {
    return open_loop ? point.response_ms.mean : point.ops_per_sec.mean;
  };
  double highest = 0;
  for (const SeriesPoint& point : series.points) highest = std::max(highest, figure(point));
  std::string text;
  for (const SeriesPoint& point : series.points) {
    const auto length = static_cast<std::size_t>(std::lround(highest > 0 ? figure(point) / highest * width : 0));
    text += fmt::format("{:>8g} |{} {}{}\n", point.value, std::string(length, '*'),
                        open_loop ? bound_mark(points_at(result, point.value)) + format_millis(figure(point)) + " ms"
                                  : per_second(figure(point)) + " ops/s",
                        is_valid_at(result, point.value) ? "" : " INVALID");
  }
  return text;
}

/// " ±1.2 %"; empty without an interval.
std::string plus_minus(const RepeatSummary& figure) {
  if (!figure.confidence_95 || !(figure.mean > 0)) return "";
  const auto& [low, high] = *figure.confidence_95;
  return fmt::format(" ±{}", percent_text((high - low) / 2 / figure.mean));
}

/// "1,000 ops/s and 3.8 MiB/s at 3.05 ms ±95 % mean response (10 repeats, median 0.137 ms)"
std::string rates_text(const SeriesPoint& point, bool open_loop, bool paused, const std::string& bound) {
  const RepeatSummary& response = point.response_ms;
  const std::string median =
      open_loop ? fmt::format(", median {}{} ms", bound, format_millis(response.median)) : std::string();
  const std::string repeats = point.repeats > 1 ? fmt::format(" ({}{})", counted(point.repeats, "repeat"), median) : "";
  return fmt::format("{} ops/s{} and {} MiB/s at {}{} ms{} mean response{}{}", per_second(point.ops_per_sec.mean),
                     open_loop ? "" : plus_minus(point.ops_per_sec), format_mib(point.mib_per_sec.mean), bound,
                     format_millis(response.mean), open_loop && bound.empty() ? plus_minus(response) : "",
                     paused ? ", with a pause of edagen in them" : "", repeats);
}

/// The mean of repeats, or the value of a sweep with the highest rate, in an open loop with the lowest response.
std::string series_answer(const Result& result) {
  const Series& series = *result.series;
  const bool open_loop = is_open_loop(result);
  const SeriesPoint& best = *std::ranges::max_element(series.points, {}, [&](const SeriesPoint& point) {
    if (!open_loop) return point.ops_per_sec.mean;
    const double response = point.response_ms.mean;  // 0: no op that was due has ended
    return response > 0 ? -response : -std::numeric_limits<double>::infinity();
  });
  const Points of_best = points_at(result, best.value);
  std::set<Invalid> reasons;
  for (const PointFigures* const point : of_best) reasons.insert(point->invalid.begin(), point->invalid.end());
  const char* const verdict = reasons.empty() ? "" : "INVALID: ";
  const std::string names = reasons.empty() ? "" : ": " + reason_names({reasons.begin(), reasons.end()});
  const std::string rates =
      rates_text(best, open_loop, reasons.contains(Invalid::generator_paused), bound_mark(of_best));
  if (!series.parameter) return fmt::format("{}{}: {}{}\n", verdict, scenario(result), rates, names);
  return fmt::format("{}{}, by {}: {} at {:g}: {}{}\n", verdict, scenario(result), *series.parameter,
                     open_loop ? "lowest response" : "most", best.value, rates, names);
}

/// A late or paused edagen and ops that never returned are named by their own reasons, with their remedies.
bool has_stalled(const Result& result, const PointFigures& point) {
  if (has_flaw(point.invalid, {Flaw::generator, Flaw::cut_short})) return false;
  Points all = points_at(result, point.sweep_value);
  std::erase_if(all, [](const PointFigures* other) { return !other->has_response(); });
  return point.has_response() &&
         is_stall(point.latency.response.mean, median_response(all, &LatencyFigures::mean), all.size());
}

/// With the time at which it waited most.
std::string stall_line(const Result& result, const PointFigures& point) {
  Points others = points_at(result, point.sweep_value);
  std::erase(others, &point);
  const std::optional<StalledTime> stall = stalled_time(point);
  const std::string when = stall ? fmt::format(", most of it from a stall that began about {} into the window",
                                               format_duration(from_seconds(stall->begins.count())))
                                 : "";
  return stall_text(series_name(result, point), point.invalid, point.latency.response.mean,
                    median_response(others, &LatencyFigures::mean),
                    fmt::format(", and {} ms at p99{}", ms(point.latency.response.p99), when));
}

/// Stalled repeats by themselves, and the reasons of the others.
std::string reasons_text(const Result& result) {
  std::string text;
  Points others;
  for (const PointFigures& point : result.load_points)
    if (has_stalled(result, point)) text += stall_line(result, point);
    else others.push_back(&point);
  return text + reason_lines(others, result.load_points.size(), result);
}

/// The lines that `lines_of` has of load points: of how many, and those of the first of them.
template <class Lines>
std::string lines_of_first(const Result& result, Lines lines_of) {
  std::size_t count = 0;
  const PointFigures* first = nullptr;
  for (const PointFigures& point : result.load_points)
    if (!lines_of(point).empty() && count++ == 0) first = &point;
  return first ? which_points(count, result.load_points.size(), result, *first) + lines_of(*first) : "";
}

/// What made ops wait, and which mounts and clients are slower than the others, as a run has it.
std::string findings_text(const Result& result) {
  const auto limit = [&](const PointFigures& point) {
    const bool has_own_line = !has_ended(point) || has_stalled(result, point);
    return has_own_line ? "" : waiting_line(result, point, true);
  };
  const auto mounts = [](const PointFigures& point) {
    std::string text;
    for (const std::string& finding : point.mount_findings) text += wrapped("  - " + finding, 4);
    return text;
  };
  return lines_of_first(result, limit) + lines_of_first(result, mounts);
}

/// A row for each repeat.
TextTable repeat_table(const Result& result) {
  const std::string parameter = result.series->parameter.value_or("");
  std::vector<Column> heads = {"repeat", "ops/s", "MiB/s", "mean ms", "p50", "p99", "max", "valid"};
  if (!parameter.empty()) heads.insert(heads.begin(), parameter);
  TextTable table(heads, {0, heads.size() - 1});
  for (const PointFigures& point : result.load_points) {
    const LatencyFigures& latency = point.latency.response;
    std::vector<Cell> row = {std::to_string(point.repeat),
                             rate_cell(point),
                             mib_cell(point),
                             response_cell(point, latency.mean),
                             response_cell(point, latency.p50, 0.5),
                             response_cell(point, latency.p99, 0.01),
                             response_cell(point, latency.max),
                             point.valid() ? Cell("yes") : Cell("INVALID: " + reason_names(point.invalid), "bad")};
    if (!parameter.empty()) row.insert(row.begin(), fmt::format("{:g}", point.sweep_value));
    table.add(std::move(row));
  }
  return table;
}

/// One repeat has no interval.
template <class Text>
std::string interval_cell(const RepeatSummary& figure, Text text) {
  if (!figure.confidence_95) return "-";
  return fmt::format("{} to {}", text(figure.confidence_95->front()), text(figure.confidence_95->back()));
}

/// Lower bounds (`bound`: "> ") have no interval that would hold the true mean.
template <class Text>
std::vector<Cell> spread_cells(const RepeatSummary& figure, const std::string& bound, Text text) {
  return {bound.empty() ? interval_cell(figure, text) : "-", bound + text(figure.median),
          figure.standard_deviation ? text(*figure.standard_deviation) : "-"};
}

}  // namespace

bool is_valid_at(const Result& result, double value) {
  return std::ranges::all_of(points_at(result, value), [](const PointFigures* point) { return point->valid(); });
}

TextTable series_table(const Result& result) {
  const Series& series = *result.series;
  const bool open_loop = is_open_loop(result), repeated = is_repeated(series);
  const std::vector<Column> spread = {"95 % interval", "median", "std dev"};
  std::vector<Column> heads = {series.parameter.value_or("load"), open_loop ? "mean ms" : "ops/s"};
  if (repeated) heads.insert(heads.end(), spread.begin(), spread.end());
  heads.insert(heads.end(), {"p99 ms", open_loop ? "ops/s" : "mean ms", "MiB/s"});
  if (repeated) heads.emplace_back("repeats", Shown::on_page);
  TextTable table(heads);
  for (const SeriesPoint& point : series.points) {
    const RepeatSummary& rate = point.ops_per_sec;
    const RepeatSummary& response = point.response_ms;
    const Points points = points_at(result, point.value);
    const bool valid = std::ranges::all_of(points, &PointFigures::valid);
    const std::string name = series.parameter ? fmt::format("{:g}", point.value) : "all";
    const std::string bound = bound_mark(points), mean = bound + format_millis(response.mean);
    std::vector<Cell> row = {name + (valid ? "" : " INVALID"), open_loop ? mean : per_second(rate.mean)};
    if (repeated)
      for (const Cell& cell :
           open_loop ? spread_cells(response, bound, format_millis) : spread_cells(rate, "", per_second))
        row.push_back(cell);
    row.emplace_back(bound_mark(points, 0.01) + ms(median_response(points, &LatencyFigures::p99)));
    row.emplace_back(open_loop ? per_second(rate.mean) : mean);
    row.emplace_back(format_mib(point.mib_per_sec.mean));
    if (repeated) row.emplace_back(std::to_string(point.repeats));
    table.add(std::move(row));
  }
  return table;
}

std::string series_text(const Result& result, bool each_repeat) {
  const Series& series = *result.series;
  std::string text =
      series_answer(result) + reasons_text(result) + findings_text(result) + "\n" + series_table(result).str(2);
  if (is_repeated(series)) {
    const bool all_valid = std::ranges::all_of(result.load_points, &PointFigures::valid);
    text += "  p99 ms: the median of the repeats\n";
    if (each_repeat || !all_valid) text += "\n" + repeat_table(result).str(2);
    else text += "  -v shows each repeat\n";
  }
  if (series.parameter) text += "\n" + series_plot(result, is_open_loop(result));
  return text + origin_text(result);
}

}  // namespace edagen
