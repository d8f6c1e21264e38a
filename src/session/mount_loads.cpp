#include "session/mount_loads.hpp"

#include <algorithm>

#include "session/mount_findings.hpp"
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
