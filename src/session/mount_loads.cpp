#include "session/mount_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "edagen/units.hpp"
#include "stats/against_others.hpp"

namespace edagen {
namespace {

/// Probability that a load point of equal mounts, or of equal clients, has one that counts as slow, before
/// least_ratio_of_slow.
constexpr double wrong_finding_probability = 0.005;
/// A smaller ratio is not worth a sentence. Clients have files of different sizes and different seeds, so that equal
/// mounts differ by a few percent for as long as a run lasts.
constexpr double least_ratio_of_slow = 1.1;

/// The responses of each slice over those that are expected, by mount or client. Clients that `is_compared` refuses
/// have none.
template <class IsCompared>
std::vector<std::vector<double>> responses_by_slice(const ClientSlices& slices, std::size_t parts,
                                                    IsCompared is_compared) {
  std::vector<std::vector<double>> responses;
  for (const std::vector<ResponseSum>& slice : slices.slices()) {
    std::vector<ResponseSum> sums(parts);
    for (std::size_t client = 0; client < slice.size(); ++client)
      if (is_compared(client)) sums[client % parts].merge(slice[client]);
    std::vector<double>& of_client = responses.emplace_back();
    for (const ResponseSum& sum : sums) of_client.push_back(sum.over_expected());
  }
  return responses;
}

/// `parts`: mounts or clients, in the order of their numbers.
template <class Part>
void compare(std::vector<Part>& parts, const std::vector<std::vector<double>>& slices) {
  const std::vector<std::optional<AgainstOthers>> compared = against_others(slices, wrong_finding_probability);
  std::vector<double> means;
  for (std::size_t i = 0; i < parts.size(); ++i)
    means.push_back(i < compared.size() && compared[i] ? parts[i].response_mean.value_or(Millis(0)).count() : 0);
  const MedianOfOthers median(means);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double others = means[i] > 0 ? median.without(means[i]) : 0;
    if (!(others > 0)) continue;
    parts[i].against_others = OthersFigures{.ratio = means[i] / others,
                                            .least_ratio = compared[i]->least,
                                            .slow = compared[i]->least > least_ratio_of_slow};
  }
}

bool names(const NfsMountFigures& counted, const std::string& mount_point) {
  return counted.mount_point == mount_point || std::ranges::count(counted.also_mounted_on, mount_point) > 0;
}

/// nullopt: the NFS client counts the RPCs of this mount together with those of another one.
std::optional<RpcTimes> rpc_times(const NfsFigures& nfs, const std::vector<LoadMount>& mounts, std::size_t number,
                                  double operations) {
  const auto counted = std::ranges::find_if(
      nfs.mounts, [&](const NfsMountFigures& mount) { return names(mount, mounts[number].nfs_mount_point); });
  if (mounts[number].nfs_mount_point.empty() || counted == nfs.mounts.end() || operations <= 0) return std::nullopt;
  for (std::size_t i = 0; i < mounts.size(); ++i)
    if (i != number && names(*counted, mounts[i].nfs_mount_point)) return std::nullopt;
  double requests = 0;
  RpcTimes times;
  for (const auto& [kind, rpc] : counted->rpcs) {
    requests += rpc.requests;
    times.queue += rpc.queue * rpc.requests;
    times.round_trip += rpc.round_trip * rpc.requests;
    times.execute += rpc.execute * rpc.requests;
  }
  if (requests <= 0) return std::nullopt;
  times.per_op = requests / operations;
  for (Millis* const time : {&times.queue, &times.round_trip, &times.execute}) *time /= requests;
  return times;
}

constexpr std::size_t most_clients_named = 3;
/// What takes at least so much longer than on the others is named as the cause.
constexpr double longer_factor = 1.1;
/// A ratio from which a mount is named, with the reserve, when it is above 1 by more than chance but not by so much
/// that it is called slow.
constexpr double ratio_worth_a_hint = 1.25;

std::string times_text(double ratio) {
  return ratio < 9.95 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio);
}

/// "2.9 ms against 0.94"
std::string against_text(Millis own, Millis others) {
  return fmt::format("{} ms against {}", format_millis(own.count()), format_millis(others.count()));
}

/// The median of a figure of the others; 0: they have none.
template <class Part, class Figure>
double of_others(const std::vector<Part>& parts, std::size_t part, Figure figure) {
  std::vector<double> values;
  for (const Part& each : parts) values.push_back(figure(each));
  return values[part] > 0 ? MedianOfOthers(values).without(values[part]) : 0;
}

double mean_service(const ClientFigures& part) { return part.service_mean.value_or(Millis(0)).count(); }
double mean_response(const ClientFigures& part) { return part.response_mean.value_or(Millis(0)).count(); }

/// What makes a mean response long: the service, the wait for procs that are busy, or edagen's own delay.
template <class Part>
std::string service_text(const PointFigures& point, const std::vector<Part>& parts, std::size_t number) {
  const Millis own(mean_service(parts[number])), others(of_others(parts, number, mean_service));
  if (own <= Millis(0) || others <= Millis(0)) return "";
  if (own > longer_factor * others) return ": service " + against_text(own, others);
  const bool is_late = 2 * point.generator_lag.mean > Millis(mean_response(parts[number])) - own;
  const char* const late = point.hosts.empty() ? "this host began ops late" : "the hosts began ops late";
  return fmt::format(": {}, service is {}", is_late ? late : "ops wait for their procs", against_text(own, others));
}

/// The part of the RPC time per op that is longer than on the other mounts by most.
std::string rpc_text(const std::vector<MountLoadFigures>& mounts, std::size_t number) {
  if (!mounts[number].rpcs) return "";
  const RpcTimes own = *mounts[number].rpcs;
  const auto others = [&](auto figure) {
    return of_others(mounts, number,
                     [&](const MountLoadFigures& mount) { return mount.rpcs ? figure(*mount.rpcs) : 0.0; });
  };
  const double per_op = others([](const RpcTimes& rpcs) { return rpcs.per_op; });
  const auto time = [&](Millis RpcTimes::*member) {
    return Millis(others([member](const RpcTimes& rpcs) { return (rpcs.*member).count(); }));
  };
  const Millis round_trip = time(&RpcTimes::round_trip), queue = time(&RpcTimes::queue),
               execute = time(&RpcTimes::execute);
  if (per_op <= 0) return "";
  const double more = own.per_op / per_op, longer = execute > Millis(0) ? own.execute / execute : 0;
  if (std::max(more, longer) < longer_factor) return "";
  if (more > longer) return fmt::format(": {:.3g} RPCs per op against {:.3g}", own.per_op, per_op);
  if (own.queue - queue > own.round_trip - round_trip)
    return fmt::format(": RPCs wait in the queue {}", against_text(own.queue, queue));
  return ": RPC round trip " + against_text(own.round_trip, round_trip);
}

/// "/mnt/c: mean response 3.1 times the others' (2.9 ms against 0.94)"
template <class Part>
std::string slow_text(const std::string& name, const std::vector<Part>& parts, std::size_t number) {
  return fmt::format("{}: mean response {} times the others' ({})", name,
                     times_text(parts[number].against_others->ratio),
                     against_text(Millis(mean_response(parts[number])),
                                  Millis(mean_response(parts[number]) / parts[number].against_others->ratio)));
}

/// "/mnt/c: mean response 1.5 times the others', but only 1.02 times is sure by the scatter of this window; ..."
std::string perhaps_slow_text(const MountLoadFigures& mount) {
  return fmt::format(
      "{}: mean response {} times the others', but only {:.2f} times is sure by the scatter of this "
      "window; a longer --duration shows more",
      mount.path, times_text(mount.against_others->ratio), mount.against_others->least_ratio);
}

bool is_perhaps_slow(const ClientFigures& part) {
  return part.against_others && !part.is_slow() && part.against_others->ratio >= ratio_worth_a_hint &&
         part.against_others->least_ratio > 1;
}

/// The mount that alone has ops counted by `count`.
void add_only_mount(std::vector<std::string>& findings, const std::vector<MountLoadFigures>& mounts,
                    std::uint64_t ClientFigures::*count, const char* what) {
  const auto has = [&](const MountLoadFigures& mount) { return mount.*count > 0; };
  if (mounts.size() < 2 || std::ranges::count_if(mounts, has) != 1) return;
  const MountLoadFigures& only = *std::ranges::find_if(mounts, has);
  findings.push_back(
      fmt::format("{}: {} {}, and none on the other mounts", only.path, counted(only.*count, "op"), what));
}

void add_slow_clients(std::vector<std::string>& findings, const PointFigures& point) {
  std::vector<std::size_t> slow;
  for (std::size_t i = 0; i < point.clients.size(); ++i)
    if (point.clients[i].is_slow()) slow.push_back(i);
  std::ranges::stable_sort(slow, std::greater<>(),
                           [&](std::size_t i) { return point.clients[i].against_others->ratio; });
  for (std::size_t i = 0; i < std::min(slow.size(), most_clients_named); ++i) {
    const std::size_t client = slow[i];
    const std::string where =
        point.mounts.empty() ? "" : fmt::format(" ({})", point.mounts[client % point.mounts.size()].path);
    findings.push_back(slow_text(fmt::format("client {}{}", client, where), point.clients, client) +
                       service_text(point, point.clients, client));
  }
  if (slow.size() > most_clients_named)
    findings.push_back(fmt::format("{} more are slower than the others by more than chance",
                                   counted(slow.size() - most_clients_named, "client")));
}

}  // namespace

ClientFigures client_figures(const ClientStats& stats) {
  ClientFigures figures{.operations = stats.counts.operations,
                        .errors = stats.counts.errors,
                        .bytes = stats.counts.bytes,
                        .outstanding = stats.outstanding};
  if (stats.response().count() > 0) {
    figures.response_mean = stats.response().mean();
    figures.response_p99 = stats.response().percentile(99);
  }
  if (stats.service.count() > 0) {
    figures.service_mean = stats.service.mean();
    figures.service_p99 = stats.service.percentile(99);
  }
  return figures;
}

std::vector<ClientStats> by_mount(const std::vector<ClientStats>& clients, std::size_t mounts) {
  std::vector<ClientStats> sums(mounts);
  for (std::size_t i = 0; mounts > 0 && i < clients.size(); ++i) sums[i % mounts].merge(clients[i]);
  return sums;
}

std::vector<std::string> mount_findings(const PointFigures& point) {
  std::vector<std::string> findings;
  for (std::size_t i = 0; i < point.mounts.size(); ++i) {
    if (is_perhaps_slow(point.mounts[i])) findings.push_back(perhaps_slow_text(point.mounts[i]));
    if (!point.mounts[i].is_slow()) continue;
    const std::string rpcs = rpc_text(point.mounts, i);
    findings.push_back(slow_text(point.mounts[i].path, point.mounts, i) +
                       (rpcs.empty() ? service_text(point, point.mounts, i) : rpcs));
  }
  add_only_mount(findings, point.mounts, &ClientFigures::errors, "failed");
  add_only_mount(findings, point.mounts, &ClientFigures::outstanding, "had not ended");
  add_slow_clients(findings, point);
  return findings;
}

void add_mount_loads(PointFigures& point, const RunStats& stats, const std::vector<LoadMount>& all_mounts) {
  std::vector<LoadMount> mounts = all_mounts;
  mounts.resize(std::min(mounts.size(), stats.clients.size()));
  for (const ClientStats& client : stats.clients) point.clients.push_back(client_figures(client));
  const std::vector<ClientStats> sums = by_mount(stats.clients, mounts.size());
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    MountLoadFigures& mount = point.mounts.emplace_back();
    static_cast<ClientFigures&>(mount) = client_figures(sums[i]);
    mount.path = mounts[i].path;
    mount.clients = (stats.clients.size() - i - 1) / mounts.size() + 1;
    // The NFS client of the first host alone is read.
    if (point.nfs && point.hosts.empty())
      mount.rpcs = rpc_times(*point.nfs, mounts, i, static_cast<double>(mount.operations));
  }
  // A pause of edagen is in the figures of those whose ops it delayed.
  if (point.is_invalid_for(Invalid::generator_paused)) return;
  if (mounts.size() > 1)
    compare(point.mounts, responses_by_slice(stats.client_slices, mounts.size(), [](std::size_t) { return true; }));
  if (point.clients.size() > std::max<std::size_t>(1, mounts.size()))
    compare(point.clients, responses_by_slice(stats.client_slices, point.clients.size(), [&](std::size_t client) {
              return mounts.empty() || !point.mounts[client % mounts.size()].is_slow();
            }));
  point.mount_findings = mount_findings(point);
}

}  // namespace edagen
