#include "report/late_host_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "edagen/units.hpp"
#include "report/limit_text.hpp"

namespace edagen {
namespace {

Millis statistic_of(const LatencyFigures& latency, const std::string& name) {
  if (name == "p50") return latency.p50;
  if (name == "p95") return latency.p95;
  if (name == "p99") return latency.p99;
  return name == "p99.9" ? latency.p99_9 : latency.mean;
}

std::string in_ms(Millis time) { return format_millis(time.count()) + " ms"; }

/// " (limit 0.200 ms)"; "" of results that an older version wrote.
std::string lag_limit_text(const PointFigures& point) {
  return point.generator_lag_limit ? fmt::format(" (limit {})", in_ms(point.generator_lag_limit->value)) : "";
}

/// Where a tenth of the intervals or fewer have most of the delay: how many, and when the worst began.
std::string late_intervals_text(const PointFigures& point) {
  std::vector<std::pair<double, Seconds>> late;  // ms, begin
  double all = 0, worst = 0;
  for (const IntervalFigures& interval : point.intervals) {
    if (!interval.generator_lag_mean) continue;
    late.emplace_back(interval.generator_lag_mean->count() * interval.ops_per_sec, interval.start);
    all += late.back().first;
  }
  std::ranges::sort(late, std::greater());
  const std::size_t tenth = point.intervals.size() / 10;
  for (std::size_t i = 0; i < std::min(tenth, late.size()); ++i) {
    worst += late[i].first;
    if (worst > all / 2)
      return fmt::format(", most of it in {} of {} intervals (the worst began after {})", i + 1, point.intervals.size(),
                         format_duration(from_seconds(late[0].second.count())));
  }
  return "";
}

}  // namespace

const char* host_or_hosts(const PointFigures& point) { return point.hosts.empty() ? "this host" : "the hosts"; }

std::string late_text(const PointFigures& point) {
  const std::string statistic = point.generator_lag_limit ? point.generator_lag_limit->statistic : "mean";
  return fmt::format(
      "{} began ops {} late{}{}{}", host_or_hosts(point), in_ms(statistic_of(point.generator_lag, statistic)),
      statistic == "mean" ? " on average" : " at " + statistic, lag_limit_text(point), late_intervals_text(point));
}

std::string busy_processors_text(const Result& result, const PointFigures& point, const char* whose) {
  std::string which = whose + processors_text(result.host.cpus);
  if (!point.hosts.empty()) {
    const HostFigures& busiest = *std::ranges::max_element(point.hosts, {}, &HostFigures::host_busy);
    which = fmt::format("the processors of {} (rank {}) are", busiest.name, busiest.rank);
  }
  return fmt::format("{} {:.0f} % busy", which, 100 * std::min(point.host_busy, 1.0));
}

std::string closed_loop_text(const Result& result, const PointFigures& point) {
  if (point.generator_lag_limit && point.proc_wait > point.generator_lag_limit->value)
    return fmt::format("procs waited {} on average until {} began their next op{}", in_ms(point.proc_wait),
                       host_or_hosts(point), lag_limit_text(point));
  return busy_processors_text(result, point, result.host.cpus == 1 ? "the " : "");
}

}  // namespace edagen
