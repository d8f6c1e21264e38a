// What an op of a load is made of: its service by kind of op, and the RPCs that it takes on NFS.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/op.hpp"
#include "edagen/parts/fields.hpp"

namespace edagen {

/// The ops of one kind, per op of the load.
struct OpWork {
  double per_op = 0;  ///< their share of all ops
  Millis service{0};  ///< mean
};
void fields(auto&& visit, Is<OpWork> auto& op) {
  visit("per_op", op.per_op, {.about = "share of all ops, 0 to 1"});
  visit("service_ms", op.service);
}

/// The RPCs of one kind, per op of the load.
struct RpcWork {
  double per_op = 0;
  Millis queue{0}, round_trip{0}, execute{0};  ///< means

  /// What the client takes besides: its own work before and after.
  Millis handling() const { return std::max(Millis(0), execute - queue - round_trip); }
};
void fields(auto&& visit, Is<RpcWork> auto& rpc) {
  visit("per_op", rpc.per_op);
  visit("queue_ms", rpc.queue);
  visit("round_trip_ms", rpc.round_trip);
  visit("execute_ms", rpc.execute, {.about = "all of an RPC: queue, round trip and handling by the client"});
}

struct WorkFigures {
  Millis service{0};  ///< mean, over all ops
  std::map<OpKind, OpWork> ops;
  std::map<std::string, RpcWork> rpcs;
};
void fields(auto&& visit, Is<WorkFigures> auto& work) {
  visit("service_ms", work.service);
  visit("ops", work.ops);
  visit("rpcs", work.rpcs, {.about = "by the kernel's name: GETATTR, READ, ...; empty without NFS mounts"});
}

/// How a kind of op or RPC differs from the baseline's.
struct KindDifference {
  std::string kind;
  double per_op = 0;    ///< more of them, or fewer
  Millis each{0};       ///< longer, or shorter
  Millis mean_each{0};  ///< the mean of both
  Millis by_number{0}, by_time{0};

  Millis service() const { return by_number + by_time; }
};
void fields(auto&& visit, Is<KindDifference> auto& difference) {
  visit("kind", difference.kind);
  visit("per_op", difference.per_op, {.least = any_number, .about = "of the variant, less that of the baseline"});
  visit("each_ms", difference.each, {.least = any_number, .about = "mean time of one, less that of the baseline"});
  visit("mean_each_ms", difference.mean_each, {.about = "mean time of one, in the middle of both"});
  visit("by_number_ms", difference.by_number,
        {.least = any_number, .about = "longer service of a mean op (below 0: shorter), as there are more or fewer"});
  visit("by_time_ms", difference.by_time,
        {.least = any_number, .about = "longer service of a mean op (below 0: shorter), as each takes longer"});
}

/// Why the service of a variant is longer or shorter than the baseline's.
struct WorkDifference {
  Millis service{0};                      ///< below 0: shorter
  std::vector<KindDifference> ops, rpcs;  ///< the largest first
  std::optional<Millis> unexplained;
};
void fields(auto&& visit, Is<WorkDifference> auto& difference) {
  visit("service_ms", difference.service,
        {.least = any_number, .about = "mean service, less that of the baseline; below 0: it is shorter"});
  visit("ops", difference.ops, {.about = "by kind of op, the largest difference first"});
  visit("rpcs", difference.rpcs, {.about = "by kind of RPC, the largest difference first"});
  visit("unexplained_ms", difference.unexplained,
        {.least = any_number,
         .about = "service_ms less what the RPCs add up to; RPCs that run beside ops, as write-back and read-ahead do, "
                  "make it differ from 0; null: one of both has no RPCs"});
}

}  // namespace edagen
