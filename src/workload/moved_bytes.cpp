#include "workload/moved_bytes.hpp"

#include "workload/op_stream.hpp"

namespace edagen {

MovedBytes moved_bytes(const WorkloadSpec& workload) {
  constexpr int draws = 20'000, procs = 50;  // each proc has files of other sizes
  MovedBytes moved;
  OpWeights shares{};
  for (const ProcSpec& kind : workload.proc_kinds) {
    const double share =
        kind.ops_per_sec * kind.procs_per_job_set / workload.ops_per_sec_per_job_set() / (draws * procs);
    const OpMix mix(kind.weights);
    for (std::uint64_t seed = 1; seed <= procs; ++seed) {
      OpStream ops(kind, mix, FilePopulation(kind, kind.dataset, seed), seed);
      for (int i = 0; i < draws; ++i) {
        const Op op = ops.next();
        const OpResult result = success_of(op);
        const double bytes = share * static_cast<double>(result.bytes_read + result.bytes_written);
        shares[static_cast<std::size_t>(op.kind)] += share;
        moved.per_op[static_cast<std::size_t>(op.kind)] += bytes;
        moved.of_all += bytes;
      }
    }
  }
  for (std::size_t i = 0; i < op_kind_count; ++i)
    if (shares[i] > 0) moved.per_op[i] /= shares[i];
  return moved;
}

}  // namespace edagen
