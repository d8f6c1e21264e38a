#include "dataset/dataset_plan.hpp"
#include "input.hpp"
#include "sim/sim_runner.hpp"
#include "text_file.hpp"
#include "workload/op_stream.hpp"
#include "workload/workload_file.hpp"

namespace edagen::fuzz {
namespace {

using namespace std::chrono_literals;

/// Two short load points, one open loop and one closed loop.
void run_on(const VolumeModel& model) {
  static const WorkloadSpec workload = load_workload("eda_mixed");
  std::vector<OpMix> mixes;
  for (const ProcSpec& kind : workload.proc_kinds) mixes.emplace_back(kind.weights);
  DatasetScale scale;
  scale.factor = 0.01;
  const DatasetPlan plan = plan_dataset(workload, 1, 5, {0}, 1, scale);
  std::vector<SimProc> procs;
  for (const PlannedProc& proc : plan.procs) {
    OpStream ops(workload.proc_kinds[proc.kind], mixes[proc.kind], proc.files, proc.seed);
    procs.push_back({{std::move(ops), proc.kind, 100, 0, 0, 1, false}, true});
  }
  const auto runner = make_sim_runner(model, std::move(procs), {"a", "b"}, 1, {});
  LoadPoint load;
  load.rate = OpenLoop{500};
  load.warmup = 100ms;
  load.duration = 200ms;
  load.interval = 50ms;
  static_cast<void>(runner->run(load, ignore_events));
  load.rate = ClosedLoop{};
  load.warmup = load.duration = 50us;
  load.interval = 10us;
  static_cast<void>(runner->run(load, ignore_events));
}

}  // namespace

void use_volume(const std::string& text) { run_on(load_volume(TextFile(text, ".json").path())); }

}  // namespace edagen::fuzz
