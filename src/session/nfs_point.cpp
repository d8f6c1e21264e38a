#include "session/nfs_point.hpp"

#include <algorithm>

#include "nfs/nfs_view.hpp"
#include "result/validity_limits.hpp"

namespace edagen {
namespace {

double per(double total, double count) { return count > 0 ? total / count : 0; }

/// The part of the load whose RPCs this host's NFS client has counted.
struct OwnLoad {
  double operations = 0;
  Millis response{0}, service{0}, generator_lag{0};  ///< means
};
OwnLoad own_load(const RunStats& stats) {
  if (!stats.hosts.empty()) {  // the first is this one
    const HostStats& own = stats.hosts.front();
    return {static_cast<double>(own.operations), own.response_mean, own.service_mean, own.generator_lag_mean};
  }
  return {static_cast<double>(stats.ops.operations()), NanosF(stats.ops.response().mean()),
          NanosF(stats.ops.service().mean()), NanosF(stats.generator_lag.mean())};
}

std::map<std::string, RpcFigures> rpc_figures(const NfsMountStats& mount, double operations) {
  std::map<std::string, RpcFigures> figures;
  for (const auto& [name, rpc] : mount.rpcs) {
    if (rpc.requests <= 0) continue;
    const auto requests = static_cast<double>(rpc.requests);
    figures[name] = {.requests = requests,
                     .per_op = per(requests, operations),
                     .queue = Millis(per(rpc.queue().count(), requests)),
                     .round_trip = Millis(per(rpc.round_trip().count(), requests)),
                     .execute = Millis(per(rpc.execute().count(), requests)),
                     .retransmissions = std::max(0.0, static_cast<double>(rpc.transmissions) - requests),
                     .timeouts = static_cast<double>(rpc.timeouts),
                     .errors = static_cast<double>(rpc.errors),
                     .bytes_sent = static_cast<double>(rpc.bytes_sent),
                     .bytes_received = static_cast<double>(rpc.bytes_received)};
  }
  return figures;
}

std::vector<ConnectionFigures> connection_figures(const NfsMountStats& mount) {
  std::vector<ConnectionFigures> figures;
  for (const TransportCounters& connection : mount.connections)
    figures.push_back(
        {.protocol = connection.protocol,
         .source_port = connection.source_port,
         .requests = static_cast<double>(connection.sends),
         .reconnects = static_cast<double>(connection.reconnects),
         .mean_backlog = per(static_cast<double>(connection.backlog), static_cast<double>(connection.sends))});
  return figures;
}

}  // namespace

std::optional<NfsFigures> nfs_figures(const CurvePoint& point, const std::vector<NfsMountStats>& nfs) {
  if (nfs.empty() || point.stats.length == Nanos(0)) return std::nullopt;
  const OwnLoad own = own_load(point.stats);
  const double operations = own.operations;
  const double delay_share = own.response > Millis(0) ? own.generator_lag / own.response : 0;
  NfsFigures figures = nfs_view(
      nfs, point.stats.length, operations,
      {.service = own.service, .own_delay_share = delay_share > validity_limits::own_delay_share ? delay_share : 0});
  for (const NfsMountStats& mount : nfs)
    figures.mounts.push_back({.mount_point = mount.mount_point,
                              .source = mount.source,
                              .version = mount.version(),
                              .also_mounted_on = mount.also_mounted_on,
                              .read_bytes = static_cast<double>(mount.read_bytes),
                              .written_bytes = static_cast<double>(mount.written_bytes),
                              .events = mount.events,
                              .connections = connection_figures(mount),
                              .rpcs = rpc_figures(mount, operations)});
  return figures;
}

}  // namespace edagen
