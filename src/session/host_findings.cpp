#include "session/host_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace edagen {
namespace {

constexpr double slower_by = 0.1;    ///< in op rate per client, at least
constexpr double longer_by = 0.5;    ///< in mean service time, at least
constexpr double resent_by = 0.001;  ///< of its RPCs
constexpr double deviations = 4;     ///< of a count of ops, which chance explains

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double per_client(const HostStats& host) {
  return host.clients > 0 ? host.ops_per_sec / static_cast<double>(host.clients) : 0;
}

}  // namespace

std::vector<std::string> host_findings(const std::vector<HostStats>& hosts) {
  std::vector<std::string> findings;
  if (hosts.size() < 2) return findings;
  std::vector<double> rates, services;
  for (const HostStats& host : hosts) {
    rates.push_back(per_client(host));
    services.push_back(host.service_mean.count());
  }
  const double rate = median(rates), service = median(services);
  for (const HostStats& host : hosts) {
    const std::string who = fmt::format("{} (rank {})", host.name, host.rank);
    const double less = rate > 0 ? 1 - per_client(host) / rate : 0;
    const double chance = deviations / std::sqrt(std::max(1.0, static_cast<double>(host.operations)));
    if (less > std::max(slower_by, chance))
      findings.push_back(fmt::format("{}: {:.0f} % fewer ops/s for each client than the median", who, 100 * less));
    const double longer = service > 0 ? host.service_mean.count() / service - 1 : 0;
    if (hosts.size() > 2 && longer > std::max(longer_by, chance))
      findings.push_back(fmt::format("{}: mean service {:.0f} % longer than the median", who, 100 * longer));
    if (host.nfs && host.nfs->requests > 0 && host.nfs->retransmissions > resent_by * host.nfs->requests)
      findings.push_back(fmt::format("{}: {:.2g} % of its RPCs were sent again", who,
                                     100 * host.nfs->retransmissions / host.nfs->requests));
    if (!host.errors.empty()) {
      std::uint64_t errors = 0;
      for (const auto& [error, count] : host.errors) errors += count;
      findings.push_back(fmt::format("{}: {} errors", who, errors));
    }
  }
  return findings;
}

}  // namespace edagen
