#include "edagen/workload/workload_spec.hpp"

#include <numeric>

namespace edagen {

double ProcSpec::share(OpKind kind) const {
  return weight(kind) / std::accumulate(weights.begin(), weights.end(), 0.0);
}

int WorkloadSpec::procs_per_job_set() const {
  int procs = 0;
  for (const ProcSpec& kind : proc_kinds) procs += kind.procs_per_job_set;
  return procs;
}

double WorkloadSpec::ops_per_sec_per_job_set() const {
  double rate = 0;
  for (const ProcSpec& kind : proc_kinds) rate += kind.ops_per_sec * kind.procs_per_job_set;
  return rate;
}

OpWeights WorkloadSpec::op_shares() const {
  OpWeights shares{};
  for (const ProcSpec& kind : proc_kinds)
    for (const OpKind op : all_op_kinds())
      shares[static_cast<std::size_t>(op)] +=
          kind.share(op) * kind.ops_per_sec * kind.procs_per_job_set / ops_per_sec_per_job_set();
  return shares;
}

std::size_t proc_kind_of(const WorkloadSpec& workload, std::uint64_t proc) {
  auto place = static_cast<int>(proc % static_cast<std::uint64_t>(workload.procs_per_job_set()));
  std::size_t kind = 0;
  while (place >= workload.proc_kinds[kind].procs_per_job_set) place -= workload.proc_kinds[kind++].procs_per_job_set;
  return kind;
}

}  // namespace edagen
