#include "report/hosts_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/point_text.hpp"
#include "report/text_table.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_rows = 16;

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
  TextTable table({"Host", "rank", "clients", "ops/s", "response, ms", "service", "lag", "errors", "processors",
                   "busy, %", "began late"});
  for (std::size_t i = 0; i < std::min(hosts.size(), most_rows); ++i) {
    const HostFigures& host = *hosts[i];
    std::uint64_t errors = 0;
    for (const auto& [error, count] : host.errors) errors += count;
    table.add({host.name, std::to_string(host.rank), std::to_string(host.clients),
               format_count(host.achieved_ops_per_sec), ms(host.response_mean), ms(host.service_mean),
               ms(host.lag_mean), format_count(static_cast<double>(errors)), fmt::format("{:.1f}", host.cpu_cores_used),
               fmt::format("{:.0f}", 100 * std::min(1.0, host.host_busy)),
               fmt::format("{} ±{}", ms(host.start_late), ms(host.clock_uncertainty))});
  }
  std::string text = "\n" + table.str(2);
  if (hosts.size() > most_rows) text += fmt::format("  and {} more\n", hosts.size() - most_rows);
  for (const std::string& finding : point.host_findings) text += "  - " + finding + "\n";
  return text;
}

}  // namespace edagen
