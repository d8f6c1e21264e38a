#include "edagen/report/csv.hpp"

#include <fmt/format.h>

namespace edagen {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' ? std::string("\"\"") : std::string(1, c);
  return safe + "\"";
}

}  // namespace

std::string csv_text(const Document& result) {
  std::string text =
      "Workload Name,Target,Purpose,Sweep,Repeat,Business Metric (job sets),Requested Op Rate,Achieved Op Rate,Avg Lat (ms),"
      "Avg Service Lat (ms),P50 (ms),P95 (ms),P99 (ms),P99.9 (ms),Total KBps,Read KBps,Write KBps,MiB/s,Run Sec,Clients,"
      "Client Procs,Client Data Set MiB,Errors,Valid Run,Invalid Reasons,edagen Version,Command\n";
  std::string command;
  for (const auto& word : result["command"]) command += (command.empty() ? "" : " ") + word.get<std::string>();
  const double clients = result["clients"];
  const auto swept = [&](const Document& point) {
    const Document& series = result["series"];
    if (series.is_null() || series["parameter"].is_null()) return std::string();
    return fmt::format("{} {:g}", series["parameter"].get<std::string>(), point["sweep_value"].get<double>());
  };
  for (const Document& point : result["load_points"]) {
    const Document& latency = point["latency_ms"]["response"];
    std::uint64_t errors = 0;
    for (const auto& count : point["errors"]) errors += count.get<std::uint64_t>();
    std::string reasons;
    for (const auto& reason : point["invalid_reasons"]) reasons += (reasons.empty() ? "" : " ") + reason.get<std::string>();
    const auto number = [](const Document& value) { return value.is_null() ? std::string() : fmt::format("{}", value.get<double>()); };
    const Document& sets = point["active_job_sets"].is_null() ? result["job_sets"] : point["active_job_sets"];
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.1f},{:.1f},{:.1f},{},{},{},{},{:.1f},{},{},{},{},{}\n",
        csv_field(result["workload"]["name"]), result["target"]["kind"].get<std::string>(), point["purpose"].get<std::string>(), swept(point), point["repeat"].get<std::size_t>(),
        number(sets), number(point["requested_ops_per_sec"]), number(point["achieved_ops_per_sec"]), number(latency["mean"]),
        number(point["latency_ms"]["service"]["mean"]), number(latency["p50"]), number(latency["p95"]),
        number(latency["p99"]), number(latency["p99_9"]), point["mib_per_sec"].get<double>() * 1024,
        point["read_mib_per_sec"].get<double>() * 1024, point["write_mib_per_sec"].get<double>() * 1024,
        number(point["mib_per_sec"]), number(point["seconds"]), clients, result["procs"].get<std::uint64_t>(),
        result["dataset"]["bytes"].get<double>() / 0x1p20 / clients, errors, point["valid"].get<bool>() ? "yes" : "no",
        csv_field(reasons), result["edagen_version"].get<std::string>(), csv_field(command));
  }
  return text;
}

}  // namespace edagen
