#include "report/point_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/mib.hpp"
#include "edagen/units.hpp"
#include "report/number_text.hpp"

namespace edagen {

std::string ms(Millis time) { return format_millis(time.count()); }

std::string per_second(double value) { return value < 9.95 ? fmt::format("{:.2g}", value) : format_count(value); }

std::string errors_text(const ErrorCounts& errors) {
  std::string text;
  for (const auto& [name, count] : errors)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(static_cast<double>(count)), name);
  return text;
}

std::string reason_names(const std::vector<Invalid>& reasons, std::string_view separator) {
  std::vector<std::string_view> names;
  for (const Invalid reason : reasons) names.push_back(to_string(reason));
  return fmt::format("{}", fmt::join(names, separator));
}

std::string figures_text(const PointFigures& point) {
  if (point.ended_in_warmup()) return "no window was measured";
  if (point.operations == 0) return "no op ended";
  if (!point.has_figures()) return counted(point.operations, "op") + " ended, too few for figures";
  return fmt::format("{} ops/s and {} MiB/s at {} ms mean response{}", rate_cell(point), mib_cell(point),
                     response_cell(point, point.latency.response.mean),
                     point.is_invalid_for(Invalid::generator_paused) ? ", with a pause of edagen in them" : "");
}

std::string settling_text(Seconds longer_warmup, Seconds first_window) {
  const bool longer = longer_warmup > Seconds(0), again = first_window > Seconds(0);
  if (!longer && !again) return "";
  const auto time = [](Seconds seconds) { return format_duration(from_seconds(seconds.count())); };
  return fmt::format("as the latency trended, {}{}{}",
                     longer ? fmt::format("the warm-up took {} longer than asked for", time(longer_warmup)) : "",
                     longer && again ? " and " : "",
                     again ? fmt::format("a first window of {} does not count", time(first_window)) : "");
}

std::string rate_cell(const PointFigures& point) {
  return point.has_figures() ? per_second(point.achieved_ops_per_sec) : "-";
}

std::string mib_cell(const PointFigures& point) { return point.has_figures() ? format_mib(point.mib_per_sec) : "-"; }

std::string response_cell(const PointFigures& point, Millis time, double above) {
  if (!point.has_response()) return "-";
  return (point.is_response_bound(above) ? "> " : "") + ms(time);
}

std::string service_cell(const PointFigures& point, Millis time) { return point.has_service() ? ms(time) : "-"; }

std::string volume_name(const Result& result) {
  const std::vector<MountFigures>& mounts = result.target.mounts;
  const std::size_t used = std::min<std::size_t>(mounts.size(), result.clients);
  if (result.target.model) return *result.target.model + (result.simulated() ? " (simulated)" : "");
  if (mounts.size() == 1) return mounts[0].path;
  return used < mounts.size() ? fmt::format("{} of {} mounts", used, mounts.size()) : fmt::format("{} mounts", used);
}

std::string scenario(const Result& result) {
  return fmt::format("{}, {} on {}", result.workload.name, counted(result.clients, "client"), volume_name(result));
}

bool has_ended(const PointFigures& point) { return point.purpose != Purpose::incomplete; }

std::string cut_off_point_text(const PointFigures& point) {
  std::string text = "cut off after " + format_duration(from_seconds(point.seconds.count()));
  if (!point.has_response()) return text;
  return fmt::format("{}: of its percentiles only the highest p99 of an interval is known, {} ms", text,
                     ms(point.latency.response.p99));
}

std::string requested_cell(const PointFigures& point) {
  if (point.requested_ops_per_sec) return per_second(*point.requested_ops_per_sec);
  return has_ended(point) ? "max" : "";
}

Cell validity_cell(const std::vector<Invalid>& invalid) {
  return invalid.empty() ? Cell("yes", "good") : Cell(reason_names(invalid), "bad");
}

std::string invalid_mark(const PointFigures& point) { return point.valid() ? "" : ", INVALID"; }

bool any_kind_is_paced(const PointFigures& point) {
  return std::ranges::any_of(point.groups, [](const auto& group) { return group.requested_ops_per_sec.has_value(); });
}

Millis wait_for_procs(const PointFigures& point) {
  const Latencies& latency = point.latency;
  const Millis lag = std::min(latency.lag.mean, latency.response.mean - latency.service.mean);
  return std::max(Millis(0), lag - point.generator_lag.mean);
}

TextTable latency_table(const PointFigures& point) {
  TextTable table({point.valid() ? "latency in ms" : "ms, INVALID", "mean", "p50", "p95", "p99", "max", ""}, {0, 6});
  const auto add = [&](const char* name, const LatencyFigures& latency, const std::string& what) {
    const bool is_response = &latency == &point.latency.response;
    const auto cell = [&](Millis time, double above) {
      return is_response ? response_cell(point, time, above) : service_cell(point, time);
    };
    table.add({name,
               cell(latency.mean, 0),
               cell(latency.p50, 0.5),
               cell(latency.p95, 0.05),
               cell(latency.p99, 0.01),
               cell(latency.max, 0),
               {what, "text"}});
  };
  if (!point.requested_ops_per_sec && !any_kind_is_paced(point)) {
    add("response", point.latency.response, "in a closed loop the same as service");
    return table;
  }
  if (!point.requested_ops_per_sec) {
    add("response", point.latency.response, "from the intended start where a proc has a rate");
    add("service", point.latency.service, "from the actual start");
    return table;
  }
  const double own_share = point.generator_lag.mean / point.latency.response.mean;
  const bool is_split = point.has_service() && !point.is_invalid_for(Invalid::generator_paused);
  add("response", point.latency.response, "from the intended start");
  add("service", point.latency.service, "from the actual start");
  if (is_split)
    table.add({"waiting for procs",
               ms(wait_for_procs(point)),
               "",
               "",
               "",
               "",
               {"until the proc's earlier op has ended", "text"}});
  add("generator's delay", point.generator_lag,
      is_split ? fmt::format("{:.0f} % of the response", 100 * own_share) : "");
  return table;
}

std::vector<std::string> latency_notes(const PointFigures& point) {
  std::vector<std::string> notes;
  const bool paused = point.is_invalid_for(Invalid::generator_paused);
  if (paused) notes.emplace_back("a pause of edagen is in all of these: they do not tell what the storage's part is");
  if (point.lost_races > 0)
    notes.push_back(
        fmt::format("{} of the ops ({}) were on a shared file that another proc was removing, "
                    "rewriting or locking: they count as done",
                    percent_text(static_cast<double>(point.lost_races) / static_cast<double>(point.operations)),
                    format_count(static_cast<double>(point.lost_races))));
  if (point.ops_outstanding > 0)
    notes.push_back(fmt::format(
        "response and the row \"all\" count {} that had not ended, with their age (>); the rest is of ops that ended",
        counted(point.ops_outstanding, "op")));
  return notes;
}

std::string latency_parts(const PointFigures& point) {
  std::string text = latency_table(point).str(2);
  for (const std::string& note : latency_notes(point)) text += "  " + note + "\n";
  return text;
}

TextTable op_table(const PointFigures& point) {
  std::vector<Column> columns = {"op",   "ops/s", "%",   "MiB/s", {"errors", Shown::on_page},
                                 "mean", "p50",   "p95", "p99",   "max"};
  columns.front().head += invalid_mark(point);
  const bool has_target =
      std::ranges::any_of(point.ops, [](const auto& op) { return op.second.within_target_share.has_value(); });
  if (has_target) columns.emplace_back("in target %");
  TextTable table(columns);
  const double seconds = point.seconds.count();
  const auto add = [&](const std::string& name, const OpFigures& op, bool counts_outstanding) {
    // In a hopeless overload perhaps none of the ops that were due has ended.
    const LatencyFigures latency = op.latency.value_or(Latencies()).response;
    const auto timed = [&](Millis time, double above) {
      if (latency.max <= Millis(0)) return std::string();
      return counts_outstanding ? response_cell(point, time, above) : ms(time);
    };
    std::vector<Cell> row = {name,
                             per_second(static_cast<double>(op.operations) / seconds),
                             fmt::format("{:.1f}", 100 * op.share),
                             op.bytes > 0 ? format_mib(to_mib(op.bytes) / seconds) : "",
                             errors_text(op.errors),
                             timed(latency.mean, 0),
                             timed(latency.p50, 0.5),
                             timed(latency.p95, 0.05),
                             timed(latency.p99, 0.01),
                             timed(latency.max, 0)};
    if (has_target)
      row.emplace_back(op.within_target_share ? fmt::format("{:.1f}", 100 * *op.within_target_share) : "");
    table.add(row);
  };
  for (const auto& [kind, op] : point.ops) add(std::string(to_string(kind)), op, false);
  add("all", {point.operations, 1, point.bytes_read + point.bytes_written, point.errors, point.latency}, true);
  if (point.ops_outstanding > 0) {  // not all of them have begun, so that they are of no kind
    std::vector<Cell> row(columns.size(), Cell(""));
    row[0] = "not ended";
    row[1] = per_second(static_cast<double>(point.ops_outstanding) / seconds);
    if (point.outstanding_age) {
      const LatencyFigures& age = *point.outstanding_age;
      const std::array times{age.mean, age.p50, age.p95, age.p99, age.max};
      for (std::size_t i = 0; i < times.size(); ++i) row[5 + i] = "> " + ms(times[i]);
    }
    table.add(row);
  }
  return table;
}

std::string nfs_heading(const PointFigures& point) {
  return (point.hosts.empty() ? "NFS view" : fmt::format("NFS view of {} (rank 0)", point.hosts.front().name)) +
         invalid_mark(point);
}

std::array<std::string, 2> nfs_lines(const NfsFigures& nfs) {
  return {
      fmt::format("{:.3g} RPCs per op, each {} ms = queue {} + round trip {} + handling {}", nfs.rpcs_per_op,
                  ms(nfs.execute), ms(nfs.queue), ms(nfs.round_trip),
                  ms(std::max(Millis(0), nfs.execute - nfs.queue - nfs.round_trip))),
      fmt::format("{:.3g} RPCs in flight of {}, {}{}", nfs.rpcs_in_flight,
                  counted(static_cast<std::uint64_t>(nfs.rpc_slots), "slot"), counted(nfs.connections, "connection"),
                  nfs.rpcs_waiting >= 1 ? fmt::format("; {:.3g} RPCs wait", nfs.rpcs_waiting) : "")};
}

std::string nfs_text(const PointFigures& point) {
  if (!point.nfs) return "";
  const NfsFigures& nfs = *point.nfs;
  std::map<std::string, double> counts;
  for (const NfsMountFigures& mount : nfs.mounts)
    for (const auto& [name, rpc] : mount.rpcs) counts[name] += rpc.per_op;
  std::vector<std::pair<double, std::string>> kinds;
  for (const auto& [name, count] : counts) kinds.emplace_back(-count, name);
  std::sort(kinds.begin(), kinds.end());
  const auto [per_op, in_flight] = nfs_lines(nfs);
  std::string text = fmt::format("\n{}\n  {}\n  {}\n  RPCs per op:", nfs_heading(point), per_op, in_flight);
  for (std::size_t i = 0; i < std::min<std::size_t>(kinds.size(), 8); ++i)
    text += fmt::format("{} {} {:.3g}", i > 0 ? "," : "", kinds[i].second, -kinds[i].first);
  text += "\n";
  for (const std::string& finding : nfs.findings) text += "  - " + finding + "\n";
  return text;
}

std::string mount_text(const MountFigures& mount) {
  return fmt::format("{}  {}{}  {}", mount.path, mount.fstype, mount.source == mount.fstype ? "" : " " + mount.source,
                     mount.options);
}

std::string origin_text(const Result& result) {
  std::string text = fmt::format(
      "\nedagen {} on {} (Linux {}, {}), {}, seed {}\n", result.edagen_version, result.host.name, result.host.kernel,
      counted(static_cast<std::uint64_t>(result.host.cpus), "processor"), result.started_at, result.workload.seed);
  for (const MountFigures& mount : result.target.mounts) text += "  " + mount_text(mount) + "\n";
  for (const auto& [key, label] : result.labels) text += fmt::format("  {}: {}\n", key, label);
  if (result.failure) text += "Failed: " + *result.failure + "\n";
  for (const std::string& note : result.notes) text += "Note: " + note + "\n";
  return text;
}

}  // namespace edagen
