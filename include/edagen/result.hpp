// What edagen found: plain values, in the units in which people read them. Everything that is reported, journalled,
// compared or read back is one of these. The fields() below each struct names the members in documents
// (result_json.hpp).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edagen/parts/point_figures.hpp"

namespace edagen {

using Interval95 = std::array<double, 2>;  ///< 95 % confidence: low, high

/// A load point of full length that met the target and is valid: what published results call a load point.
struct DemonstrationFigures {
  double ops_per_sec = 0;        ///< asked for, and reached
  Millis latency{0};             ///< the statistic
  std::uint64_t load_point = 0;  ///< from 0 among Result::load_points
};
void fields(auto&& visit, Is<DemonstrationFigures> auto& demonstrated) {
  visit("ops_per_sec", demonstrated.ops_per_sec);
  visit("latency_ms", demonstrated.latency);
  visit("load_point", demonstrated.load_point, {.about = "from 0 among load_points"});
}

/// The rate at a latency target (AtTarget).
struct AnswerFigures {
  Millis target{0};
  std::string statistic = "mean", latency = "response";
  double ops_per_sec = 0, mib_per_sec = 0;
  std::optional<Interval95> confidence_95 = {};
  bool met = true;
  std::optional<Millis> lowest_latency;
  std::optional<double> lowest_latency_ops_per_sec;
  std::optional<RateLimit> limit;
  std::optional<DemonstrationFigures> demonstrated;
  std::vector<Invalid> invalid;

  bool valid() const { return invalid.empty(); }
  /// No load met the target, and whether one does is not known.
  bool is_open() const { return limit && ops_per_sec <= 0; }
};
void fields(auto&& visit, Is<AnswerFigures> auto& answer) {
  visit("target_ms", answer.target);
  visit("statistic", answer.statistic);
  visit("latency", answer.latency, {.words = {"response", "service"}});
  visit("ops_per_sec", answer.ops_per_sec);
  visit("mib_per_sec", answer.mib_per_sec);
  visit("confidence_95", answer.confidence_95,
        {.about = "of ops_per_sec; null: the target was not met, or the rate is a lower bound or of one load point"});
  visit("met", answer.met, {.about = "false: no load met the target; without a limit, no load does"});
  visit("lowest_latency_ms", answer.lowest_latency,
        {.about = "the lowest latency that was seen since a load last met the target; null: a load meets it"});
  visit("lowest_latency_ops_per_sec", answer.lowest_latency_ops_per_sec,
        later("the rate that was requested when that latency was seen; null as that"));
  visit("limit", answer.limit,
        {.about = "what was met instead of the target: then ops_per_sec is a lower bound, which is 0 where nothing is "
                  "known"});
  visit("demonstrated", answer.demonstrated,
        {.about = "the highest load point of full length that met the target and is valid"});
  visit.derived("valid", answer.valid());
  visit("invalid_reasons", answer.invalid, {.about = "why; empty when it is valid"});
}

/// What repeats of one load say together.
struct RepeatSummary {
  double mean = 0, median = 0;
  std::optional<double> standard_deviation = {};
  std::optional<Interval95> confidence_95 = {};
};
void fields(auto&& visit, Is<RepeatSummary> auto& summary) {
  visit("mean", summary.mean, {.least = any_number});
  visit("median", summary.median, {.least = any_number});
  visit("standard_deviation", summary.standard_deviation, {.about = "null: there was one repeat"});
  visit("confidence_95", summary.confidence_95,
        {.least = any_number, .about = "of the mean; null: there was one repeat"});
}

struct SeriesPoint {
  double value = 0;
  std::uint64_t repeats = 1;
  RepeatSummary ops_per_sec, mib_per_sec, response_ms;
};
void fields(auto&& visit, Is<SeriesPoint> auto& point) {
  visit("value", point.value, {.exact = true, .least = any_number, .about = "of the swept parameter"});
  visit("repeats", point.repeats, {.least = 1});
  visit("ops_per_sec", point.ops_per_sec);
  visit("mib_per_sec", point.mib_per_sec);
  visit("response_ms", point.response_ms);
}

struct Series {
  std::optional<std::string> parameter;
  std::vector<SeriesPoint> points;
};
void fields(auto&& visit, Is<Series> auto& series) {
  visit("parameter", series.parameter, {.about = "what was swept; null: nothing was"});
  visit("points", series.points, {.least_items = 1});
}

struct Host {
  std::string name, kernel;
  std::string processor;  ///< "": not known
  std::int64_t cpus = 1, memory_bytes = 0;
  std::map<std::string, std::string> sysctls;
};
void fields(auto&& visit, Is<Host> auto& host) {
  visit("name", host.name);
  visit("kernel", host.kernel);
  visit("processor", host.processor, later("as the processor names itself"));
  visit("cpus", host.cpus, {.least = 1, .about = "processors that edagen may use"});
  visit("memory_bytes", host.memory_bytes);
  visit("sysctls", host.sysctls, later("those that published EDA results name, as they are on this host"));
}

struct WorkloadFigures {
  std::string name, phase;
  std::uint64_t seed = 1;
};
void fields(auto&& visit, Is<WorkloadFigures> auto& workload) {
  visit("name", workload.name);
  visit("phase", workload.phase);
  visit("seed", workload.seed);
}

struct MountFigures {
  std::string path, source, fstype, options;
  std::optional<std::string> nfs_version;
  std::optional<std::uint64_t> connections;
};
void fields(auto&& visit, Is<MountFigures> auto& mount) {
  visit("path", mount.path);
  visit("source", mount.source);
  visit("fstype", mount.fstype);
  visit("options", mount.options);
  visit("nfs_version", mount.nfs_version);
  visit("connections", mount.connections, {.about = "of an NFS mount, as many as there really are"});
}

struct TargetFigures {
  TargetKind kind = TargetKind::posix;
  std::vector<MountFigures> mounts;
  std::optional<std::string> model;
};
void fields(auto&& visit, Is<TargetFigures> auto& target) {
  visit("kind", target.kind);
  visit("model", target.model, {.about = "of a simulated volume"});
  visit("mounts", target.mounts);
}

struct DatasetFigures {
  std::uint64_t files = 0, directories = 0, bytes = 0;
  bool scaled_down = false;
  Seconds build{0};
  bool reused = false;
};
void fields(auto&& visit, Is<DatasetFigures> auto& dataset) {
  visit("files", dataset.files);
  visit("directories", dataset.directories);
  visit("bytes", dataset.bytes,
        {.about = "numbers of files times their mean sizes; sizes that are drawn have another sum"});
  visit("scaled_down", dataset.scaled_down);
  visit("build_seconds", dataset.build);
  visit("reused", dataset.reused);
}

struct IoFigures {
  std::string engine = "blocking";
  std::uint64_t depth = 1;
  bool direct = false;
  std::string fsync = "none";
  bool drop_caches = false;
};
void fields(auto&& visit, Is<IoFigures> auto& io) {
  visit("engine", io.engine,
        {.words = {"blocking", "io_uring", "threads", "nfs", "simulated"},
         .about = "what carried the ops out; blocking: a thread for each op in flight; nfs: RPCs of NFS clients of "
                  "edagen's own"});
  visit("depth", io.depth, {.least = 1, .most = 1024, .about = "of the deepest kind of procs"});
  visit("direct", io.direct);
  visit("fsync", io.fsync, {.words = {"none", "close", "end"}});
  visit("drop_caches", io.drop_caches);
}

/// Which of the variants of overall response time (Run and Reporting Rules v1.7) a result has.
inline constexpr std::string_view overall_response_time_variant = "trapezoids / (highest - lowest rate)";

struct Result {
  std::string edagen_version;
  std::vector<std::string> command;  ///< as typed
  std::map<std::string, std::string> labels;
  std::string started_at;  ///< RFC 3339
  std::optional<std::string> finished_at;
  Status status = Status::running;
  std::optional<std::string> failure;
  Host host;
  std::map<std::string, std::string> plan;
  WorkloadFigures workload;
  TargetFigures target;
  std::uint64_t clients = 1, procs = 1;
  double job_sets = 1;
  DatasetFigures dataset;
  IoFigures io;
  std::vector<PointFigures> load_points;         ///< ascending by requested rate
  std::vector<AnswerFigures> at_latency_target;  ///< empty: nothing was searched
  std::optional<Series> series;
  std::optional<Millis> ort;
  std::string ort_variant{overall_response_time_variant};
  std::vector<std::string> notes;

  bool simulated() const { return target.kind == TargetKind::sim; }
  /// The demonstration of an answer; nullptr without one.
  const PointFigures* demonstration(const AnswerFigures& answer) const {
    return answer.demonstrated ? &load_points.at(answer.demonstrated->load_point) : nullptr;
  }
};
void fields(auto&& visit, Is<Result> auto& result) {
  visit("edagen_version", result.edagen_version);
  visit("command", result.command);
  visit("labels", result.labels, later("the user's remarks on the run: storage, network, a ticket"));
  visit("started_at", result.started_at, {.is_time = true});
  visit("finished_at", result.finished_at, {.is_time = true});
  visit("status", result.status, {.enum_values = status_of_documents});
  visit("failure", result.failure,
        later("what went wrong, as with another host or the lock of the dataset, for which the run failed"));
  visit("host", result.host);
  visit("plan", result.plan, later("what was asked for, part by part: equal for equal plans on one host"));
  visit("workload", result.workload);
  visit("target", result.target);
  visit("clients", result.clients, {.least = 1});
  visit("procs", result.procs, {.least = 1});
  visit("job_sets", result.job_sets, {.exact = true});
  visit("dataset", result.dataset);
  visit("io", result.io);
  visit("load_points", result.load_points);
  visit("at_latency_target", result.at_latency_target);
  visit("series", result.series,
        {.about = "what the repeats of each load say together; null for a single load point and for a search"});
  visit(
      "ort_ms", result.ort,
      {.least = any_number, .about = "overall response time of a curve, of the latency that at_latency_target is of"});
  visit("ort_variant", result.ort_variant);
  visit("notes", result.notes,
        later("what is no figure: that the page cache may hold the dataset, that the journal lacks lines"));
}

}  // namespace edagen
