// The figures of each client, and of each mount, in the window of a load point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "edagen/clock.hpp"
#include "edagen/parts/fields.hpp"

namespace edagen {

/// A mean response against those of the other mounts, or clients.
struct OthersFigures {
  double ratio = 1, least_ratio = 1;
  bool slow = false;
};
void fields(auto&& visit, Is<OthersFigures> auto& others) {
  visit("ratio", others.ratio, {.about = "mean response over the median of the others' mean responses"});
  visit(
      "least_ratio", others.least_ratio,
      {.about =
           "lower end of the confidence interval of the ratio for the same kinds of op, as it varies over the window"});
  visit("slow", others.slow, {.about = "slower than the others by more than chance, and by so much that it matters"});
}

/// What became of the ops of a client, or of all clients of a mount.
struct ClientFigures {
  std::uint64_t operations = 0, errors = 0;
  std::int64_t bytes = 0;
  std::uint64_t outstanding = 0;
  std::optional<Millis> response_mean = {}, response_p99 = {}, service_mean = {}, service_p99 = {};
  std::optional<OthersFigures> against_others = {};

  bool is_slow() const { return against_others && against_others->slow; }
};
void fields(auto&& visit, Is<ClientFigures> auto& client) {
  visit("operations", client.operations);
  visit("errors", client.errors);
  visit("bytes", client.bytes, {.about = "read and written"});
  visit("outstanding", client.outstanding,
        later("ops that were due in the window and had not ended a while after it; they count with their age"));
  visit("response_mean_ms", client.response_mean, later("null: no op that was due in the window ended"));
  visit("response_p99_ms", client.response_p99,
        later("off by less than 12.5 %, the width of the buckets in which it is counted"));
  visit("service_mean_ms", client.service_mean, later("as response_mean_ms"));
  visit("service_p99_ms", client.service_p99, later("as response_p99_ms"));
  visit("against_others", client.against_others,
        later("null: there are no others, or the window has too few intervals to compare them"));
}

/// Means of all RPCs of a mount.
struct RpcTimes {
  double per_op = 0;
  Millis queue{0}, round_trip{0}, execute{0};
};
void fields(auto&& visit, Is<RpcTimes> auto& rpcs) {
  visit("per_op", rpcs.per_op, {.about = "RPCs of the mount per op of its clients"});
  visit("queue_ms", rpcs.queue);
  visit("round_trip_ms", rpcs.round_trip);
  visit("execute_ms", rpcs.execute);
}

/// All clients of a mount.
struct MountLoadFigures : ClientFigures {
  std::string path;
  std::uint64_t clients = 0;
  std::optional<RpcTimes> rpcs = {};
};
void fields(auto&& visit, Is<MountLoadFigures> auto& mount) {
  using Base =
      std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(mount)>>, const ClientFigures, ClientFigures>;
  visit("path", mount.path);
  visit("clients", mount.clients);
  fields(visit, static_cast<Base&>(mount));
  visit("rpcs", mount.rpcs,
        later("null: no NFS, or the client counts the RPCs together with those of another mount or host"));
}

}  // namespace edagen
