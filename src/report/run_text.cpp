#include "report/run_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "edagen/units.hpp"
#include "report/hosts_text.hpp"
#include "report/mounts_text.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/reason_text.hpp"

namespace edagen {
namespace {

/// In an open loop a busy host makes ops late, and that is seen; in a closed loop it is just the rate that is lower.
std::string busy_host_hint(const Result& result, const PointFigures& point) {
  if (point.requested_ops_per_sec) return "";
  const double busy = std::max(point.host_busy, point.cpu_cores_used / static_cast<double>(result.host.cpus));
  if (busy < 0.9) return "";
  const std::string used = busy_host_text(result, point);
  return fmt::format("  this host is the limit: its {} {:.0f} % busy{}; the storage may do more\n",
                     processors_text(result.host.cpus), 100 * std::min(busy, 1.0), used.empty() ? "" : ": " + used);
}

/// Figures of fast storage are to a large part the generator's, which is valid up to 50 microseconds. How much of a
/// pause is in its delay, and how much in the service, is chance.
std::string own_share(const PointFigures& point) {
  if (point.is_invalid_for(Invalid::generator_paused)) return "";
  const double share = point.generator_lag.mean / std::max(point.latency.response.mean, Millis(1e-9));
  if (!point.requested_ops_per_sec || share <= 0.1) return "";
  return fmt::format(", of which {:.0f} % is the generator's own delay", 100 * share);
}

std::string closed_loop_text(const PointFigures& point) {
  return fmt::format("a closed loop: each proc {}as fast as its ops end",
                     any_kind_is_paced(point) ? "without a rate " : "");
}

/// The answer in a sentence, what was asked for, and why it is invalid.
std::string answer_text(const Result& result, const PointFigures& point) {
  const std::optional<double> requested = point.requested_ops_per_sec;
  const double sync = point.sync_seconds.count();
  std::string text = fmt::format("{}{}: {}{}\n", point.valid() ? "" : "INVALID: ", scenario(result),
                                 figures_text(point), own_share(point));
  if (!has_ended(point))
    return text + "  " + cut_off_point_text(point) + "\n" + reason_lines(point.invalid, result, &point);
  const std::string reached = requested && point.has_figures()
                                  ? fmt::format(" ({:.1f} % reached)", 100 * point.achieved_ops_per_sec / *requested)
                                  : "";
  text +=
      fmt::format("  {}; {} measured{}{}\n",
                  requested ? per_second(*requested) + " ops/s requested" + reached : closed_loop_text(point),
                  point.seconds.count() > 0 ? format_duration(from_seconds(point.seconds.count())) : "nothing",
                  sync > 0 ? fmt::format(", of which {} ms to flush written data", ms(point.sync_seconds)) : "",
                  result.simulated() ? "" : fmt::format(", {:.1f} processors used by edagen", point.cpu_cores_used));
  text += reason_lines(point.invalid, result, &point) + busy_procs_hint(point, result.simulated());
  if (!result.simulated()) text += busy_host_hint(result, point);
  return text;
}

/// A bar for each value, as long as its rate.
std::string series_plot(const Series& series) {
  constexpr double width = 40;
  double highest = 0;
  for (const SeriesPoint& point : series.points) highest = std::max(highest, point.ops_per_sec.mean);
  std::string text;
  for (const SeriesPoint& point : series.points) {
    const double rate = point.ops_per_sec.mean;
    const auto length = static_cast<std::size_t>(std::lround(highest > 0 ? rate / highest * width : 0));
    text += fmt::format("{:>8g} |{} {} ops/s\n", point.value, std::string(length, '*'), per_second(rate));
  }
  return text;
}

/// Of one repeat there is none.
std::string interval_cell(const RepeatSummary& rate) {
  if (!rate.confidence_95) return "-";
  return fmt::format("{} to {}", per_second(rate.confidence_95->front()), per_second(rate.confidence_95->back()));
}

/// "±1.2 %, "; empty without an interval.
std::string plus_minus(const RepeatSummary& rate) {
  if (!rate.confidence_95 || !(rate.mean > 0)) return "";
  return fmt::format("±{}, ", percent_text((rate.confidence_95->back() - rate.confidence_95->front()) / 2 / rate.mean));
}

/// Of repeats their mean, of a sweep the value with the highest rate.
std::string series_answer(const Result& result) {
  const Series& series = *result.series;
  const SeriesPoint& best =
      *std::ranges::max_element(series.points, {}, [](const SeriesPoint& point) { return point.ops_per_sec.mean; });
  const auto any_of_best = [&](auto&& is) {
    return std::ranges::any_of(result.load_points,
                               [&](const PointFigures& point) { return point.sweep_value == best.value && is(point); });
  };
  const bool paused = any_of_best([](const auto& point) { return point.is_invalid_for(Invalid::generator_paused); });
  const char* const verdict = any_of_best([](const auto& point) { return !point.valid(); }) ? "INVALID: " : "";
  const std::string rates =
      fmt::format("{} ops/s and {} MiB/s at {} ms mean response{}", per_second(best.ops_per_sec.mean),
                  format_mib(best.mib_per_sec.mean), format_millis(best.response_ms.mean),
                  paused ? ", with a pause of edagen in them" : "");
  const std::string repeats =
      best.repeats > 1 ? fmt::format(" ({}{})", plus_minus(best.ops_per_sec), counted(best.repeats, "repeat")) : "";
  if (!series.parameter) return fmt::format("{}{}: {}{}\n", verdict, scenario(result), rates, repeats);
  return fmt::format("{}{}, by {}: most at {:g}: {}{}\n", verdict, scenario(result), *series.parameter, best.value,
                     rates, repeats);
}

}  // namespace

TextTable series_table(const Series& series) {
  const bool swept = series.parameter.has_value(),
             repeated = std::ranges::any_of(series.points, [](const SeriesPoint&point) { return point.repeats > 1; });
  std::vector<Column> heads = {series.parameter.value_or("load"), "ops/s"};
  if (repeated) heads.insert(heads.end(), {"95 % interval", "median", "std dev", {"repeats", Shown::on_page}});
  heads.insert(heads.end(), {"MiB/s", "mean ms"});
  TextTable table(heads);
  for (const SeriesPoint& point : series.points) {
    const RepeatSummary& rate = point.ops_per_sec;
    std::vector<Cell> row = {swept ? fmt::format("{:g}", point.value) : "all", per_second(rate.mean)};
    if (repeated)
      row.insert(row.end(),
                 {interval_cell(rate), per_second(rate.median),
                  rate.standard_deviation ? per_second(*rate.standard_deviation) : "-", std::to_string(point.repeats)});
    row.insert(row.end(), {format_mib(point.mib_per_sec.mean), format_millis(point.response_ms.mean)});
    table.add(std::move(row));
  }
  return table;
}

std::string run_text(const Result& result) {
  const PointFigures& point = result.load_points.back();
  std::string text = answer_text(result, point) + "\n";
  if (has_ended(point) && point.has_figures())
    text += latency_parts(point) + "\n  Response by kind of op, in ms; p90, p99.9 and service of each: in JSON\n" +
            op_table(point).str(2) + mounts_text(point) + nfs_text(point) + hosts_text(point);
  text += origin_text(result) + "\n";
  TextTable answer({"Scenario", "I/O rate, ops/s", "MiB/s", "mean response, ms"});
  answer.add({scenario(result), rate_cell(point), mib_cell(point), response_cell(point, point.latency.response.mean)});
  return text + answer.str();
}

std::string series_text(const Result& result) {
  const Series& series = *result.series;
  std::string text = series_answer(result);
  std::vector<const PointFigures*> points;
  for (const PointFigures& point : result.load_points) points.push_back(&point);
  text += reason_lines(points, result);
  text += "\n" + series_table(series).str(2);
  if (series.parameter) text += "\n" + series_plot(series);
  return text + origin_text(result);
}

}  // namespace edagen
