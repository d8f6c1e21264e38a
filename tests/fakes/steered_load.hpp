// What loads on many hosts are tested with: a volume that all ranks model, and a runner that is asked only.
#pragma once

#include <thread>

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

/// A shared load whose intervals end no sooner than so much real time after each other: a simulation goes on as fast as
/// it can until the loss of a rank is noticed.
class PacedIntervals final : public SharedLoad {
 public:
  PacedIntervals(SharedLoad& load, Nanos pause) : load_(load), pause_(pause) {}

  TimePoint agree_start() override { return load_.agree_start(); }
  void interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) override {
    std::this_thread::sleep_for(pause_);
    load_.interval_ended(interval, stats, phase_over, ending);
  }
  std::optional<Decision> decision() override { return load_.decision(); }
  bool is_over() override { return load_.is_over(); }
  void drained(const IntervalStats& stats) override { load_.drained(stats); }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override { load_.op_stuck(what, kind, age); }
  void rest() override { load_.rest(); }

 private:
  SharedLoad& load_;
  const Nanos pause_;
};

/// The leader's load on a modelled volume. `pause`: as in PacedIntervals.
struct LedVolume {
  explicit LedVolume(Hosts& hosts, const std::string& model = "regular", const std::stop_token& stop = {},
                     Nanos pause = Nanos(0))
      : led(hosts, mixed_kinds),
        paced(led, pause),
        volume(model, &hosts, &paced, stop),
        steered(hosts, led, volume.runner(), none, {all_clients}) {}

  NoCounters none;
  LedLoad led;
  PacedIntervals paced;
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
inline std::uint64_t follow(Hosts& hosts, const std::string& model = "regular", const std::stop_token& stop = {},
                            Nanos pause = Nanos(0)) {
  FollowedLoad followed(hosts);
  PacedIntervals paced(followed, pause);
  SteeredVolume volume(model, &hosts, &paced, stop);
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
