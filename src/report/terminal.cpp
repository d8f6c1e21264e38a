#include "edagen/report/terminal.hpp"

#include <fmt/format.h>

#include "edagen/core/units.hpp"
#include "edagen/report/text_table.hpp"

namespace edagen {
namespace {

/// Milliseconds with three significant digits.
std::string ms(const Document& value) {
  const double number = value.get<double>();
  if (number >= 100) return format_count(number);
  return fmt::format("{:.{}f}", number, number >= 10 ? 1 : number >= 1 ? 2 : number >= 0.1 ? 3 : 4);
}

std::string mib(double value) { return value >= 100 ? format_count(value) : fmt::format("{:.1f}", value); }

std::string op_table(const Document& point) {
  TextTable table({"op", "ops/s", "share %", "MiB/s", "errors", "mean", "p50", "p95", "p99", "max"});
  const double seconds = point["seconds"];
  const auto add = [&](const std::string& name, double operations, double share, double bytes, const Document& errors,
                       const Document& latency) {
    std::uint64_t failed = 0;
    for (const auto& count : errors) failed += count.get<std::uint64_t>();
    table.add({name, format_count(operations / seconds), fmt::format("{:.2f}", 100 * share),
               bytes > 0 ? mib(bytes / 0x1p20 / seconds) : "", failed > 0 ? format_count(double(failed)) : "",
               ms(latency["mean"]), ms(latency["p50"]), ms(latency["p95"]), ms(latency["p99"]), ms(latency["max"])});
  };
  for (const auto& [name, op] : point["ops"].items())
    add(name, op["operations"], op["share"], op["bytes"], op["errors"], op["latency_ms"]["response"]);
  add("all", point["operations"], 1, point["bytes_read"].get<double>() + point["bytes_written"].get<double>(),
      point["errors"], point["latency_ms"]["response"]);
  return table.str(2);
}

std::string latency_lines(const Document& point) {
  std::string text;
  if (!point["requested_ops_per_sec"].is_null())
    text += fmt::format("  response = service {} ms + lag {} ms on average; the generator's own delay {} ms\n",
                        ms(point["latency_ms"]["service"]["mean"]), ms(point["latency_ms"]["lag"]["mean"]),
                        ms(point["generator_lag_mean_ms"]));
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

std::string scenario(const Document& result) {
  const Document& mounts = result["target"]["mounts"];
  const std::string where = mounts.size() == 1 ? "on " + mounts[0]["path"].get<std::string>()
                                               : fmt::format("on {} mounts", mounts.size());
  return fmt::format("{}, {} clients {}", result["workload"]["name"].get<std::string>(),
                     result["clients"].get<std::uint64_t>(), where);
}

}  // namespace

std::string run_text(const Document& result) {
  const Document& point = result["load_points"].back();
  const double achieved = point["achieved_ops_per_sec"];
  std::string text = "Latency in ms, from the intended start to the end of each op (response)\n" + op_table(point) +
                     latency_lines(point);
  const Document& requested = point["requested_ops_per_sec"];
  const std::string asked =
      requested.is_null() ? std::string("as fast as they go")
                          : fmt::format("of {} requested ({:.1f} %)", format_count(requested.get<double>()),
                                        100 * achieved / requested.get<double>());
  text += fmt::format("  {} ops/s {}, {:.4g} s, {:.1f} processors used by edagen; {}\n\n", format_count(achieved), asked,
                      point["seconds"].get<double>(), point["cpu_cores_used"].get<double>(), verdict(point));
  const std::string at = ms(point["latency_ms"]["response"]["mean"]) + "ms";
  TextTable answer({"Scenario", "I/O rate at " + at, "MiB/s at " + at});
  answer.add({scenario(result), format_count(achieved), mib(point["mib_per_sec"].get<double>())});
  return text + answer.str();
}

}  // namespace edagen
