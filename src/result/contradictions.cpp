#include "result/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::array<const char*, 6> ascending = {"p50", "p90", "p95", "p99", "p99_9", "max"};

bool has_number(const Document& document, const char* key) {
  return document.contains(key) && document[key].is_number();
}

/// By more than rounding does.
bool is_above(const Document& figures, const char* one, const char* other) {
  return figures[one].get<double>() > 1.01 * figures[other].get<double>() + 1e-6;
}

/// Figures are written with seven digits.
bool are_near(double one, double other) {
  return std::abs(one - other) <= 1e-5 * std::max(std::abs(one), std::abs(other));
}

/// Of latencies: "p99 is below p95"; else empty.
std::string disorder_in(const Document& figures) {
  if (!std::ranges::all_of(ascending, [&](const char* key) { return has_number(figures, key); })) return "";
  for (std::size_t i = 1; i < ascending.size(); ++i)
    if (is_above(figures, ascending[i - 1], ascending[i]))
      return fmt::format("{} is below {}", ascending[i], ascending[i - 1]);
  return has_number(figures, "mean") && is_above(figures, "mean", "max") ? "the mean is above the maximum" : "";
}

std::string wrong_validity_in(const Document& judged) {
  if (!judged.contains("valid") || !judged["valid"].is_boolean() || !judged.contains("invalid_reasons")) return "";
  const bool valid = judged["valid"].get<bool>(), reasons = !judged["invalid_reasons"].empty();
  if (valid == reasons) return valid ? "is valid, and has invalid_reasons" : "is not valid, and has no invalid_reasons";
  for (const char* const rate : {"achieved_ops_per_sec", "ops_per_sec"})
    if (valid && judged.contains(rate) && judged[rate].is_null()) return fmt::format("is valid, and {} is null", rate);
  return "";
}

std::string wrong_sum_in(const PointFigures& point) {
  std::uint64_t of_kinds = 0, of_clients = 0, bytes = 0;
  for (const auto& [kind, op] : point.ops) of_kinds += op.operations;
  for (const ClientFigures& client : point.clients) {
    of_clients += client.operations;
    bytes += static_cast<std::uint64_t>(client.bytes);
  }
  if (of_kinds != point.operations)
    return fmt::format("its kinds of op are {} ops together, not {}", of_kinds, point.operations);
  if (point.clients.empty()) return "";
  if (of_clients != point.operations)
    return fmt::format("its clients' ops are {} together, not {}", of_clients, point.operations);
  const auto all = static_cast<std::uint64_t>(point.bytes_read) + static_cast<std::uint64_t>(point.bytes_written);
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

std::string wrong_point_in(const Document& document, const Document& answers) {
  const PointFigures point = point_from_json(document);
  for (const std::string& wrong : {wrong_sum_in(point), wrong_rate_in(document, point), wrong_intervals_in(point),
                                   missing_reason_in(point), wrong_statistic_in(document, answers)})
    if (!wrong.empty()) return wrong;
  return "";
}

/// Of a result; that of a comparison has no counts.
bool is_load_point(const Document& document) { return document.contains("purpose") && document.contains("operations"); }

void check(const Document& document, const Document& answers_above, const std::string& where) {
  const bool has_answers = document.is_object() && document.contains("at_latency_target") &&
                           document["at_latency_target"].is_array();  // of a comparison it is a text
  const Document& answers = has_answers ? document["at_latency_target"] : answers_above;
  for (const auto& [key, value] : document.items())
    if (value.is_structured()) check(value, answers, where + "/" + key);
  if (!document.is_object()) return;
  for (const std::string& wrong : {disorder_in(document), wrong_validity_in(document),
                                   is_load_point(document) ? wrong_point_in(document, answers) : ""})
    if (!wrong.empty()) throw usage_error(where, "contradicts itself: " + wrong);
}

}  // namespace

void check_contradictions(const Document& document, const std::string& where) {
  check(document, Document::array(), where);
}

}  // namespace edagen
