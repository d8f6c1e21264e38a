#include "report/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/mib.hpp"
#include "base/words.hpp"
#include "report/point_text.hpp"
#include "result/escaped_text.hpp"

namespace edagen {
namespace {

/// A cell of text, whatever it holds: one that a spreadsheet would take for a formula begins with an apostrophe (OWASP,
/// "CSV Injection").
std::string csv_field(const std::string& text) {
  std::string cell = text.find_first_of("=+-@") == 0 ? "'" + text : text;
  if (cell.find_first_of(",;\"\r\n\t") == std::string::npos) return cell;
  return "\"" + replaced(cell, "\"", "\"\"") + "\"";
}

/// "network=2 x 25 GbE; storage=A"
std::string joined(const std::map<std::string, std::string>& labels) {
  std::string text;
  for (const auto& [key, label] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : "; ", key, label);
  return text;
}

/// The last cells of each line, of a Result or a ComparisonResult.
std::string origin_cells(const auto& document) {
  return fmt::format("{},{},{}", csv_field(document.edagen_version),
                     csv_field(fmt::format("{}", fmt::join(document.command, " "))),
                     csv_field(joined(document.labels)));
}

/// What takes part in a load point: a sweep of clients, and load that is added as job sets, leave some procs out.
struct TakesPart {
  double job_sets;
  std::uint64_t clients, procs;
};
TakesPart parts_of(const Result& result, const PointFigures& point) {
  std::uint64_t procs = 0;
  for (const GroupFigures& group : point.groups) procs += group.procs;
  if (procs == 0) return {result.job_sets, result.clients, result.procs};  // not known
  // Job sets are added to one client after the other.
  if (point.active_job_sets)
    return {static_cast<double>(*point.active_job_sets), std::min(result.clients, *point.active_job_sets), procs};
  const auto of_all = [&](double count) {
    return count * static_cast<double>(procs) / static_cast<double>(result.procs);
  };
  return {of_all(result.job_sets),
          static_cast<std::uint64_t>(std::llround(of_all(static_cast<double>(result.clients)))), procs};
}

}  // namespace

std::string csv_text(const Result& raw) {
  const Result result = with_escaped_text(raw);
  std::string text =
      "Workload Name,Target,Purpose,Sweep,Repeat,Business Metric (job sets),Requested Op Rate,Achieved Op Rate,Avg Lat "
      "(ms),"
      "Avg Service Lat (ms),P50 (ms),P95 (ms),P99 (ms),P99.9 (ms),Total KBps,Read KBps,Write KBps,MiB/s,Run "
      "Sec,Clients,"
      "Client Procs,Avg File Size KB,Client Data Set MiB,Start Data Set MiB,Errors,Valid Run,Invalid Reasons,edagen "
      "Version,Command,Labels\n";
  const std::string origin = origin_cells(result);
  const double dataset_mib = to_mib(result.dataset.bytes);
  const std::string average_kib =
      result.dataset.files > 0 ? fmt::format("{:.1f}", dataset_mib * 1024 / static_cast<double>(result.dataset.files))
                               : "";
  const auto number = [](std::optional<double> value) { return value ? fmt::format("{}", *value) : std::string(); };
  const auto ms = [](Millis time) { return fmt::format("{}", time.count()); };
  // A sweep that was killed has no series: the name of its parameter is not known.
  const std::string parameter = result.series && result.series->parameter ? *result.series->parameter + " " : "";
  const bool is_sweep = !parameter.empty() || std::ranges::any_of(result.load_points, [](const PointFigures& point) {
    return point.sweep_value != 0;
  });
  const auto swept = [&](const PointFigures& point) {
    return is_sweep && has_ended(point) ? fmt::format("{}{:g}", parameter, point.sweep_value) : std::string();
  };
  for (const PointFigures& point : result.load_points) {
    const LatencyFigures& latency = point.latency.response;
    // Only the intervals are known of a load point that did not come to its end.
    const bool over = point.purpose != Purpose::incomplete;
    const auto timed = [&](Millis time) { return point.has_response() ? ms(time) : ""; };
    const auto percentile = [&](Millis time) { return over ? timed(time) : ""; };
    const auto rate = [&](double value) { return point.has_figures() ? fmt::format("{}", value) : ""; };
    const auto kbps = [&](double mib) { return point.has_figures() ? fmt::format("{:.1f}", mib * 1024) : ""; };
    std::uint64_t errors = 0;
    for (const auto& [name, count] : point.errors) errors += count;
    if (!over)
      for (const IntervalFigures& interval : point.intervals) errors += interval.errors;
    const auto [job_sets, clients, procs] = parts_of(result, point);
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.1f},{:.1f},{},{},{},{}"
        "\n",
        csv_field(result.workload.name), to_string(result.target.kind), to_string(point.purpose),
        csv_field(swept(point)), over ? fmt::format("{}", point.repeat) : "", job_sets,
        number(point.requested_ops_per_sec), rate(point.achieved_ops_per_sec), timed(latency.mean),
        point.has_service() ? ms(point.latency.service.mean) : "", percentile(latency.p50), percentile(latency.p95),
        percentile(latency.p99), percentile(latency.p99_9), kbps(point.mib_per_sec),
        over ? kbps(point.read_mib_per_sec) : "", over ? kbps(point.write_mib_per_sec) : "", rate(point.mib_per_sec),
        point.seconds.count(), clients, procs, average_kib, dataset_mib / static_cast<double>(result.clients),
        dataset_mib, errors, point.valid() ? "yes" : "no", csv_field(reason_names(point.invalid, " ")), origin);
  }
  return text;
}

std::string csv_text(const ComparisonResult& raw) {
  const ComparisonResult comparison = with_escaped_text(raw);
  std::string text =
      "Variant,What,Repeat,Latency Target,Op Rate,MiB/s,Avg Lat (ms),RPCs per Op,Valid Run,Invalid Reasons,"
      "edagen Version,Command,Labels\n";
  const std::string origin = origin_cells(comparison), target = csv_field(comparison.at_latency_target.value_or(""));
  for (const VariantFigures& variant : comparison.variants) {
    const std::string which = csv_field(variant.name) + "," + csv_field(variant.what);
    if (variant.refused)
      text += fmt::format("{},,{},,,,,no,{},{}\n", which, target, csv_field("refused: " + *variant.refused), origin);
    for (const RunFigures& run : variant.runs) {
      const auto known = [](double value, bool is_known) { return is_known ? fmt::format("{}", value) : ""; };
      text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", which, run.repeat, target,
                          known(run.ops_per_sec, run.has_rate()), known(run.mib_per_sec, run.has_rate()),
                          known(run.response.count(), run.has_response()), known(run.rpcs_per_op, run.has_rate()),
                          run.valid() ? "yes" : "no", csv_field(reason_names(run.invalid, " ")), origin);
    }
  }
  return text;
}

}  // namespace edagen
