#include "use_ops.hpp"

#include <stdexcept>

#include "dataset/dataset_plan.hpp"
#include "workload/op_stream.hpp"

namespace edagen::fuzz {

void use_ops(const WorkloadSpec& workload) {
  DatasetScale scale;
  scale.budget_bytes = 1e9;
  const DatasetPlan plan =
      plan_dataset(workload, 2, static_cast<std::uint64_t>(workload.procs_per_job_set()), {0}, 1, scale);
  static_cast<void>(plan.totals());
  static_cast<void>(workload.op_shares());
  std::vector<bool> seen(workload.proc_kinds.size(), false);
  for (const PlannedProc& proc : plan.procs) {
    if (seen[proc.kind]) continue;
    seen[proc.kind] = true;
    const OpMix mix(workload.proc_kinds[proc.kind].weights);
    OpStream ops(workload.proc_kinds[proc.kind], mix, proc.files, proc.seed);
    for (int i = 0; i < 100; ++i)
      if (const Op op = ops.next(); op.offset < 0 || op.length < 0) throw std::logic_error("an op below zero");
  }
}

}  // namespace edagen::fuzz
