// What loads on many hosts are tested with: a volume that all ranks model, and a runner that is asked only.
#pragma once

#include "dataset/dataset_plan.hpp"
#include "edagen/volume_model.hpp"
#include "hosts/steered_load.hpp"
#include "load/engine.hpp"
#include "sim/sim_runner.hpp"

namespace edagen::testing {

/// Hosts that count nothing themselves.
struct NoCounters final : HostCounters {
  void window_began() override {}
  void window_ended() override {}
  void add_to(HostStats&, const RunStats&) const override {}
};

inline constexpr std::uint64_t all_clients = 8;

/// eda_mixed on a modelled volume, with the procs of all clients; `hosts`: this rank counts its own.
class SteeredVolume {
 public:
  SteeredVolume(const std::string& model, const Hosts* hosts, SharedLoad* shared, const std::stop_token& stop = {})
      : workload_(load_workload("eda_mixed")) {
    for (const ProcSpec& kind : workload_.proc_kinds) {
      mixes_.push_back(std::make_unique<OpMix>(kind.weights));
      names_.push_back(kind.name);
    }
    const DatasetPlan plan = plan_dataset(workload_, all_clients, 10, {0}, 1, {.factor = 1, .file_size = {}});
    std::vector<SimProc> procs;
    for (const PlannedProc& proc : plan.procs) {
      const ProcSpec& kind = workload_.proc_kinds[proc.kind];
      EngineProc made{OpStream(kind, *mixes_[proc.kind], proc.files, proc.seed), proc.kind, kind.ops_per_sec,
                      proc.proc_of_client / 5 * all_clients + proc.client, proc.client};
      made.here = hosts == nullptr || hosts->has(proc.client, {all_clients});
      procs.push_back({std::move(made), proc.kind == 0});
    }
    runner_ = make_sim_runner(load_volume(model), std::move(procs), names_, 1, stop, shared);
  }
  LoadRunner& runner() { return *runner_; }

 private:
  WorkloadSpec workload_;
  std::vector<std::unique_ptr<OpMix>> mixes_;
  std::vector<std::string> names_;
  std::unique_ptr<LoadRunner> runner_;
};

/// The kinds of procs of eda_mixed.
inline const std::vector<std::string> mixed_kinds = {"eda_functional", "eda_physical"};

/// The leader's load on a modelled volume.
struct LedVolume {
  explicit LedVolume(Hosts& hosts, const std::string& model = "regular", const std::stop_token& stop = {})
      : led(hosts, mixed_kinds),
        volume(model, &hosts, &led, stop),
        steered(hosts, led, volume.runner(), none, {all_clients}) {}

  NoCounters none;
  LedLoad led;
  SteeredVolume volume;
  SteeredLoad steered;
};

/// A follower's part of a load. Returns how many ops have not come back.
inline std::uint64_t follow(Hosts& hosts, FollowedLoad& followed, LoadRunner& here) {
  NoCounters none;
  std::uint64_t stuck = 0;
  follow_load(hosts, followed, here, none, mixed_kinds.size(), {all_clients}, ignore_events, stuck);
  return stuck;
}
inline std::uint64_t follow(Hosts& hosts, const std::string& model = "regular", const std::stop_token& stop = {}) {
  FollowedLoad followed(hosts);
  SteeredVolume volume(model, &hosts, &followed, stop);
  return follow(hosts, followed, volume.runner());
}

/// Notes what it is asked for, and comes back at once.
struct AskedRunner final : LoadRunner {
  RunStats run(const LoadPoint& load, const EventSink&) override {
    loads.push_back(load);
    RunStats stats;
    stats.groups = {{.name = "eda_functional"}, {.name = "eda_physical"}};
    stats.stuck_ops = stuck_ops;
    return stats;
  }
  std::vector<LoadPoint> loads;
  std::uint64_t stuck_ops = 0;
};

inline LoadPoint load_at(double rate, Nanos warmup, Nanos duration, Nanos interval) {
  LoadPoint load;
  load.rate = OpenLoop{rate};
  load.warmup = warmup;
  load.duration = duration;
  load.interval = interval;
  return load;
}

}  // namespace edagen::testing
