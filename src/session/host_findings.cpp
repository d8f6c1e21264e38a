#include "session/host_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "edagen/units.hpp"
#include "result/validity_limits.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double slower_by = 0.1;    ///< in op rate per client, at least
constexpr double longer_by = 0.5;    ///< in mean service time, at least
constexpr double own_share = 0.1;    ///< of its mean response, that is the host's own delay
constexpr Millis own_delay{0.05};    ///< that any host may have
constexpr double resent_by = 0.001;  ///< of its RPCs
constexpr double deviations = 4;     ///< of a count of ops, which chance explains

/// The median; of two hosts the better one.
double usual(std::vector<double> values, bool more_is_better) {
  if (values.empty()) return 0;
  if (values.size() <= 2) return more_is_better ? std::ranges::max(values) : std::ranges::min(values);
  return median_of(std::move(values));
}

std::string called(const HostStats& host) { return fmt::format("{} (rank {})", host.name, host.rank); }

std::uint64_t errors_of(const HostStats& host) {
  std::uint64_t errors = 0;
  for (const auto& [error, count] : host.errors) errors += count;
  return errors;
}

/// A host that begins its ops late makes their response long, and the storage does not.
bool is_late(const HostStats& host) {
  return host.generator_lag_mean > std::max(own_delay, own_share * host.response_mean);
}

std::string millis_text(Millis time) { return format_millis(time.count()) + " ms"; }

/// 1: as much as makes a load point invalid.
double pauses_of(const HostStats& host) {
  return std::max({to_seconds(host.longest_pause) / validity_limits::pause_seconds,
                   host.paused_share / validity_limits::paused_share,
                   host.throttled_share / validity_limits::paused_share});
}

std::string pauses_text(const HostStats& host) {
  if (host.throttled_share >= validity_limits::paused_share)
    return fmt::format("the limit of processors of its container held edagen up for {:.0f} % of the time",
                       100 * host.throttled_share);
  return fmt::format("edagen was paused for up to {} at once, {:.0f} % of the time in all",
                     millis_text(host.longest_pause), 100 * host.paused_share);
}

double per_portion(double figure, const HostStats& host) { return figure / static_cast<double>(host.portions); }

}  // namespace

std::vector<std::string> host_findings(const std::vector<HostStats>& hosts) {
  std::vector<std::string> findings;
  if (hosts.size() < 2) return findings;
  std::vector<double> rates, counts, services, responses;
  for (const HostStats& host : hosts) {
    if (host.portions == 0) continue;  // this load point has no procs there
    rates.push_back(per_portion(host.achieved_ops_per_sec, host));
    counts.push_back(per_portion(static_cast<double>(host.operations), host));
    if (host.operations == 0) continue;
    services.push_back(host.service_mean.count());
    responses.push_back(host.response_mean.count());
  }
  const double rate = usual(rates, true), operations = usual(counts, true), service = usual(services, false),
               response = usual(responses, false);
  const bool of_two = rates.size() <= 2;
  const std::string than = of_two ? "the other" : "the median";
  // Two hosts differ by the chance of both.
  const auto chance = [&](double ops) { return deviations * (of_two ? std::numbers::sqrt2 : 1) / std::sqrt(ops); };
  for (const HostStats& host : hosts) {
    const std::string who = called(host);
    const double expected = operations * static_cast<double>(host.portions);
    const double less = expected > 0 && rate > 0 ? 1 - per_portion(host.achieved_ops_per_sec, host) / rate : 0;
    if (less > 0 && less > std::max(slower_by, chance(expected)))
      findings.push_back(fmt::format("{}: {:.0f} % fewer ops/s for each client than {}", who, 100 * less, than));
    if (is_late(host))
      findings.push_back(
          fmt::format("{}: began its ops {} late on average, of {} mean response: this host is short of "
                      "processors, or was stopped, and the storage is not slow there",
                      who, millis_text(host.generator_lag_mean), millis_text(host.response_mean)));
    const double longer = host.operations > 0 && service > 0 ? host.service_mean.count() / service - 1 : 0;
    if (longer > 0 && longer > std::max(longer_by, chance(static_cast<double>(host.operations))))
      findings.push_back(fmt::format("{}: mean service {:.0f} % longer than {}", who, 100 * longer, than));
    const double slower = host.operations > 0 && response > 0 ? host.response_mean.count() / response - 1 : 0;
    if (!is_late(host) && slower > longer && slower > std::max(longer_by, chance(static_cast<double>(host.operations))))
      findings.push_back(fmt::format("{}: mean response {:.0f} % longer than {}", who, 100 * slower, than));
    if (host.nfs && host.nfs->requests > 0 && host.nfs->retransmissions > resent_by * host.nfs->requests)
      findings.push_back(fmt::format("{}: {:.2g} % of its RPCs were sent again", who,
                                     100 * host.nfs->retransmissions / host.nfs->requests));
    if (const std::uint64_t errors = errors_of(host); errors > 0)
      findings.push_back(who + ": " + counted(errors, "error"));
  }
  return findings;
}

std::vector<std::string> pause_findings(const std::vector<HostStats>& hosts) {
  std::vector<std::string> findings;
  double most = 0;
  for (const HostStats& host : hosts) most = std::max(most, pauses_of(host));
  for (const HostStats& host : hosts)
    if (most > 0 && pauses_of(host) >= std::min(1.0, most))
      findings.push_back(fmt::format("{}: {}: that is in the figures", called(host), pauses_text(host)));
  return findings;
}

std::optional<std::string> host_of_most_errors(const std::vector<HostStats>& hosts) {
  const auto worst = std::ranges::max_element(hosts, {}, errors_of);
  if (worst == hosts.end() || errors_of(*worst) == 0) return std::nullopt;
  return fmt::format("{}: {} of its ops failed", called(*worst), errors_of(*worst));
}

std::optional<FirstOpSpread> first_op_spread(const std::vector<HostStats>& hosts) {
  Millis earliest = Millis::max(), earliest_possible = Millis::max(), latest{0}, latest_possible{0};
  std::size_t begun = 0;
  for (const HostStats& host : hosts) {
    if (host.first_op == Millis(0)) continue;
    ++begun;
    earliest = std::min(earliest, host.first_op);
    latest = std::max(latest, host.first_op);
    earliest_possible = std::min(earliest_possible, host.first_op - host.clock_uncertainty);
    latest_possible = std::max(latest_possible, host.first_op + host.clock_uncertainty);
  }
  if (begun < 2) return std::nullopt;
  const Millis spread = latest - earliest;
  return FirstOpSpread{spread, latest_possible - earliest_possible - spread};
}

}  // namespace edagen
