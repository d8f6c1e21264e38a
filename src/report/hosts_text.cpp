#include "report/hosts_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/point_text.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_rows = 16;

/// Names of hosts differ at their beginning.
std::string host_name(const std::string& name, std::size_t columns) {
  if (columns_of(name) <= columns) return name;
  std::string begin;
  for (const char byte : name) {
    begin += byte;
    if (columns_of(begin) + 2 > columns) break;
  }
  begin.pop_back();
  return begin + "..";
}

}  // namespace

std::string hosts_text(const PointFigures& point) {
  if (point.hosts.empty()) return "";
  std::vector<const HostFigures*> hosts;
  for (const HostFigures& host : point.hosts) hosts.push_back(&host);
  // Of many hosts those that are the slowest are worth a look.
  const auto per_client = [](const HostFigures* host) {
    return host->achieved_ops_per_sec / static_cast<double>(std::max<std::uint64_t>(1, host->clients));
  };
  if (hosts.size() > most_rows) std::ranges::stable_sort(hosts, {}, per_client);
  const auto table = [&](std::size_t name_columns) {
    TextTable rows({"Host", "rank", "clients", "ops/s", "response", "service", "errors", "cores", "busy"});
    for (std::size_t i = 0; i < std::min(hosts.size(), most_rows); ++i) {
      const HostFigures& host = *hosts[i];
      const auto mean = [&](Millis time) {
        return host.service_mean > Millis(0) ? ms(time) : "-";
      };  // else no op ended
      std::uint64_t errors = 0;
      for (const auto& [error, count] : host.errors) errors += count;
      rows.add({host_name(host.name, name_columns), std::to_string(host.rank), std::to_string(host.clients),
                per_second(host.achieved_ops_per_sec), mean(host.response_mean), mean(host.service_mean),
                format_count(static_cast<double>(errors)), fmt::format("{:.1f}", host.cpu_cores_used),
                fmt::format("{:.0f} %", 100 * std::min(1.0, host.host_busy))});
    }
    return rows.str(2);
  };
  constexpr std::size_t least_columns = 8;
  const std::string narrow = table(least_columns);
  const std::size_t used = std::min(narrow.find('\n'), terminal_columns);
  std::string text = "\n" + table(least_columns + terminal_columns - used);
  const HostFigures& last = **std::ranges::max_element(hosts, {}, &HostFigures::start_late);
  text += fmt::format("  means in ms; the load began up to {} ms late, by clocks known to \u00b1{} ms\n",
                      ms(last.start_late), ms(last.clock_uncertainty));
  if (point.first_op_spread && point.first_op_spread_uncertainty)
    text += fmt::format("  their first ops began within {} ms \u00b1{} ms\n", ms(*point.first_op_spread),
                        ms(*point.first_op_spread_uncertainty));
  if (hosts.size() > most_rows) text += fmt::format("  and {} more\n", hosts.size() - most_rows);
  for (const std::string& finding : point.host_findings) text += "  - " + finding + "\n";
  return text;
}

}  // namespace edagen
