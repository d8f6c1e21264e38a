#include "hosts/steered_load.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "dataset/dataset_plan.hpp"
#include "edagen/volume_model.hpp"
#include "fakes/fake_network.hpp"
#include "load/engine.hpp"
#include "sim/sim_runner.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t clients = 8;

struct NoCounters final : HostCounters {
  void window_began() override {}
  void window_ended() override {}
  void add_to(HostStats&, const RunStats&) const override {}
};

/// eda_mixed on a modelled volume, with the procs of all clients; `hosts`: this rank counts its own.
class Volume {
 public:
  Volume(const std::string& model, const Hosts* hosts, SharedLoad* shared, const std::stop_token& stop = {})
      : workload_(load_workload("eda_mixed")) {
    for (const ProcSpec& kind : workload_.proc_kinds) {
      mixes_.push_back(std::make_unique<OpMix>(kind.weights));
      names_.push_back(kind.name);
    }
    const DatasetPlan plan = plan_dataset(workload_, clients, 10, 1, 1, {.factor = 1, .file_size = {}});
    std::vector<SimProc> procs;
    for (const PlannedProc& proc : plan.procs) {
      const ProcSpec& kind = workload_.proc_kinds[proc.kind];
      EngineProc made{OpStream(kind, *mixes_[proc.kind], proc.files, proc.seed), proc.kind, kind.ops_per_sec,
                      proc.proc_of_client / 5 * clients + proc.client, proc.client};
      made.here = hosts == nullptr || hosts->has(proc.client);
      procs.push_back({std::move(made), proc.kind == 0});
    }
    runner_ = make_sim_runner(load_volume(model), std::move(procs), names_, 1, stop, shared);
  }
  LoadRunner& runner() { return *runner_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  WorkloadSpec workload_;
  std::vector<std::unique_ptr<OpMix>> mixes_;
  std::vector<std::string> names_;
  std::unique_ptr<LoadRunner> runner_;
};

/// What was measured, bit for bit: all that does not depend on the machine.
std::string bits(const RunStats& stats) {
  WireWriter writer;
  writer(stats.length, stats.warmup, stats.drain, stats.requested_ops_per_sec, stats.ops, stats.groups,
         stats.generator_lag, stats.unsteady);
  for (const Interval& interval : stats.intervals)
    writer(interval.start, interval.length, interval.operations, interval.errors, interval.bytes,
           interval.response_mean, interval.service_mean, interval.response_p99, interval.statistic);
  return writer.take();
}

LoadPoint load_at(double rate, Nanos warmup, Nanos duration, Nanos interval) {
  LoadPoint load;
  load.ops_per_sec = rate;
  load.warmup = warmup;
  load.duration = duration;
  load.interval = interval;
  return load;
}

using Work = std::function<std::vector<RunStats>(LoadRunner&)>;

std::vector<RunStats> by_one(const std::string& model, const Work& work) {
  Volume volume(model, nullptr, nullptr);
  return work(volume.runner());
}

std::vector<RunStats> by_many(int ranks, const std::string& model, const Work& work) {
  FakeNetwork network(ranks);
  std::vector<RunStats> measured;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    const std::vector<std::string> names = {"eda_functional", "eda_physical"};
    if (hosts.leads()) {
      LedLoad led(hosts, names);
      Volume volume(model, &hosts, &led);
      NoCounters none;
      SteeredLoad steered(hosts, led, volume.runner(), none, clients);
      measured = work(steered);
    } else {
      FollowedLoad followed(hosts);
      Volume volume(model, &hosts, &followed);
      RunObserver quiet;
      NoCounters none;
      std::uint64_t stuck = 0;
      follow_load(hosts, followed, volume.runner(), none, names.size(), clients, quiet, stuck);
      EXPECT_EQ(stuck, 0u);
    }
  });
  EXPECT_EQ(ends[0].status, 0) << ends[0].errors.size();
  for (const auto& end : ends)
    for (const std::string& error : end.errors) ADD_FAILURE() << error;
  return measured;
}

/// Begins and ends of windows, in their order, as far as the load point's observer is told of them.
struct Windows final : RunObserver {
  void window_began() override { told += "("; }
  void window_ended() override { told += ")"; }
  std::string told;
};

class SteeredLoadOnManyRanks : public ::testing::TestWithParam<int> {};

TEST_P(SteeredLoadOnManyRanks, GivesTheSameStatisticsBitForBitAsOneProcess) {
  RunObserver quiet;
  const Work work = [&](LoadRunner& runner) {
    LoadPoint load = load_at(20e3, 500ms, 2s, 250ms);
    std::vector<RunStats> all{runner.run(load, quiet)};
    load.settle = true;  // what comes next is decided from what all have seen
    all.push_back(runner.run(load, quiet));
    load.settle = false;
    load.ops_per_sec.reset();  // a closed loop
    all.push_back(runner.run(load, quiet));
    return all;
  };
  const auto one = by_one("regular", work), many = by_many(GetParam(), "regular", work);
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_GT(one[i].ops.operations(), 1000u);
    EXPECT_EQ(one[i].ops.operations(), many[i].ops.operations()) << i;
    EXPECT_TRUE(bits(one[i]) == bits(many[i])) << i;
    ASSERT_EQ(many[i].hosts.size(), static_cast<std::size_t>(GetParam()));
    std::uint64_t sum = 0;
    for (const HostStats& host : many[i].hosts) sum += host.operations;
    EXPECT_EQ(sum, one[i].ops.operations());
  }
}

TEST_P(SteeredLoadOnManyRanks, IsSteeredThroughManyRatesAsOneProcessIs) {
  RunObserver quiet;
  const Work work = [&](LoadRunner& runner) {
    std::vector<RunStats> all;
    for (const double rate : {5e3, 30e3, 60e3, 10e3}) {  // overloaded on the way
      LoadPoint load = load_at(rate, 50ms, 500ms, 100ms);
      load.stays_up = true;
      load.job_sets = rate > 20e3 ? std::nullopt : std::optional<std::size_t>(5);
      all.push_back(runner.run(load, quiet));
    }
    EXPECT_EQ(runner.end_load(), 0u);
    return all;
  };
  const auto one = by_one("regular", work), many = by_many(GetParam(), "regular", work);
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(bits(one[i]) == bits(many[i])) << i;
}

TEST_P(SteeredLoadOnManyRanks, WarmsUpUntilAllTogetherHaveSettledAsOneProcessDoes) {
  RunObserver quiet;
  const Work work = [&](LoadRunner& runner) {
    std::vector<RunStats> all;
    for (const double rate :
         {4e3, 8e3, 12e3, 16e3, 80e3}) {  // at the first each rank has its own noise, then it trends
      LoadPoint load = load_at(rate, 400ms, 400ms, 50ms);
      load.settle = true;
      all.push_back(runner.run(load, quiet));
    }
    return all;
  };
  const auto one = by_one("regular", work), many = by_many(GetParam(), "regular", work);
  ASSERT_EQ(one.size(), many.size());
  EXPECT_GT(one.back().warmup, 400ms) << "it trends";
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].warmup, many[i].warmup) << i;
    EXPECT_TRUE(bits(one[i]) == bits(many[i])) << i;
  }
}

TEST_P(SteeredLoadOnManyRanks, TellsWhenAWindowBeginsAndEndsAsOneProcessDoes) {
  for (const Nanos warmup : {0ms, 200ms}) {
    Windows of_one, of_many;
    const auto work = [&](Windows& windows) {
      return [&windows, warmup](LoadRunner& runner) {
        const LoadPoint load = load_at(10e3, warmup, 500ms, 100ms);
        return std::vector<RunStats>{runner.run(load, windows), runner.run(load, windows)};
      };
    };
    by_one("regular", work(of_one));
    by_many(GetParam(), "regular", work(of_many));
    EXPECT_EQ(of_one.told, "()()");
    EXPECT_EQ(of_many.told, of_one.told);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, SteeredLoadOnManyRanks, ::testing::Values(2, 4, 16));

TEST(SteeredLoad, ARankThatIsLostEndsTheLoadWithWhatWasMeasured) {
  FakeNetwork network(3);
  RunStats measured;
  const auto ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        const std::vector<std::string> names = {"eda_functional", "eda_physical"};
        if (hosts.leads()) {
          LedLoad led(hosts, names);
          Volume volume("regular", &hosts, &led);
          NoCounters none;
          SteeredLoad steered(hosts, led, volume.runner(), none, clients);
          /// Cuts one off in mid-window.
          struct Cut : RunObserver {
            FakeNetwork* network = nullptr;
            int seen = 0;
            void measured(const Interval&, const IntervalStats&) override {
              if (++seen == 3) network->cut(2);
            }
          } observer;
          observer.network = &network;
          LoadPoint load = load_at(10e3, 100ms, 1h, 100ms);
          measured = steered.run(load, observer);
          if (const auto failure = hosts.failure()) throw Error(*failure);
        } else {
          FollowedLoad followed(hosts);
          Volume volume("regular", &hosts, &followed);
          RunObserver quiet;
          NoCounters none;
          std::uint64_t stuck = 0;
          follow_load(hosts, followed, volume.runner(), none, names.size(), clients, quiet, stuck);
        }
      },
      1500ms);
  EXPECT_EQ(ends[0].status, 1);
  EXPECT_NE(ends[0].errors.at(0).find("host2 (rank 2)"), std::string::npos) << ends[0].errors.at(0);
  EXPECT_TRUE(measured.interrupted);
  EXPECT_GT(measured.ops.operations(), 100u);
  EXPECT_GE(measured.intervals.size(), 3u);
}

TEST(SteeredLoad, WhenALauncherEndsAllBecauseOneHasDiedThatOneIsNamed) {
  FakeNetwork network(3);
  std::stop_source launcher;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    const std::vector<std::string> names = {"eda_functional", "eda_physical"};
    std::stop_source here;
    const std::stop_callback on_signal(launcher.get_token(), [&] {
      if (hosts.rank() != 2) here.request_stop();
    });
    hosts.stop_when_told(here.get_token(), [here]() mutable { here.request_stop(); });
    NoCounters none;
    if (hosts.leads()) {
      LedLoad led(hosts, names);
      Volume volume("regular", &hosts, &led, here.get_token());
      SteeredLoad steered(hosts, led, volume.runner(), none, clients);
      /// One dies in mid-window; its launcher tells the others to end.
      struct Dies : RunObserver {
        FakeNetwork* network = nullptr;
        std::stop_source launcher;
        int seen = 0;
        void measured(const Interval&, const IntervalStats&) override {
          if (++seen != 3) return;
          network->cut(2);
          launcher.request_stop();
        }
      } observer;
      observer.network = &network;
      observer.launcher = launcher;
      steered.run(load_at(10e3, 100ms, 1h, 100ms), observer);
      ASSERT_TRUE(hosts.failure());
      throw Error(*hosts.failure());
    }
    FollowedLoad followed(hosts);
    Volume volume("regular", &hosts, &followed, here.get_token());
    RunObserver quiet;
    std::uint64_t stuck = 0;
    follow_load(hosts, followed, volume.runner(), none, names.size(), clients, quiet, stuck);
  });
  EXPECT_EQ(ends[0].errors.at(0).find("host2 (rank 2): has ended or hangs"), 0u) << ends[0].errors.at(0);
}

/// Notes what it is asked for, and comes back at once.
struct Asked final : LoadRunner {
  RunStats run(const LoadPoint& load, RunObserver&) override {
    loads.push_back(load);
    RunStats stats;
    stats.groups = {{.name = "eda_functional"}, {.name = "eda_physical"}};
    stats.stuck_ops = stuck_ops;
    return stats;
  }
  std::vector<LoadPoint> loads;
  std::uint64_t stuck_ops = 0;
};

TEST(SteeredLoad, NoRankDecidesForItselfWhetherItHasSettled) {
  FakeNetwork network(2);
  std::array<Asked, 2> asked;
  on_hosts(network, [&](Hosts& hosts) {
    NoCounters none;
    Asked& here = asked.at(static_cast<std::size_t>(hosts.rank()));
    LoadPoint load = load_at(10e3, 100ms, 1s, 100ms);
    load.settle = true;
    RunObserver quiet;
    if (hosts.leads()) {
      LedLoad led(hosts, {"eda_functional", "eda_physical"});
      SteeredLoad(hosts, led, here, none, clients).run(load, quiet);
    } else {
      FollowedLoad followed(hosts);
      std::uint64_t stuck = 0;
      follow_load(hosts, followed, here, none, 2, clients, quiet, stuck);
    }
  });
  for (const Asked& rank : asked) {
    ASSERT_EQ(rank.loads.size(), 1u);
    EXPECT_FALSE(rank.loads[0].settle);
  }
}

TEST(SteeredLoad, ARankThatIsLostBeforeTheStartEndsTheLoad) {
  FakeNetwork network(4);
  RunStats measured;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    const std::vector<std::string> names = {"eda_functional", "eda_physical"};
    NoCounters none;
    RunObserver quiet;
    if (hosts.rank() == 1) throw run_error("mount /m", "is gone");
    if (hosts.leads()) {
      LedLoad led(hosts, names);
      Volume volume("regular", &hosts, &led);
      SteeredLoad steered(hosts, led, volume.runner(), none, clients);
      while (!hosts.failure()) hosts.rest();  // the others say that they are ready, and nobody has waited for it
      measured = steered.run(load_at(10e3, 100ms, 1h, 100ms), quiet);
      throw Error(*hosts.failure());
    }
    FollowedLoad followed(hosts);
    Volume volume("regular", &hosts, &followed);
    std::uint64_t stuck = 0;
    follow_load(hosts, followed, volume.runner(), none, names.size(), clients, quiet, stuck);
  });
  EXPECT_TRUE(measured.interrupted);
  EXPECT_EQ(ends[0].errors.at(0), "host1 (rank 1): mount /m: is gone");
}

TEST(SteeredLoad, WhenTheLeaderCannotBeginTheOthersDoNotWaitForAStart) {
  FakeNetwork network(3);
  RunStats measured;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    const std::vector<std::string> names = {"eda_functional", "eda_physical"};
    NoCounters none;
    RunObserver quiet;
    if (hosts.leads()) {
      LedLoad led(hosts, names);
      Asked cannot;
      cannot.stuck_ops = 3;  // of an earlier load
      measured = SteeredLoad(hosts, led, cannot, none, clients).run(load_at(10e3, 100ms, 1h, 100ms), quiet);
      return;
    }
    FollowedLoad followed(hosts);
    Volume volume("regular", &hosts, &followed);
    std::uint64_t stuck = 0;
    follow_load(hosts, followed, volume.runner(), none, names.size(), clients, quiet, stuck);
  });
  for (const auto& end : ends) EXPECT_EQ(end.status, 0);
  EXPECT_EQ(measured.stuck_ops, 3u);
}

TEST(SteeredLoad, AnotherHostTellsItsOpsThatNeverReturnAndEndsWithItsLeader) {
  FakeNetwork network(2);
  std::uint64_t stuck = 0, told = 0;
  on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      const LoadPoint load = load_at(10e3, 100ms, 1s, 100ms);
      hosts.send_all(About::command, to_wire(HostCommand{.what = HostCommand::What::run, .load = load}));
      told = from_wire<LoadOutcome>(hosts.receive(1, About::outcome)).stuck_ops;
      return;  // it says nothing but that it has ended, as one that leaves threads of its own behind
    }
    NoCounters none;
    RunObserver quiet;
    Asked here;
    here.stuck_ops = 2;
    FollowedLoad followed(hosts);
    follow_load(hosts, followed, here, none, 2, clients, quiet, stuck);
  });
  EXPECT_EQ(told, 2u);
  EXPECT_EQ(stuck, 2u);
}

TEST(SteeredLoad, AHostIsToldByTheClientsAndJobSetsThatTheLoadPointHasAtWorkThere) {
  FakeNetwork network(2);
  std::vector<HostStats> of_clients, of_job_sets;
  on_hosts(network, [&](Hosts& hosts) {
    NoCounters none;
    RunObserver quiet;
    if (hosts.leads()) {
      LedLoad led(hosts, {"eda_functional", "eda_physical"});
      Volume volume("regular", &hosts, &led);
      SteeredLoad steered(hosts, led, volume.runner(), none, clients);
      LoadPoint load = load_at(1e3, 0ms, 200ms, 100ms);
      load.clients = 3;
      of_clients = steered.run(load, quiet).hosts;
      load.clients.reset();
      load.job_sets = clients + 1;
      of_job_sets = steered.run(load, quiet).hosts;
      return;
    }
    FollowedLoad followed(hosts);
    Volume volume("regular", &hosts, &followed);
    std::uint64_t stuck = 0;
    follow_load(hosts, followed, volume.runner(), none, 2, clients, quiet, stuck);
  });
  ASSERT_EQ(of_clients.size(), 2u);
  ASSERT_EQ(of_job_sets.size(), 2u);
  EXPECT_EQ(of_clients[0].clients, 2u);
  EXPECT_EQ(of_clients[1].clients, 1u);
  EXPECT_EQ(of_job_sets[0].clients, 4u);
  EXPECT_EQ(of_job_sets[0].portions, 5u);
  EXPECT_EQ(of_job_sets[1].portions, 4u);
}

TEST(SteeredLoad, IntervalsOfARankThatWasHeldUpArePutTogetherByTime) {
  FakeNetwork network(2);
  RunStats measured;
  on_hosts(network, [&](Hosts& hosts) {
    const IntervalStats nothing(1);
    const auto seen = [&](Nanos start, Nanos length) {
      return IntervalSeen{start, length, to_wire(nothing), start + length == 4s, false};
    };
    LoadOutcome outcome;
    outcome.last = nothing;
    if (!hosts.leads()) {
      hosts.send(0, About::ready, {});
      hosts.send(0, About::interval, to_wire(seen(0s, 3s)));  // it was held up in them
      hosts.send(0, About::interval, to_wire(seen(3s, 1s)));
      hosts.send(0, About::outcome, to_wire(outcome));
      hosts.receive(0, About::start);
      hosts.receive(0, About::decision);
      return;
    }
    LedLoad led(hosts, {"procs"});
    RunObserver quiet;
    led.begin(load_at(1e3, 0s, 4s, 1s), quiet);
    led.agree_start();
    for (const Nanos start : {0s, 1s, 2s, 3s}) {
      Interval interval;
      interval.start = start;
      interval.length = 1s;
      led.interval_ended(interval, nothing, start == 3s, false);
    }
    while (!led.decision()) hosts.rest();
    RunStats local;
    local.groups = {{.name = "procs"}};
    measured = led.finish(outcome, local);
  });
  std::vector<Nanos> lengths;
  for (const Interval& interval : measured.intervals) lengths.push_back(interval.length);
  EXPECT_EQ(lengths, (std::vector<Nanos>{3s, 1s}));
}

TEST(SteeredLoad, AnIntervalOfAllTellsWhatEachHostDidInIt) {
  FakeNetwork network(2);
  struct Kept final : RunObserver {
    void measured(const Interval&, const IntervalStats& stats) override { hosts.push_back(stats.hosts); }
    std::vector<std::vector<HostInterval>> hosts;
  } kept;
  std::vector<std::string> names;
  on_hosts(network, [&](Hosts& hosts) {
    const auto stats_of = [](int operations) {
      IntervalStats stats(1);
      for (int i = 0; i < operations; ++i) stats.ops.record(OpKind::stat, {3ms, 2ms, 1ms}, {0, 4096, 0});
      stats.ops.record_error(OpKind::stat, ESTALE);
      if (operations > 0) stats.generator_lag.record(500us);
      return stats;
    };
    const auto seen = [&](Nanos start, Nanos length, int operations) {
      return to_wire(IntervalSeen{start, length, to_wire(stats_of(operations)), start + length == 2s, false});
    };
    LoadOutcome outcome;
    if (!hosts.leads()) {
      hosts.send(0, About::ready, {});
      hosts.send(0, About::interval, seen(0s, 400ms, 3));
      hosts.send(0, About::interval, seen(400ms, 600ms, 5));
      hosts.send(0, About::interval, seen(1s, 1s, 7));
      outcome.last = stats_of(9);
      hosts.send(0, About::outcome, to_wire(outcome));
      hosts.receive(0, About::start);
      hosts.receive(0, About::decision);
      return;
    }
    for (int rank = 0; rank < 2; ++rank) names.push_back(hosts.name(rank));
    LedLoad led(hosts, {"procs"});
    led.begin(load_at(1e3, 0s, 2s, 1s), kept);
    led.agree_start();
    for (const Nanos start : {0s, 1s}) {
      Interval interval;
      interval.start = start;
      interval.length = 1s;
      led.interval_ended(interval, stats_of(0), start == 1s, false);
    }
    while (!led.decision()) hosts.rest();
    outcome.last = stats_of(0);
    RunStats local;
    local.groups = {{.name = "procs"}};
    led.finish(outcome, local);
  });
  ASSERT_EQ(kept.hosts.size(), 2u);
  for (const std::vector<HostInterval>& hosts : kept.hosts) {
    ASSERT_EQ(hosts.size(), 2u);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(hosts[rank].name, names[rank]);
      EXPECT_EQ(hosts[rank].length, 1s);
    }
    EXPECT_EQ(hosts[0].counts.operations, 0u);
    EXPECT_FALSE(hosts[0].response_mean);
    EXPECT_FALSE(hosts[0].generator_lag_mean);
    EXPECT_EQ(hosts[1].response_mean, NanosF(3e6));
    EXPECT_EQ(hosts[1].generator_lag_mean, NanosF(5e5));
  }
  EXPECT_EQ(kept.hosts[0][1].counts.operations, 8u);
  EXPECT_EQ(kept.hosts[0][1].counts.errors, 2u);
  EXPECT_EQ(kept.hosts[0][1].counts.bytes, 8 * 4096);
  EXPECT_EQ(kept.hosts[1][1].counts.operations, 9u);  // with the ops that ended after the window
}

}  // namespace
}  // namespace edagen::testing
