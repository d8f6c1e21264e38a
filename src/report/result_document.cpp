#include "edagen/report/result_document.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "edagen/curve/full_runs.hpp"
#include "edagen/mounts/nfs_view.hpp"
#include "edagen/stats/repeats.hpp"

namespace edagen {
namespace {

/// Enough digits for any figure here, and no more: 12.345678 rather than 12.345678000000001.
double tidy(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 6 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

double millis(double ns) { return tidy(ns / 1e6); }
double millis(Nanos time) { return millis(static_cast<double>(time.count())); }

Document latency_json(const LatencyHistogram& latency) {
  return {{"mean", millis(latency.mean())},
          {"p50", millis(latency.percentile(50))},
          {"p90", millis(latency.percentile(90))},
          {"p95", millis(latency.percentile(95))},
          {"p99", millis(latency.percentile(99))},
          {"p99_9", millis(latency.percentile(99.9))},
          {"max", millis(latency.max())}};
}

Document errors_json(const std::map<int, std::uint64_t>& errors) {
  Document json = Document::object();
  for (const auto& [error, count] : errors) json[std::string(error_name(error))] = count;
  return json;
}

Document ops_json(const OpStats& ops) {
  Document json = Document::object();
  const auto all = static_cast<double>(ops.operations());
  for (const OpKind kind : all_op_kinds()) {
    const OpKindStats& stats = ops.of(kind);
    if (stats.operations == 0) continue;
    json[std::string(to_string(kind))] = {
        {"operations", stats.operations},
        {"share", tidy(static_cast<double>(stats.operations) / all)},
        {"bytes", stats.bytes_read + stats.bytes_written},
        {"errors", errors_json(stats.errors)},
        {"latency_ms",
         {{"response", latency_json(stats.response)},
          {"service", latency_json(stats.service)},
          {"lag", latency_json(stats.lag)}}}};
  }
  return json;
}

Document groups_json(const RunStats& stats) {
  Document json = Document::array();
  for (const GroupStats& group : stats.groups) {
    const double requested = group.requested_ops_per_sec;
    json.push_back({{"workload", group.name},
                    {"procs", group.procs},
                    {"requested_ops_per_sec", requested > 0 ? Document(tidy(requested)) : Document(nullptr)},
                    {"achieved_ops_per_sec", tidy(static_cast<double>(group.operations) / stats.seconds())},
                    {"least_proc_share", tidy(std::min(1.0, group.least_proc_share))}});
  }
  return json;
}

double per(double total, double count) { return count > 0 ? tidy(total / count) : 0; }

Document rpcs_json(const NfsMountStats& mount, double operations) {
  Document json = Document::object();
  for (const auto& [name, rpc] : mount.rpcs) {
    if (rpc.requests <= 0) continue;
    json[name] = {{"requests", rpc.requests},
                  {"per_op", per(rpc.requests, operations)},
                  {"queue_ms", per(rpc.queue_ms, rpc.requests)},
                  {"round_trip_ms", per(rpc.round_trip_ms, rpc.requests)},
                  {"execute_ms", per(rpc.execute_ms, rpc.requests)},
                  {"retransmissions", std::max(0.0, rpc.transmissions - rpc.requests)},
                  {"timeouts", rpc.timeouts},
                  {"errors", rpc.errors},
                  {"bytes_sent", rpc.bytes_sent},
                  {"bytes_received", rpc.bytes_received}};
  }
  return json;
}

/// What the NFS client counted in the window, per mount, and what it means; null without NFS mounts.
Document nfs_json(const CurvePoint& point) {
  if (point.nfs.empty()) return nullptr;
  const auto operations = static_cast<double>(point.stats.ops.operations());
  const NfsView view = nfs_view(point.nfs, point.stats.length, operations);
  Document mounts = Document::array();
  for (const NfsMountStats& mount : point.nfs) {
    Document connections = Document::array();
    for (const TransportCounters& connection : mount.connections)
      connections.push_back({{"protocol", connection.protocol},
                             {"requests", connection.sends},
                             {"reconnects", connection.reconnects},
                             {"mean_backlog", per(connection.backlog, connection.sends)}});
    mounts.push_back({{"mount_point", mount.mount_point},
                      {"source", mount.source},
                      {"version", mount.version()},
                      {"read_bytes", mount.read_bytes},
                      {"written_bytes", mount.written_bytes},
                      {"connections", std::move(connections)},
                      {"rpcs", rpcs_json(mount, operations)}});
  }
  return {{"rpcs_per_op", tidy(view.rpcs_per_op)},
          {"round_trip_ms", tidy(view.round_trip_ms)},
          {"queue_ms", tidy(view.queue_ms)},
          {"execute_ms", tidy(view.execute_ms)},
          {"rpcs_in_flight", tidy(view.in_flight)},
          {"rpc_slots", view.slots},
          {"connections", view.connections},
          {"attribute_share", tidy(view.attribute_share)},
          {"retransmissions", view.retransmissions},
          {"findings", view.findings},
          {"mounts", std::move(mounts)}};
}

/// Of figures that cannot be below 0.
Document repeats_json(const std::vector<double>& values) {
  const RepeatFigures figures = repeat_figures(values);
  return {{"mean", tidy(figures.mean)},
          {"median", tidy(figures.median)},
          {"standard_deviation", tidy(figures.standard_deviation)},
          {"confidence_95", {tidy(std::max(0.0, figures.low)), tidy(figures.high)}}};
}

/// What the repeats of each load say together; null when there is but one load, once.
Document series_json(const Curve& curve) {
  std::map<double, std::vector<const CurvePoint*>> loads;
  std::vector<double> order;
  for (const CurvePoint& point : curve.points) {
    if (loads[point.sweep_value].empty()) order.push_back(point.sweep_value);
    loads[point.sweep_value].push_back(&point);
  }
  if (!curve.answers.empty() || (curve.parameter.empty() && curve.points.size() < 2)) return nullptr;
  Document points = Document::array();
  for (const double value : order) {
    std::vector<double> rates, mib, responses;
    for (const CurvePoint* const point : loads[value]) {
      rates.push_back(point->rate);
      mib.push_back(point->stats.mib_per_sec());
      responses.push_back(point->stats.ops.response().mean() / 1e6);
    }
    points.push_back({{"value", value},
                      {"repeats", rates.size()},
                      {"ops_per_sec", repeats_json(rates)},
                      {"mib_per_sec", repeats_json(mib)},
                      {"response_ms", repeats_json(responses)}});
  }
  return {{"parameter", curve.parameter.empty() ? Document(nullptr) : Document(curve.parameter)}, {"points", std::move(points)}};
}

}  // namespace

std::string dumped(const Document& document, int indent) {
  return document.dump(indent, ' ', false, Document::error_handler_t::replace);
}

Document interval_json(const Interval& interval) {
  return {{"t", tidy(to_seconds(interval.start))},
          {"seconds", tidy(to_seconds(interval.length))},
          {"ops_per_sec", tidy(interval.ops_per_sec())},
          {"mib_per_sec", tidy(static_cast<double>(interval.bytes) / 0x1p20 / to_seconds(interval.length))},
          {"errors", interval.errors},
          {"response_mean_ms", millis(interval.response_mean_ns)},
          {"service_mean_ms", millis(interval.service_mean_ns)},
          {"response_p99_ms", millis(interval.response_p99)}};
}

Document load_point_json(const CurvePoint& point) {
  const RunStats& stats = point.stats;
  Document intervals = Document::array();
  for (const Interval& interval : stats.intervals) intervals.push_back(interval_json(interval));
  const bool paced = stats.requested_ops_per_sec > 0;
  return {{"purpose", point.purpose},
          {"sweep_value", point.sweep_value},
          {"repeat", point.repeat},
          {"active_job_sets", point.job_sets > 0 ? Document(point.job_sets) : Document(nullptr)},
          {"requested_ops_per_sec", paced ? Document(tidy(stats.requested_ops_per_sec)) : Document(nullptr)},
          {"achieved_ops_per_sec", tidy(stats.ops_per_sec())},
          {"mib_per_sec", tidy(stats.mib_per_sec())},
          {"read_mib_per_sec", tidy(stats.read_mib_per_sec())},
          {"write_mib_per_sec", tidy(stats.write_mib_per_sec())},
          {"seconds", tidy(stats.seconds())},
          {"sync_seconds", tidy(to_seconds(stats.sync_time))},
          {"warmup_seconds", tidy(to_seconds(stats.warmup))},
          {"operations", stats.ops.operations()},
          {"errors", errors_json(stats.ops.errors())},
          {"bytes_read", stats.ops.bytes_read()},
          {"bytes_written", stats.ops.bytes_written()},
          {"latency_ms",
           {{"response", latency_json(stats.ops.response())},
            {"service", latency_json(stats.ops.service())},
            {"lag", latency_json(stats.ops.lag())}}},
          {"statistic_ms", {{"value", millis(point.latency_ns)}, {"standard_error", millis(point.latency_error_ns)}}},
          {"ops", ops_json(stats.ops)},
          {"groups", groups_json(stats)},
          {"intervals", std::move(intervals)},
          {"nfs", nfs_json(point)},
          {"generator_lag_mean_ms", millis(stats.generator_lag_mean_ns)},
          {"cpu_cores_used", tidy(stats.cpu_cores_used)},
          {"stuck_ops", stats.stuck_ops},
          {"valid", point.invalid.empty()},
          {"invalid_reasons", point.invalid}};
}

const Document* judged_point(const Document& result, const Document& answer) {
  const Document& index = answer["judged_load_point"];
  return index.is_null() ? nullptr : &result["load_points"][index.get<std::size_t>()];
}

void finish_document(Document& result, const Curve& curve, const std::string& status) {
  std::vector<const CurvePoint*> points;
  for (const CurvePoint& point : curve.points) points.push_back(&point);
  std::stable_sort(points.begin(), points.end(), [](const CurvePoint* a, const CurvePoint* b) {
    return a->stats.requested_ops_per_sec < b->stats.requested_ops_per_sec;
  });
  for (const CurvePoint* const point : points) result["load_points"].push_back(load_point_json(*point));
  Document answers = Document::array();
  for (const AtTarget& answer : curve.answers) {
    const auto full_run = std::find(points.begin(), points.end(), full_run_next_to(curve.points, answer.ops_per_sec));
    answers.push_back({{"target_ms", millis(answer.target)},
                       {"statistic", curve.statistic.name()},
                       {"latency", curve.statistic.service ? "service" : "response"},
                       {"ops_per_sec", tidy(answer.ops_per_sec)},
                       {"mib_per_sec", tidy(answer.mib_per_sec)},
                       {"confidence_95", {tidy(answer.low), tidy(answer.high)}},
                       {"bounded", answer.bounded},
                       {"met", answer.met},
                       {"full_runs", answer.full_runs},
                       {"valid", answer.invalid.empty()},
                       {"invalid_reasons", answer.invalid},
                       {"judged_load_point", full_run == points.end() ? Document(nullptr) : Document(full_run - points.begin())}});
  }
  result["at_latency_target"] = std::move(answers);
  result["series"] = series_json(curve);
  const bool searched = !curve.answers.empty() && !curve.points.empty() && curve.points.front().purpose != "load point";
  const double highest_target = searched ? 1.1 * static_cast<double>(curve.answers.back().target.count()) : 1e300;
  const auto ort = overall_response_time(curve.points, highest_target);
  result["ort_ms"] = ort ? Document(millis(*ort)) : Document(nullptr);
  result["ort_variant"] = overall_response_time_variant;
  result["finished_at"] = rfc3339_now();
  result["status"] = status;
}

Document host_json() {
  utsname name{};
  ::uname(&name);
  const auto memory = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return {{"name", name.nodename},
          {"kernel", name.release},
          {"cpus", ::sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory_bytes", memory}};
}

std::string rfc3339_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace edagen
