#include "report/hosts_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "edagen/units.hpp"
#include "report/point_text.hpp"
#include "report/wrapped_text.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_rows = 16;

/// Names of hosts differ at their beginning.
std::string host_name(const std::string& name, std::size_t columns) {
  return columns_of(name) <= columns ? name : name.substr(0, size_of_columns(name, columns - 2)) + "..";
}

TextTable host_table(const std::vector<const HostFigures*>& hosts, std::size_t name_columns) {
  constexpr Shown page = Shown::on_page;
  TextTable table({"Host",
                   "rank",
                   "clients",
                   "ops/s",
                   "response",
                   "service",
                   {"own delay", page},
                   {"first op", page},
                   {"errors", Shown::in_text},
                   {"errors", page},
                   "cores",
                   "busy"});
  for (const HostFigures* const host : hosts) {
    const auto mean = [&](Millis time) { return host->service_mean > Millis(0) ? ms(time) : "-"; };  // else no op ended
    std::uint64_t errors = 0;
    for (const auto& [error, count] : host->errors) errors += count;
    table.add({host_name(host->name, name_columns), std::to_string(host->rank), std::to_string(host->clients),
               per_second(host->achieved_ops_per_sec), mean(host->response_mean), mean(host->service_mean),
               mean(host->generator_lag_mean), ms(host->first_op), format_count(static_cast<double>(errors)),
               errors_text(host->errors), fmt::format("{:.1f}", host->cpu_cores_used),
               fmt::format("{:.0f} %", 100 * std::min(1.0, host->host_busy))});
  }
  return table;
}

std::vector<const HostFigures*> hosts_of(const PointFigures& point) {
  std::vector<const HostFigures*> hosts;
  for (const HostFigures& host : point.hosts) hosts.push_back(&host);
  return hosts;
}

/// When the hosts began.
std::vector<std::string> start_lines(const PointFigures& point) {
  const auto most = [&](Millis HostFigures::*time) {
    return ms((*std::ranges::max_element(point.hosts, {}, time)).*time);
  };
  std::vector<std::string> lines = {
      fmt::format("means in ms; the load began up to {} ms late, by clocks known to \u00b1{} ms",
                  most(&HostFigures::start_late), most(&HostFigures::clock_uncertainty))};
  if (point.first_op_spread && point.first_op_spread_uncertainty)
    lines.push_back(fmt::format("their first ops began within {} ms \u00b1{} ms", ms(*point.first_op_spread),
                                ms(*point.first_op_spread_uncertainty)));
  return lines;
}

}  // namespace

std::string hosts_text(const PointFigures& point) {
  if (point.hosts.empty()) return "";
  std::vector<const HostFigures*> hosts = hosts_of(point);
  // When there are many hosts, the slowest are worth a look, and those without a client in this load point are not.
  const auto per_client = [](const HostFigures* host) {
    const double rate = host->achieved_ops_per_sec;
    return std::pair(host->clients == 0, host->clients == 0 ? 0 : rate / static_cast<double>(host->clients));
  };
  const std::size_t left_out = hosts.size() - std::min(hosts.size(), most_rows);
  if (left_out > 0) std::ranges::stable_sort(hosts, {}, per_client);
  hosts.resize(hosts.size() - left_out);
  constexpr std::size_t least_columns = 8;
  const std::string narrow = host_table(hosts, least_columns).str(2);
  const std::size_t used = std::min(narrow.find('\n'), terminal_columns);
  std::string text = point.valid() ? "\n" : "\n  Hosts" + invalid_mark(point) + "\n";
  text += host_table(hosts, least_columns + terminal_columns - used).str(2);
  for (const std::string& line : start_lines(point)) text += "  " + line + "\n";
  if (left_out > 0) text += fmt::format("  and {} more\n", left_out);
  for (const std::string& finding : point.host_findings) text += "  - " + finding + "\n";
  return text;
}

void add_hosts(Document& blocks, const PointFigures& point) {
  if (point.hosts.empty()) return;
  blocks.push_back(heading("Hosts" + invalid_mark(point)));
  blocks.push_back({{"list", point.host_findings}, {"style", "bad"}});
  blocks.push_back(host_table(hosts_of(point), std::string::npos).block());
  for (const std::string& line : start_lines(point)) blocks.push_back(paragraph(line, "dim"));
}

}  // namespace edagen
