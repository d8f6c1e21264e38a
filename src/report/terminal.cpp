#include "edagen/report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "edagen/core/units.hpp"
#include "edagen/curve/full_runs.hpp"
#include "edagen/report/text_table.hpp"

namespace edagen {
namespace {

/// Milliseconds with three significant digits.
std::string ms(const Document& value) { return format_millis(value.get<double>()); }

/// Ops per second; small rates are not rounded to nothing.
std::string per_second(double value) { return value < 9.95 ? fmt::format("{:.2g}", value) : format_count(value); }

std::string op_table(const Document& point) {
  TextTable table({"op", "ops/s", "share %", "MiB/s", "errors", "mean", "p50", "p95", "p99", "max"});
  const double seconds = point["seconds"];
  const auto add = [&](const std::string& name, double operations, double share, double bytes, const Document& errors,
                       const Document& latency) {
    std::uint64_t failed = 0;
    for (const auto& count : errors) failed += count.get<std::uint64_t>();
    table.add({name, per_second(operations / seconds), fmt::format("{:.2f}", 100 * share),
               bytes > 0 ? format_mib(bytes / 0x1p20 / seconds) : "", failed > 0 ? format_count(double(failed)) : "",
               ms(latency["mean"]), ms(latency["p50"]), ms(latency["p95"]), ms(latency["p99"]), ms(latency["max"])});
  };
  for (const auto& [name, op] : point["ops"].items())
    add(name, op["operations"], op["share"], op["bytes"], op["errors"], op["latency_ms"]["response"]);
  add("all", point["operations"], 1, point["bytes_read"].get<double>() + point["bytes_written"].get<double>(),
      point["errors"], point["latency_ms"]["response"]);
  return table.str(2);
}

/// Procs are serial: where ops mostly wait for their own proc, the rate per proc is the limit, not the storage.
std::string busy_procs_hint(const Document& point) {
  const double lag = point["latency_ms"]["lag"]["mean"], response = point["latency_ms"]["response"]["mean"];
  const double own = point["generator_lag_mean_ms"];
  if (response < 0.2 || lag - own < 0.4 * response) return "";
  return fmt::format("  {:.0f} % of the response is waiting for the own proc to be free: more procs (--job-sets) would show the "
                     "storage's own limit\n", 100 * (lag - own) / response);
}

/// "NFS view": what the client's counters say about the window.
std::string nfs_lines(const Document& point) {
  if (!point.contains("nfs") || point["nfs"].is_null()) return "";
  const Document& nfs = point["nfs"];
  std::map<std::string, double> counts;
  for (const Document& mount : nfs["mounts"])
    for (const auto& [name, rpc] : mount["rpcs"].items()) counts[name] += rpc["per_op"].get<double>();
  std::vector<std::pair<double, std::string>> kinds;
  for (const auto& [name, count] : counts) kinds.emplace_back(-count, name);
  std::sort(kinds.begin(), kinds.end());
  std::string text = fmt::format(
      "NFS view\n  {:.3g} RPCs per op, each {} ms = queue {} + round trip {} + handling; {:.3g} in flight of {:.0f} slots, "
      "{} connections\n  RPCs per op:", nfs["rpcs_per_op"].get<double>(), ms(nfs["execute_ms"]), ms(nfs["queue_ms"]),
      ms(nfs["round_trip_ms"]), nfs["rpcs_in_flight"].get<double>(), nfs["rpc_slots"].get<double>(),
      nfs["connections"].get<std::size_t>());
  for (std::size_t i = 0; i < std::min<std::size_t>(kinds.size(), 8); ++i)
    text += fmt::format("{} {} {:.3g}", i > 0 ? "," : "", kinds[i].second, -kinds[i].first);
  text += "\n";
  for (const Document& finding : nfs["findings"]) text += "  - " + finding.get<std::string>() + "\n";
  return text;
}

std::string latency_lines(const Document& point) {
  std::string text;
  if (!point["requested_ops_per_sec"].is_null())
    text += fmt::format("  response = service {} ms + lag {} ms on average; the generator's own delay {} ms\n",
                        ms(point["latency_ms"]["service"]["mean"]), ms(point["latency_ms"]["lag"]["mean"]),
                        ms(point["generator_lag_mean_ms"]));
  text += busy_procs_hint(point);
  for (const auto& [name, count] : point["errors"].items())
    text += fmt::format("  {} ops failed with {}\n", format_count(count.get<double>()), name);
  return text;
}

std::string verdict(const Document& point) {
  if (point["valid"].get<bool>()) return "valid";
  std::string reasons;
  for (const auto& reason : point["invalid_reasons"]) reasons += (reasons.empty() ? "" : ", ") + reason.get<std::string>();
  return "INVALID: " + reasons;
}

bool is_simulated(const Document& result) { return result["target"]["kind"] == "sim"; }

std::string scenario(const Document& result) {
  const Document& mounts = result["target"]["mounts"];
  const std::string where = is_simulated(result) ? result["target"]["model"].get<std::string>() + " (simulated)"
                            : mounts.size() == 1 ? mounts[0]["path"].get<std::string>()
                                                 : fmt::format("{} mounts", mounts.size());
  const std::uint64_t clients = result["clients"];
  return fmt::format("{}, {} client{} on {}", result["workload"]["name"].get<std::string>(), clients,
                     clients == 1 ? "" : "s", where);
}

std::string run_text(const Document& result) {
  const Document& point = result["load_points"].back();
  const double achieved = point["achieved_ops_per_sec"];
  std::string text = std::string("Latency in ms, from the intended start to the end of each op (response)") +
                     (is_simulated(result) ? ", simulated" : "") + "\n" + op_table(point) + latency_lines(point);
  const Document& requested = point["requested_ops_per_sec"];
  const std::string asked =
      requested.is_null() ? std::string("as fast as they go")
                          : fmt::format("of {} requested ({:.1f} %)", format_count(requested.get<double>()),
                                        100 * achieved / requested.get<double>());
  const double sync = point["sync_seconds"];
  const std::string flushing = sync > 0 ? fmt::format(", of which {:.3g} s to flush what was written", sync) : "";
  const std::string cpu = is_simulated(result) ? "" : fmt::format(", {:.1f} processors used by edagen",
                                                                  point["cpu_cores_used"].get<double>());
  text += fmt::format("  {} ops/s {}, {:.4g} s{}{}; {}\n\n", format_count(achieved), asked,
                      point["seconds"].get<double>(), flushing, cpu, verdict(point));
  text.insert(text.size() - 1, nfs_lines(point));
  const std::string at = ms(point["latency_ms"]["response"]["mean"]) + "ms";
  TextTable answer({"Scenario", "I/O rate at " + at, "MiB/s at " + at});
  answer.add({scenario(result), format_count(achieved), format_mib(point["mib_per_sec"].get<double>())});
  return text + answer.str();
}

/// A bar for each value, as long as its rate.
std::string series_plot(const Document& series) {
  constexpr double width = 50;
  double highest = 0;
  for (const Document& point : series["points"]) highest = std::max(highest, point["ops_per_sec"]["mean"].get<double>());
  std::string text;
  for (const Document& point : series["points"]) {
    const double rate = point["ops_per_sec"]["mean"];
    const auto length = static_cast<std::size_t>(std::lround(highest > 0 ? rate / highest * width : 0));
    text += fmt::format("{:>12g} |{} {} ops/s, {} MiB/s\n", point["value"].get<double>(), std::string(length, '*'),
                        per_second(rate), format_mib(point["mib_per_sec"]["mean"]));
  }
  return text;
}

std::string series_table(const Document& series) {
  const bool swept = !series["parameter"].is_null(), repeated = series["points"][0]["repeats"] > 1;
  std::vector<std::string> heads = {swept ? series["parameter"].get<std::string>() : "load", "ops/s"};
  if (repeated) heads.insert(heads.end(), {"95 % interval", "median", "deviation", "repeats"});
  heads.insert(heads.end(), {"MiB/s", "avg lat"});
  TextTable table(heads);
  for (const Document& point : series["points"]) {
    const Document& rate = point["ops_per_sec"];
    std::vector<std::string> row = {swept ? fmt::format("{:g}", point["value"].get<double>()) : "all", per_second(rate["mean"])};
    if (repeated)
      row.insert(row.end(), {fmt::format("{} to {}", per_second(rate["confidence_95"][0]), per_second(rate["confidence_95"][1])),
                             per_second(rate["median"]), per_second(rate["standard_deviation"]),
                             format_count(point["repeats"].get<double>())});
    row.insert(row.end(), {format_mib(point["mib_per_sec"]["mean"]), ms(point["response_ms"]["mean"])});
    table.add(row);
  }
  return table.str(2);
}

std::string series_text(const Document& result) {
  const Document& series = result["series"];
  const bool swept = !series["parameter"].is_null();
  const std::size_t repeats = series["points"][0]["repeats"];
  std::string text = scenario(result);
  if (swept) text += ", by " + series["parameter"].get<std::string>();
  if (repeats > 1) text += fmt::format(", {} repeats", repeats);
  text += "; average latency in ms\n" + series_table(series);
  if (swept) text += "\n" + series_plot(series);
  std::map<std::string, int> invalid;
  for (const Document& point : result["load_points"])
    if (!point["valid"].get<bool>()) ++invalid[verdict(point)];
  for (const auto& [why, count] : invalid) text += fmt::format("{} of {} load points {}\n", count, result["load_points"].size(), why);
  return text;
}

std::string point_table(const Document& result) {
  TextTable table({"load point", "requested", "achieved", "avg lat", "p50", "p95", "p99", "MiB/s", "seconds", "valid run"}, {0, 9});
  for (const Document& point : result["load_points"]) {
    const Document& latency = point["latency_ms"]["response"];
    const std::string sets = point["active_job_sets"].is_null()
                                 ? "" : fmt::format(", {} job sets", point["active_job_sets"].get<std::uint64_t>());
    table.add({point["purpose"].get<std::string>() + sets,
               point["requested_ops_per_sec"].is_null() ? "max" : format_count(point["requested_ops_per_sec"].get<double>()),
               format_count(point["achieved_ops_per_sec"].get<double>()), ms(latency["mean"]), ms(latency["p50"]),
               ms(latency["p95"]), ms(latency["p99"]), format_mib(point["mib_per_sec"].get<double>()),
               fmt::format("{:.3g}", point["seconds"].get<double>()), verdict(point)});
  }
  return table.str(2);
}

/// Latency over achieved rate; the latency axis is logarithmic.
std::string plot(const Document& result) {
  constexpr int width = 64, height = 12;
  double least = 1e300, most = 0, highest = 0;
  for (const Document& point : result["load_points"]) {
    const double latency = point["statistic_ms"]["value"], rate = point["achieved_ops_per_sec"];
    if (latency <= 0) continue;
    least = std::min(least, latency), most = std::max(most, latency), highest = std::max(highest, rate);
  }
  const double ceiling = result["at_latency_target"].empty()
                             ? most : std::min(most, 10 * result["at_latency_target"].back()["target_ms"].get<double>());
  if (highest <= 0 || ceiling <= least) return "";
  std::vector<std::string> rows(height, std::string(width, ' '));
  const auto row_of = [&](double latency) {
    const double share = std::log(latency / least) / std::log(ceiling / least);
    return height - 1 - static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (height - 1)));
  };
  for (const Document& answer : result["at_latency_target"]) {
    const double target = answer["target_ms"];
    if (target >= least && target <= ceiling)
      for (char& cell : rows[std::size_t(row_of(target))]) cell = '-';
  }
  for (const Document& point : result["load_points"]) {
    const double latency = point["statistic_ms"]["value"], rate = point["achieved_ops_per_sec"];
    if (latency <= 0) continue;
    const auto column = static_cast<std::size_t>(std::lround(rate / highest * (width - 1)));
    rows[std::size_t(row_of(latency))][column] = latency > ceiling ? '^' : point["valid"].get<bool>() ? '*' : 'x';
  }
  std::string text = "\n";
  for (int i = 0; i < height; ++i) {
    const double latency = least * std::pow(ceiling / least, static_cast<double>(height - 1 - i) / (height - 1));
    const std::string label = i % 3 == 0 || i == height - 1 ? fmt::format("{:9.3g} ms", latency) : std::string(12, ' ');
    text += fmt::format("{} |{}\n", label, rows[std::size_t(i)]);
  }
  return text + fmt::format("{:12} +{}\n{:14}0{:>{}} ops/s\n", "", std::string(width, '-'), "", format_count(highest), width - 2);
}

/// By how much full runs at these rates differ; "" when there are not two.
std::string full_runs_within(const Document& result, const Document& rates) {
  std::vector<double> latencies;
  for (const Document& point : result["load_points"]) {
    const Document& rate = point["requested_ops_per_sec"];
    if (point["purpose"] == judged_purpose && rate.is_number() && rate >= rates[0] && rate <= rates[1])
      latencies.push_back(point["statistic_ms"]["value"]);
  }
  if (latencies.size() < 2) return "";
  const auto [least, most] = std::minmax_element(latencies.begin(), latencies.end());
  return fmt::format("  At rates of that interval they had {} to {} ms\n", ms(*least), ms(*most));
}

/// How sure an answer is, and of what.
std::string confidence_text(const Document& result, const Document& answer, const std::string& at) {
  const std::string rate = format_count(answer["ops_per_sec"].get<double>());
  if (!answer["bounded"].get<bool>())
    return fmt::format("{} is not reached at the highest rate: {} ops/s is a lower bound\n", at, rate);
  std::string text = fmt::format("At {}: {} ops/s, 95 % confidence {} to {}\n", at, rate,
                                 format_count(answer["confidence_95"][0].get<double>()),
                                 format_count(answer["confidence_95"][1].get<double>()));
  std::string differ;
  if (const std::size_t runs = answer["full_runs"]; runs > 0) {
    text += fmt::format("  From {} full runs around it: what is shorter varies too much to tell\n", runs);
    differ = full_runs_within(result, answer["confidence_95"]);
  }
  if (const Document* const full_run = judged_point(result, answer); full_run != nullptr && differ.empty())
    text += fmt::format("  A full run at {} ops/s had {} ms, standard error {}\n",
                        format_count((*full_run)["achieved_ops_per_sec"].get<double>()),
                        ms((*full_run)["statistic_ms"]["value"]), ms((*full_run)["statistic_ms"]["standard_error"]));
  return text + differ;
}

std::string curve_text(const Document& result) {
  const Document& answers = result["at_latency_target"];
  std::string text = std::string("Load points, latency in ms (response)") + (is_simulated(result) ? ", simulated" : "") +
                     "\n" + point_table(result) + plot(result) + "\n";
  if (!result["ort_ms"].is_null())
    text += fmt::format("Overall response time {} ms ({})\n", ms(result["ort_ms"]), result["ort_variant"].get<std::string>());
  if (const Document* const full_run = judged_point(result, answers.front()))
    text += busy_procs_hint(*full_run) + nfs_lines(*full_run);
  std::vector<std::string> heads = {"Scenario"}, row = {scenario(result)};
  for (const Document& answer : answers) {
    const std::string statistic = answer["statistic"], kind = answer["latency"];
    const std::string at = fmt::format("{:g}ms{}{}", answer["target_ms"].get<double>(),
                                       statistic == "mean" ? "" : " " + statistic, kind == "response" ? "" : " " + kind);
    heads.push_back("I/O rate at " + at);
    heads.push_back("MiB/s at " + at);
    if (!answer["met"].get<bool>()) {
      text += fmt::format("No load meets {}.\n", at);
      row.insert(row.end(), {"none", "none"});
      continue;
    }
    text += confidence_text(result, answer, at);
    if (!answer["valid"].get<bool>()) text += fmt::format("  {} (the full run next to it)\n", verdict(answer));
    const char* const least = answer["bounded"].get<bool>() ? "" : "> ";
    row.push_back(least + format_count(answer["ops_per_sec"].get<double>()));
    row.push_back(least + format_mib(answer["mib_per_sec"].get<double>()));
  }
  TextTable table(heads);
  table.add(row);
  return text + "\n" + table.str();
}

}  // namespace

std::string result_text(const Document& result) {
  if (result["load_points"].empty()) return "Nothing was measured.\n";
  if (!result["series"].is_null()) return series_text(result);
  return result["at_latency_target"].empty() ? run_text(result) : curve_text(result);
}

}  // namespace edagen
