#include "result/result_json.hpp"

#include "result/document_digest.hpp"
#include "result/json_fields.hpp"

namespace edagen {

// Writer and Reader find these by their arguments' namespace, which is no unnamed one.

void fields(auto visit, Is<LatencyFigures> auto& latency) {
  visit("mean", latency.mean);
  visit("p50", latency.p50);
  visit("p90", latency.p90);
  visit("p95", latency.p95);
  visit("p99", latency.p99);
  visit("p99_9", latency.p99_9);
  visit("max", latency.max);
}

void fields(auto visit, Is<Latencies> auto& latencies) {
  visit("response", latencies.response);
  const bool ended = latencies.service.mean > Millis(0);  // else all that is known is the age of ops
  visit.known("service", latencies.service, ended);
  visit.known("lag", latencies.lag, ended);
}

void fields(auto visit, Is<OpFigures> auto& op) {
  visit("operations", op.operations);
  visit("share", op.share);
  visit("bytes", op.bytes);
  visit("errors", op.errors);
  visit("latency_ms", op.latency);
  visit("response_histogram", op.response_histogram);
  visit("service_histogram", op.service_histogram);
}

void fields(auto visit, Is<GroupFigures> auto& group) {
  visit("workload", group.workload);
  visit("procs", group.procs);
  visit("requested_ops_per_sec", group.requested_ops_per_sec);
  visit("achieved_ops_per_sec", group.achieved_ops_per_sec);
  visit("least_proc_share", group.least_proc_share);
}

void fields(auto visit, Is<IntervalFigures> auto& interval) {
  visit("t", interval.start);
  visit("seconds", interval.length);
  visit("ops_per_sec", interval.ops_per_sec);
  visit("mib_per_sec", interval.mib_per_sec);
  visit("errors", interval.errors);
  visit("response_mean_ms", interval.response_mean);
  visit("service_mean_ms", interval.service_mean);
  visit("response_p99_ms", interval.response_p99);
  visit("response_counts", interval.response_counts);
}

void fields(auto visit, Is<ClientFigures> auto& client) {
  visit("operations", client.operations);
  visit("errors", client.errors);
  visit("bytes", client.bytes);
}

void fields(auto visit, Is<IntervalOpFigures> auto& op) {
  visit("operations", op.operations);
  visit("errors", op.errors);
  visit("bytes", op.bytes);
  visit("response_mean_ms", op.response_mean);
  visit("response_p99_ms", op.response_p99);
  visit("service_mean_ms", op.service_mean);
  visit("service_p99_ms", op.service_p99);
}

void fields(auto visit, Is<RpcFigures> auto& rpc) {
  visit("requests", rpc.requests);
  visit("per_op", rpc.per_op);
  visit("queue_ms", rpc.queue);
  visit("round_trip_ms", rpc.round_trip);
  visit("execute_ms", rpc.execute);
  visit("retransmissions", rpc.retransmissions);
  visit("timeouts", rpc.timeouts);
  visit("errors", rpc.errors);
  visit("bytes_sent", rpc.bytes_sent);
  visit("bytes_received", rpc.bytes_received);
}

void fields(auto visit, Is<ConnectionFigures> auto& connection) {
  visit("protocol", connection.protocol);
  visit("source_port", connection.source_port);
  visit("requests", connection.requests);
  visit("reconnects", connection.reconnects);
  visit("mean_backlog", connection.mean_backlog);
}

void fields(auto visit, Is<NfsMountFigures> auto& mount) {
  visit("mount_point", mount.mount_point);
  visit("also_mounted_on", mount.also_mounted_on);
  visit("source", mount.source);
  visit("version", mount.version);
  visit("read_bytes", mount.read_bytes);
  visit("written_bytes", mount.written_bytes);
  visit("connections", mount.connections);
  visit("rpcs", mount.rpcs);
}

void fields(auto visit, Is<SlotFigures> auto& slots) {
  visit("server", slots.server);
  visit("of_session", slots.of_session);
  visit("rpcs_in_flight", slots.rpcs_in_flight);
  visit("rpcs_waiting", slots.rpcs_waiting);
  visit("rpc_slots", slots.rpc_slots);
}

void fields(auto visit, Is<NfsFigures> auto& nfs) {
  visit("rpcs_per_op", nfs.rpcs_per_op);
  visit("round_trip_ms", nfs.round_trip);
  visit("queue_ms", nfs.queue);
  visit("execute_ms", nfs.execute);
  visit("rpcs_in_flight", nfs.rpcs_in_flight);
  visit("rpcs_waiting", nfs.rpcs_waiting);
  visit("rpc_slots", nfs.rpc_slots);
  visit("fullest_slots", nfs.fullest_slots);
  visit("connections", nfs.connections);
  visit("attribute_share", nfs.attribute_share);
  visit("retransmissions", nfs.retransmissions);
  visit("findings", nfs.findings);
  visit("mounts", nfs.mounts);
}

void fields(auto visit, Is<StatisticFigures> auto& statistic) {
  visit("value", statistic.value);
  visit("standard_error", statistic.standard_error);
}

void fields(auto visit, Is<LagLimitFigures> auto& limit) {
  visit("statistic", limit.statistic);
  visit("value_ms", limit.value);
}

void fields(auto visit, Is<HostNfsFigures> auto& nfs) {
  visit("requests", nfs.requests);
  visit("retransmissions", nfs.retransmissions);
  visit("timeouts", nfs.timeouts);
  visit("rpcs_per_op", nfs.rpcs_per_op);
  visit("rpcs_in_flight", nfs.rpcs_in_flight);
  visit("rpcs_waiting", nfs.rpcs_waiting);
  visit("rpc_slots", nfs.rpc_slots);
  visit("round_trip_ms", nfs.round_trip);
  visit("queue_ms", nfs.queue);
  visit("execute_ms", nfs.execute);
}

void fields(auto visit, Is<HostFigures> auto& host) {
  visit("name", host.name);
  visit("rank", host.rank);
  visit("clients", host.clients);
  visit("operations", host.operations);
  visit("achieved_ops_per_sec", host.achieved_ops_per_sec);
  visit("response_mean_ms", host.response_mean);
  visit("service_mean_ms", host.service_mean);
  visit("lag_mean_ms", host.lag_mean);
  visit("generator_lag_mean_ms", host.generator_lag_mean);
  visit("errors", host.errors);
  visit("cpu_cores_used", host.cpu_cores_used);
  visit("host_busy", host.host_busy);
  visit("start_late_ms", host.start_late);
  visit("first_op_ms", host.first_op);
  visit("clock_uncertainty_ms", host.clock_uncertainty);
  visit("nfs", host.nfs);
}

void fields(auto visit, Is<PointFigures> auto& point) {
  const bool figures = point.has_figures(), ended = point.has_service();
  visit("purpose", point.purpose);
  visit("sweep_value", point.sweep_value);
  visit("repeat", point.repeat);
  visit("active_job_sets", point.active_job_sets);
  visit("requested_ops_per_sec", point.requested_ops_per_sec);
  visit.known("achieved_ops_per_sec", point.achieved_ops_per_sec, figures);
  visit.known("mib_per_sec", point.mib_per_sec, figures);
  visit.known("read_mib_per_sec", point.read_mib_per_sec, figures);
  visit.known("write_mib_per_sec", point.write_mib_per_sec, figures);
  visit("seconds", point.seconds);
  visit("sync_seconds", point.sync_seconds);
  visit("warmup_seconds", point.warmup);
  visit("operations", point.operations);
  visit("errors", point.errors);
  visit("bytes_read", point.bytes_read);
  visit("bytes_written", point.bytes_written);
  visit.known("latency_ms", point.latency, point.has_response());
  visit.known("statistic_ms", point.statistic, figures && point.statistic.value > Millis(0));
  visit("ops", point.ops);
  visit("groups", point.groups);
  visit("clients", point.clients);
  visit("intervals", point.intervals);
  visit("nfs", point.nfs);
  visit.known("generator_lag_mean_ms", point.generator_lag.mean, ended);  // all that older documents have of it
  visit.known("generator_lag_ms", point.generator_lag, ended);
  visit("generator_lag_limit", point.generator_lag_limit);
  visit("cpu_cores_used", point.cpu_cores_used);
  visit("host_busy", point.host_busy);
  visit("paused_share", point.paused_share);
  visit("throttled_share", point.throttled_share);
  visit("proc_wait_ms", point.proc_wait);
  visit("ops_outstanding", point.ops_outstanding);
  visit("stuck_ops", point.stuck_ops);
  visit("hosts", point.hosts);
  visit("host_findings", point.host_findings);
  visit("first_op_spread_ms", point.first_op_spread);
  visit("first_op_spread_uncertainty_ms", point.first_op_spread_uncertainty);
  visit.derived("valid", point.valid());
  visit("invalid_reasons", point.invalid);
}

void fields(auto visit, Is<DemonstrationFigures> auto& demonstrated) {
  visit("ops_per_sec", demonstrated.ops_per_sec);
  visit("latency_ms", demonstrated.latency);
  visit("load_point", demonstrated.load_point);
}

void fields(auto visit, Is<AnswerFigures> auto& answer) {
  visit("target_ms", answer.target);
  visit("statistic", answer.statistic);
  visit("latency", answer.latency);
  visit("ops_per_sec", answer.ops_per_sec);
  visit("mib_per_sec", answer.mib_per_sec);
  visit("confidence_95", answer.confidence_95);
  visit("met", answer.met);
  visit("lowest_latency_ms", answer.lowest_latency);
  visit("limit", answer.limit);
  visit("demonstrated", answer.demonstrated);
  visit.derived("valid", answer.valid());
  visit("invalid_reasons", answer.invalid);
}

void fields(auto visit, Is<RepeatSummary> auto& summary) {
  visit("mean", summary.mean);
  visit("median", summary.median);
  visit("standard_deviation", summary.standard_deviation);
  visit("confidence_95", summary.confidence_95);
}

void fields(auto visit, Is<SeriesPoint> auto& point) {
  visit("value", point.value);
  visit("repeats", point.repeats);
  visit("ops_per_sec", point.ops_per_sec);
  visit("mib_per_sec", point.mib_per_sec);
  visit("response_ms", point.response_ms);
}

void fields(auto visit, Is<Series> auto& series) {
  visit("parameter", series.parameter);
  visit("points", series.points);
}

void fields(auto visit, Is<Host> auto& host) {
  visit("name", host.name);
  visit("kernel", host.kernel);
  visit("processor", host.processor);
  visit("cpus", host.cpus);
  visit("memory_bytes", host.memory_bytes);
  visit("sysctls", host.sysctls);
}

void fields(auto visit, Is<WorkloadFigures> auto& workload) {
  visit("name", workload.name);
  visit("phase", workload.phase);
  visit("seed", workload.seed);
}

void fields(auto visit, Is<MountFigures> auto& mount) {
  visit("path", mount.path);
  visit("source", mount.source);
  visit("fstype", mount.fstype);
  visit("options", mount.options);
  visit("nfs_version", mount.nfs_version);
  visit("connections", mount.connections);
}

void fields(auto visit, Is<TargetFigures> auto& target) {
  visit("kind", target.kind);
  visit("model", target.model);
  visit("mounts", target.mounts);
}

void fields(auto visit, Is<DatasetFigures> auto& dataset) {
  visit("files", dataset.files);
  visit("directories", dataset.directories);
  visit("bytes", dataset.bytes);
  visit("scaled_down", dataset.scaled_down);
  visit("build_seconds", dataset.build);
  visit("reused", dataset.reused);
}

void fields(auto visit, Is<IoFigures> auto& io) {
  visit("engine", io.engine);
  visit("depth", io.depth);
  visit("direct", io.direct);
  visit("fsync", io.fsync);
  visit("drop_caches", io.drop_caches);
}

void fields(auto visit, Is<RunFigures> auto& run) {
  visit("repeat", run.repeat);
  visit.known("ops_per_sec", run.ops_per_sec, run.has_rate());
  visit.known("mib_per_sec", run.mib_per_sec, run.has_rate());
  visit.known("response_ms", run.response, run.has_response());
  visit.known("rpcs_per_op", run.rpcs_per_op, run.has_rate());
  visit.derived("valid", run.valid());
  visit("invalid_reasons", run.invalid);
}

void fields(auto visit, Is<StaleFigures> auto& seen) {
  visit("looks", seen.looks);
  visit("stale", seen.stale);
  visit("stale_share", seen.stale_share);
  visit("periods", seen.periods);
  visit("unended", seen.unended);
  visit("stale_for_p50_ms", seen.stale_for_p50);
  visit("stale_for_max_ms", seen.stale_for_max);
}

void fields(auto visit, Is<StalenessFigures> auto& staleness) {
  visit("attributes", staleness.attributes);
  visit("data", staleness.data);
  visit("lookups", staleness.lookups);
}

void fields(auto visit, Is<AgainstFirst> auto& against) {
  visit("ratio", against.ratio);
  visit("confidence_95", against.confidence_95);
  visit("p_holm", against.p_holm);
  visit("pairs", against.pairs);
  visit("usable_pairs", against.usable_pairs);
  visit("verdict", against.verdict);
}

void fields(auto visit, Is<VariantPoint> auto& point) {
  visit("purpose", point.purpose);
  visit.known("achieved_ops_per_sec", point.achieved_ops_per_sec, point.achieved_ops_per_sec > 0);
  visit.known("statistic_ms", point.statistic, point.statistic.value > Millis(0));
  visit.derived("valid", point.valid());
  visit("invalid_reasons", point.invalid);
}

void fields(auto visit, Is<VariantRun> auto& run) {
  visit("workload", run.workload);
  visit("target", run.target);
  visit("clients", run.clients);
  visit("procs", run.procs);
  visit("job_sets", run.job_sets);
  visit("dataset", run.dataset);
  visit("io", run.io);
  visit("at_latency_target", run.at_latency_target);
  visit("load_points", run.load_points);
  visit("op_response_ms", run.op_response);
}

void fields(auto visit, Is<VariantFigures> auto& variant) {
  visit("name", variant.name);
  visit("what", variant.what);
  visit("runs", variant.runs);
  visit.known("mean_ops_per_sec", variant.mean_ops_per_sec, variant.has_rates());
  visit.known("mean_mib_per_sec", variant.mean_mib_per_sec, variant.has_rates());
  visit.known("mean_response_ms", variant.mean_response, variant.has_responses());
  visit.known("mean_rpcs_per_op", variant.mean_rpcs_per_op, variant.has_rates());
  visit("staleness", variant.staleness);
  visit("against_first", variant.against_first);
  visit("refused", variant.refused);
  visit("last_run", variant.last_run);
}

void fields(auto visit, Is<MissingRuns> auto& missing) {
  visit("variant", missing.variant);
  visit("first_repeat", missing.first);
  visit("last_repeat", missing.last);
}

void fields(auto visit, Is<ComparisonResult> auto& comparison) {
  visit.derived("schema", "edagen.compare/1");
  visit("edagen_version", comparison.edagen_version);
  visit("command", comparison.command);
  visit("labels", comparison.labels);
  visit("host", comparison.host);
  visit("started_at", comparison.started_at);
  visit("finished_at", comparison.finished_at);
  visit("status", comparison.status);
  visit("failure", comparison.failure);
  visit("at_latency_target", comparison.at_latency_target);
  visit("repeats", comparison.repeats);
  visit("variants", comparison.variants);
  visit.derived("missing_runs", Writer::written(comparison.missing_runs()));
  visit("notes", comparison.notes);
}

void end_fields(auto visit, Is<Result> auto& result) {
  visit("status", result.status);
  visit("failure", result.failure);
  visit("finished_at", result.finished_at);
  visit("at_latency_target", result.at_latency_target);
  visit("series", result.series);
  visit("ort_ms", result.ort);
}

void fields(auto visit, Is<Result> auto& result) {
  visit.derived("schema", "edagen.result/1");
  visit("edagen_version", result.edagen_version);
  visit("command", result.command);
  visit("labels", result.labels);
  visit("started_at", result.started_at);
  visit("finished_at", result.finished_at);
  visit("status", result.status);
  visit("failure", result.failure);
  visit("host", result.host);
  visit("plan", result.plan);
  visit("workload", result.workload);
  visit("target", result.target);
  visit("clients", result.clients);
  visit("procs", result.procs);
  visit("job_sets", result.job_sets);
  visit("dataset", result.dataset);
  visit("io", result.io);
  visit("load_points", result.load_points);
  end_fields(visit, result);
  visit("ort_variant", result.ort_variant);
  visit("notes", result.notes);
}

namespace {

template <class T>
T read_as(const Document& document) {
  T value;
  Reader::read(document, value);
  return value;
}

}  // namespace

Document to_json(const Result& result) { return Writer::written(result); }
Document to_json(const PointFigures& point) { return Writer::written(point); }
Document to_json(const IntervalFigures& interval) { return Writer::written(interval); }
Document to_json(const std::map<OpKind, IntervalOpFigures>& ops) { return Writer::written(ops); }

Document to_json(const ComparisonResult& comparison) { return Writer::written(comparison); }
Document to_json(const StalenessFigures& staleness) { return Writer::written(staleness); }

Document end_json(const Result& result) {
  Document made = Document::object();
  end_fields(Writer{made}, result);
  return made;
}

Result result_from_json(const Document& document) { return read_as<Result>(document); }
PointFigures point_from_json(const Document& document) { return read_as<PointFigures>(document); }
IntervalFigures interval_from_json(const Document& document) { return read_as<IntervalFigures>(document); }
StalenessFigures staleness_from_json(const Document& document) { return read_as<StalenessFigures>(document); }
ComparisonResult comparison_from_json(const Document& document) { return read_as<ComparisonResult>(document); }
void add_end(Result& result, const Document& document) { end_fields(Reader{document}, result); }

std::string dumped(const Document& document, int indent) {
  return document.dump(indent, ' ', false, Document::error_handler_t::replace);
}

template <>
std::string json_text(const Result& result) {
  return dumped(with_digest(to_json(result)), 2) + "\n";
}

template <>
std::string json_text(const ComparisonResult& comparison) {
  return dumped(with_digest(to_json(comparison)), 2) + "\n";
}

}  // namespace edagen
