#include "compare/work.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace edagen {
namespace {

Millis time_of(const OpWork& op) { return op.service; }
Millis time_of(const RpcWork& rpc) { return rpc.execute; }

std::string name_of(OpKind kind) { return std::string(to_string(kind)); }
std::string name_of(const std::string& kind) { return kind; }

/// By kind, the largest difference first. A kind that one of both lacks takes as long there as where it is.
template <class Kind, class Work>
std::vector<KindDifference> differences(const std::map<Kind, Work>& baseline, const std::map<Kind, Work>& variant) {
  std::set<Kind> kinds;
  for (const auto& [kind, work] : baseline) kinds.insert(kind);
  for (const auto& [kind, work] : variant) kinds.insert(kind);
  std::vector<KindDifference> all;
  for (const Kind& kind : kinds) {
    const auto before = baseline.find(kind), after = variant.find(kind);
    const double number_before = before == baseline.end() ? 0 : before->second.per_op,
                 number_after = after == variant.end() ? 0 : after->second.per_op;
    const Millis time_before = time_of(before == baseline.end() ? after->second : before->second),
                 time_after = time_of(after == variant.end() ? before->second : after->second);
    KindDifference& difference = all.emplace_back();
    difference.kind = name_of(kind);
    difference.per_op = number_after - number_before;
    difference.each = time_after - time_before;
    difference.mean_each = (time_before + time_after) / 2;
    difference.by_number = difference.per_op * difference.mean_each;
    difference.by_time = difference.each * (number_before + number_after) / 2;
  }
  std::ranges::stable_sort(all, std::greater<>(),
                           [](const KindDifference& each) { return std::abs(each.service().count()); });
  return all;
}

void add(OpWork& sum, const OpWork& part) {
  sum.per_op += part.per_op;
  sum.service += part.service * part.per_op;
}
void add(RpcWork& sum, const RpcWork& part) {
  sum.per_op += part.per_op;
  sum.queue += part.queue * part.per_op;
  sum.round_trip += part.round_trip * part.per_op;
  sum.execute += part.execute * part.per_op;
}
void divide(OpWork& sum, double runs) {
  if (sum.per_op > 0) sum.service /= sum.per_op;
  sum.per_op /= runs;
}
void divide(RpcWork& sum, double runs) {
  for (Millis* const time : {&sum.queue, &sum.round_trip, &sum.execute})
    if (sum.per_op > 0) *time /= sum.per_op;
  sum.per_op /= runs;
}

}  // namespace

WorkFigures work_of(const PointFigures& point) {
  WorkFigures work{.service = point.latency.service.mean, .ops = {}, .rpcs = {}};
  for (const auto& [kind, op] : point.ops)
    if (op.latency) work.ops[kind] = {.per_op = op.share, .service = op.latency->service.mean};
  if (!point.nfs) return work;
  for (const NfsMountFigures& mount : point.nfs->mounts)
    for (const auto& [kind, rpc] : mount.rpcs)
      add(work.rpcs[kind],
          {.per_op = rpc.per_op, .queue = rpc.queue, .round_trip = rpc.round_trip, .execute = rpc.execute});
  for (auto& [kind, rpc] : work.rpcs) divide(rpc, 1);
  return work;
}

std::optional<WorkFigures> mean_work(const std::vector<const RunFigures*>& runs) {
  WorkFigures sum;
  double count = 0;
  for (const RunFigures* const run : runs) {
    if (!run->work || run->work->ops.empty()) continue;
    ++count;
    sum.service += run->work->service;
    for (const auto& [kind, op] : run->work->ops) add(sum.ops[kind], op);
    for (const auto& [kind, rpc] : run->work->rpcs) add(sum.rpcs[kind], rpc);
  }
  if (count == 0) return std::nullopt;
  sum.service /= count;
  for (auto& [kind, op] : sum.ops) divide(op, count);
  for (auto& [kind, rpc] : sum.rpcs) divide(rpc, count);
  return sum;
}

WorkDifference work_difference(const WorkFigures& baseline, const WorkFigures& variant) {
  WorkDifference difference{.service = variant.service - baseline.service,
                            .ops = differences(baseline.ops, variant.ops),
                            .rpcs = {},
                            .unexplained = {}};
  if (baseline.rpcs.empty() || variant.rpcs.empty()) return difference;
  difference.rpcs = differences(baseline.rpcs, variant.rpcs);
  Millis explained{0};
  for (const KindDifference& rpc : difference.rpcs) explained += rpc.service();
  difference.unexplained = difference.service - explained;
  return difference;
}

}  // namespace edagen
