// A dataset of a few files, to be built, spoilt and removed.
#pragma once

#include "dataset/dataset_builder.hpp"
#include "support/quiet_watch.hpp"
#include "support/temporary_directory.hpp"
#include "workload/workload_file.hpp"

namespace edagen::testing {

/// Two clients with two procs each on one mount, with links of both kinds.
class SmallDataset {
 public:
  SmallDataset() {
    workload.proc_kinds[0].weights[static_cast<std::size_t>(OpKind::symlink)] = 1;
    workload.proc_kinds[0].weights[static_cast<std::size_t>(OpKind::link)] = 1;
    scale.factor = 0.02;
    plan_anew();
  }
  void plan_anew() { plan = plan_dataset(workload, 2, 2, {0}, 1, scale); }
  DatasetPlace place() const { return {mount.path(), "v"}; }
  DatasetBuilder builder(bool reuse = false) const { return DatasetBuilder(plan, {place()}, reuse); }
  BuildResult build(DatasetBuilder& builder, std::stop_token stop = {}) {
    return builder.build(4, std::move(stop), watch, [](const BuildProgress&) {});
  }
  BuildResult build(bool reuse = false, std::stop_token stop = {}) {
    DatasetBuilder made = builder(reuse);
    return build(made, std::move(stop));
  }
  bool remove() { return remove_dataset(place(), 3, watch); }

  TemporaryDirectory mount;
  QuietWatch watch;
  std::string data = mount / "edagen.data";
  WorkloadSpec workload = load_workload("eda_functional");
  DatasetScale scale;
  DatasetPlan plan;
};

}  // namespace edagen::testing
