#include "result/point_contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "edagen/error.hpp"
#include "result/result_json.hpp"
#include "result/rounding.hpp"

namespace edagen {
namespace {

std::string wrong_sum_in(const PointFigures& point) {
  const auto all = static_cast<std::uint64_t>(point.bytes_read) + static_cast<std::uint64_t>(point.bytes_written);
  std::uint64_t of_kinds = 0, bytes_of_kinds = 0, of_clients = 0, bytes = 0;
  for (const auto& [kind, op] : point.ops) {
    of_kinds += op.operations;
    bytes_of_kinds += static_cast<std::uint64_t>(op.bytes);
  }
  for (const ClientFigures& client : point.clients) {
    of_clients += client.operations;
    bytes += static_cast<std::uint64_t>(client.bytes);
  }
  if (of_kinds != point.operations)
    return fmt::format("its kinds of op are {} ops together, not {}", of_kinds, point.operations);
  if (bytes_of_kinds != all) return fmt::format("its kinds of op have {} bytes together, not {}", bytes_of_kinds, all);
  if (point.clients.empty()) return "";
  if (of_clients != point.operations)
    return fmt::format("its clients' ops are {} together, not {}", of_clients, point.operations);
  return bytes == all ? "" : fmt::format("its clients' bytes are {} together, not {}", bytes, all);
}

/// `written`: the load point that figures were read from, in which a rate may be null.
std::string wrong_rate_in(const Document& written, const PointFigures& point) {
  const double mib_read = static_cast<double>(point.bytes_read) / 0x1p20,
               mib_written = static_cast<double>(point.bytes_written) / 0x1p20,
               operations = static_cast<double>(point.operations), seconds = point.seconds.count();
  for (const auto& [kind, op] : point.ops)
    if (const auto own = static_cast<double>(op.operations); operations > 0 && !are_near(op.share * operations, own))
      return fmt::format("the share of {} is {:.7g}, and it is {:.7g} of {:.7g} ops", to_string(kind), op.share, own,
                         operations);
  if (!point.has_figures()) return "";
  for (const auto& [rate, amount] : {std::pair{"achieved_ops_per_sec", operations},
                                     {"mib_per_sec", mib_read + mib_written},
                                     {"read_mib_per_sec", mib_read},
                                     {"write_mib_per_sec", mib_written}}) {
    if (written[rate].is_null()) return fmt::format("{} is null, and {:.7g} ops ended", rate, operations);
    const double told = written[rate].get<double>();
    if (seconds > 0 && !are_near(told, amount / seconds))
      return fmt::format("{} is {:.7g}, and what ended in {:.7g} s gives {:.7g}", rate, told, seconds,
                         amount / seconds);
  }
  return "";
}

/// A load point that was cut off before its window has no intervals, and one that was cut off as an interval began has
/// one of no length, whose ops are in no rate.
std::string wrong_intervals_in(const PointFigures& point) {
  if (point.intervals.empty()) return "";
  double seconds = point.sync_seconds.count(), operations = 0;
  bool all_have_length = true;
  for (const IntervalFigures& interval : point.intervals) {
    seconds += interval.length.count();
    operations += interval.ops_per_sec * interval.length.count();
    all_have_length = all_have_length && interval.length > Seconds(0);
  }
  if (!are_near(seconds, point.seconds.count()))
    return fmt::format("seconds is {:.7g}, and its intervals and sync_seconds are {:.7g} together",
                       point.seconds.count(), seconds);
  if (all_have_length && !are_near(operations, static_cast<double>(point.operations)))
    return fmt::format("its intervals have {:.7g} ops together, not {}", operations, point.operations);
  return "";
}

std::string missing_reason_in(const PointFigures& point) {
  for (const auto& [found, reason] : {std::pair{point.operations == 0, Invalid::nothing_measured},
                                      {!point.errors.empty(), Invalid::errors},
                                      {point.ops_outstanding > 0, Invalid::ops_outstanding},
                                      {point.stuck_ops > 0, Invalid::stuck_ops}})
    if (found && !point.is_invalid_for(reason))
      return fmt::format("it is invalid for '{}', which is none of its invalid_reasons", to_string(reason));
  return "";
}

/// `answers`: of the search that the load point is of; empty: of none.
std::string wrong_statistic_in(const Document& point, const Document& answers) {
  if (!point["statistic_ms"].is_object()) return "";
  const double value = point["statistic_ms"]["value"].get<double>();
  for (const char* const latency : {"response", "service"})
    for (const auto& [statistic, key] :
         {std::pair{"mean", "mean"}, {"p50", "p50"}, {"p95", "p95"}, {"p99", "p99"}, {"p99.9", "p99_9"}}) {
      if (!answers.empty() && (answers[0]["latency"] != latency || answers[0]["statistic"] != statistic)) continue;
      if (!point["latency_ms"].is_object() || !point["latency_ms"][latency].is_object()) continue;
      if (are_near(value, point["latency_ms"][latency][key].get<double>())) return "";
    }
  const std::string which = answers.empty()
                                ? "none of its latencies"
                                : fmt::format("not its {} {}", one_line(answers[0]["statistic"].get<std::string>(), 60),
                                              answers[0]["latency"].get<std::string>());
  return fmt::format("statistic_ms is {:.7g}, which is {}", value, which);
}

/// Of the ops that were due in the window: each response is the service and what the start was late, in whole ns. Ops
/// that had not ended have no service, and a load point that was read from intervals has no lag.
std::string wrong_response_in(const PointFigures& point) {
  if (!point.has_service() || point.ops_outstanding > 0 || point.purpose == Purpose::incomplete) return "";
  const double response = point.latency.response.mean.count(),
               parts = point.latency.service.mean.count() + point.latency.lag.mean.count();
  if (std::abs(response - parts) <= 1e-5 * response + 2e-6) return "";
  return fmt::format("the mean response is {:.7g}, and those of service and lag are {:.7g} together", response, parts);
}

std::string wrong_generator_lag_in(const Document& written) {
  if (!written.contains("generator_lag_ms") || !written["generator_lag_ms"].is_object()) return "";
  const Document& mean = written["generator_lag_mean_ms"];
  if (mean.is_number() && are_near(mean.get<double>(), written["generator_lag_ms"]["mean"].get<double>())) return "";
  return "generator_lag_mean_ms is not the mean of generator_lag_ms";
}

std::string wrong_groups_in(const PointFigures& point) {
  if (point.groups.empty() || !point.has_figures()) return "";
  double rate = 0;
  for (const GroupFigures& group : point.groups) rate += group.achieved_ops_per_sec;
  if (are_near(rate, point.achieved_ops_per_sec)) return "";
  return fmt::format("its groups achieve {:.7g} ops/s together, not {:.7g}", rate, point.achieved_ops_per_sec);
}

/// `result`: what the load point is of; empty: not known. A load may have fewer procs than its run.
std::string impossible_amount_in(const PointFigures& point, const Document& result) {
  constexpr double most = 1e9;
  const bool known = result.contains("host") && result.contains("procs"), alone = point.hosts.empty();
  const double cpus = known && alone && point.seconds >= Seconds(1) ? 1.1 * result["host"]["cpus"].get<double>() : most;
  double procs = 0;
  for (const GroupFigures& group : point.groups) procs += static_cast<double>(group.procs);
  for (const auto& [name, amount, limit] :
       {std::tuple{"cpu_cores_used", point.cpu_cores_used, cpus},
        {"warmup_seconds", point.warmup.count(), most},
        {"the procs of its groups", procs, known ? result["procs"].get<double>() : most}})
    if (!(amount >= 0 && amount <= limit))
      return fmt::format("{}: {:.7g} is not between 0 and {:.7g}", name, amount, limit);
  if (point.requested_ops_per_sec && *point.requested_ops_per_sec <= 0) return "requested_ops_per_sec is not above 0";
  return "";
}

}  // namespace

std::string contradiction_in_point(const Document& document, const Document& result) {
  static const Document none = Document::array();
  const PointFigures point = point_from_json(document);
  const Document& answers = result.contains("at_latency_target") ? result["at_latency_target"] : none;
  for (const std::string& wrong :
       {wrong_sum_in(point), wrong_rate_in(document, point), wrong_intervals_in(point), missing_reason_in(point),
        wrong_statistic_in(document, answers), wrong_response_in(point), wrong_generator_lag_in(document),
        wrong_groups_in(point), impossible_amount_in(point, result)})
    if (!wrong.empty()) return wrong;
  return "";
}

}  // namespace edagen
