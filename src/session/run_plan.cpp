#include "edagen/run_plan.hpp"

namespace edagen {

double RunPlan::own_ops_per_sec() const {
  double rate = 0;
  for (std::uint64_t proc = 0; proc < procs_per_client; ++proc)
    rate += workload.proc_kinds[proc_kind_of(workload, proc)].ops_per_sec;
  return rate * static_cast<double>(clients);
}

}  // namespace edagen
