#include "sim/sim_runner.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dataset/dataset_plan.hpp"
#include "fakes/station_setup.hpp"
#include "sim/in_turn.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::in_turn;
using testing::poisson;

/// A workload on a model, with procs as the program makes them.
class VolumeSetup {
 public:
  VolumeSetup(const std::string& workload, const VolumeModel& model, std::uint64_t clients, std::uint64_t procs)
      : VolumeSetup(load_workload(workload), model, clients, procs) {}
  VolumeSetup(WorkloadSpec workload, const VolumeModel& model, std::uint64_t clients, std::uint64_t procs)
      : workload_(std::move(workload)) {
    for (const ProcSpec& kind : workload_.proc_kinds) mixes_.push_back(std::make_unique<OpMix>(kind.weights));
    DatasetScale scale;
    scale.factor = 1;
    const DatasetPlan plan = plan_dataset(workload_, clients, procs, {0}, 1, scale);
    std::vector<SimProc> sims;
    std::vector<std::string> names;
    for (const ProcSpec& kind : workload_.proc_kinds) names.push_back(kind.name);
    for (const PlannedProc& proc : plan.procs) {
      const ProcSpec& kind = workload_.proc_kinds[proc.kind];
      sims.push_back({{.ops = OpStream(kind, *mixes_[proc.kind], proc.files, proc.seed),
                       .group = proc.kind,
                       .ops_per_sec = kind.ops_per_sec,
                       .job_set = proc.proc_of_client,
                       .client = proc.client,
                       .depth = kind.io.depth,
                       .paced = !kind.closed_loop,
                       .queueable = kind.queueable()},
                      proc.kind == 0 && workload_.proc_kinds.size() > 1});  // functional files fit into the cache
    }
    runner_ = make_sim_runner(model, std::move(sims), names, 1, {});
  }
  RunStats run(std::optional<double> rate, Nanos duration, std::optional<std::size_t> job_sets = {},
               std::optional<unsigned> io_depth = {}, Arrivals arrivals = Arrivals::uniform) {
    LoadPoint load;
    if (rate) load.rate = OpenLoop{*rate, arrivals};
    load.io_depth = io_depth;
    load.warmup = std::min<Nanos>(duration, 5s);  // all settle within a second
    load.duration = duration;
    load.interval = duration / 20;
    load.job_sets = job_sets;
    return runner_->run(load, ignore_events);
  }
  LoadRunner& runner() { return *runner_; }

 private:
  WorkloadSpec workload_;
  std::vector<std::unique_ptr<OpMix>> mixes_;
  std::unique_ptr<LoadRunner> runner_;
};

/// Reads of whole files, each of another one, by so many procs that hardly any waits for itself.
WorkloadSpec reads_of_small_files() {
  WorkloadSpec workload = load_workload("eda_functional");
  ProcSpec& kind = workload.proc_kinds[0];
  kind.weights.fill(0);
  kind.weights[static_cast<std::size_t>(OpKind::read_file)] = 1;
  kind.skewed_percent = 0;
  return workload;
}

/// So many parts with exponential service of 1 ms, and nothing else that takes time.
VolumeModel bare_parts(std::uint64_t parts) {
  VolumeModel model;
  model.parts = parts;
  model.client.slots_per_connection = 1'000'000;
  model.part.per_request.fill(1e6);
  return model;
}

TEST(VolumeSim, PartsAreQueuesAsInTheory) {
  for (const double load : {0.5, 0.8}) {
    const RunStats stats = VolumeSetup(reads_of_small_files(), bare_parts(16), 1, 4000)
                               .run(16'000 * load, 100s, {}, {}, Arrivals::poisson);
    EXPECT_NEAR(stats.ops.service().mean() / 1e6, 1 / (1 - load), 0.03 / (1 - load)) << load;
  }
}

TEST(VolumeSim, ALoadWhoseRateChangesHasTheMeansOfTheoryAtEach) {
  VolumeSetup setup(reads_of_small_files(), bare_parts(16), 1, 4000);
  const auto [low, high] = in_turn(setup.runner(), {16'000 * 0.5, 16'000 * 0.8}, 5s, 20);
  EXPECT_NEAR(low, 1 / (1 - 0.5), 0.06);
  EXPECT_NEAR(high, 1 / (1 - 0.8), 0.3);
}

TEST(VolumeSim, ALoadThatStaysUpKeepsItsProcsAtDepthToo) {
  VolumeSetup setup("fio/8k-randread", load_volume("large"), 1, 4);
  for (const double rate : {20'000.0, 40'000.0, 10'000.0}) {
    LoadPoint load = poisson(rate, 1s);
    load.io_depth = 64;
    load.stays_up = true;
    const RunStats stats = setup.runner().run(load, ignore_events);
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), rate, 5 * std::sqrt(rate));
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due);
    EXPECT_LT(stats.ops.lag().mean(), 1e4) << "nobody waits for a slot";
  }
}

TEST(VolumeSim, JobSetsComeAndGoWhileTheLoadStaysUp) {
  VolumeSetup setup("eda_functional", load_volume("regular"), 2, 10);
  for (const std::size_t sets : {2u, 4u, 1u, 3u}) {
    LoadPoint load = poisson(500.0 * static_cast<double>(sets), 10s);
    load.job_sets = sets;
    load.stays_up = true;
    const RunStats stats = setup.runner().run(load, ignore_events);
    EXPECT_EQ(stats.groups[0].procs, 2 * sets);
    const double expected = 10 * load.open_loop()->ops_per_sec;
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), expected, 5 * std::sqrt(expected));
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due);
    EXPECT_GT(stats.groups[0].least_proc_share, 0.95);
  }
}

TEST(VolumeSim, LimitsThatAreNeverReachedChangeNothing) {
  const VolumeModel without = bare_parts(16);
  VolumeModel with = without;
  const double far = 1e9 * MiB / 1e9;
  with.read_bytes_per_ns = with.write_bytes_per_ns = with.total_bytes_per_ns = far;
  with.client.egress_bytes_per_ns = with.client.ingress_bytes_per_ns = far;
  for (const double load : {0.5, 0.9}) {
    const auto run = [&](const VolumeModel& model) {
      return VolumeSetup(reads_of_small_files(), model, 2, 2000).run(16'000 * load, 10s, {}, {}, Arrivals::poisson);
    };
    const RunStats free = run(without), limited = run(with);
    EXPECT_NEAR(limited.ops_per_sec(), free.ops_per_sec(), 1e-3 * free.ops_per_sec()) << load;
    EXPECT_NEAR(limited.ops.response().mean(), free.ops.response().mean(), 0.02 * free.ops.response().mean()) << load;
  }
}

TEST(VolumeSim, ALimitIsReachedExactly) {
  VolumeModel model = bare_parts(64);
  model.read_bytes_per_ns = 100.0 * MiB / 1e9;
  const RunStats stats = VolumeSetup(reads_of_small_files(), model, 1, 1000).run(std::nullopt, 20s);
  EXPECT_NEAR(stats.ops_per_sec() * 16 * KiB / MiB, 100, 0.5);
}

TEST(VolumeSim, APartThatFlushesServesNothingMeanwhile) {
  WorkloadSpec workload = reads_of_small_files();
  ProcSpec& kind = workload.proc_kinds[0];
  kind.weights.fill(0);
  kind.weights[static_cast<std::size_t>(OpKind::chmod)] = 1;
  VolumeModel model = bare_parts(1);
  model.part.per_request.fill(100);  // 0.1 us
  model.flush_every = 1;
  model.flush = NanosF(1e6);
  // Each modification waits for the flushes before it: the waiting time of M/D/1.
  const RunStats each = VolumeSetup(workload, model, 1, 4000).run(500, 1000s, {}, {}, Arrivals::poisson);
  EXPECT_NEAR(each.ops.service().mean() / 1e6, 0.5, 0.02);
  // A hundred at a time: as much work, in longer stops. Half of the time there is one, with half of it to come, on
  // average.
  model.flush_every = 100;
  model.flush = NanosF(100e6);
  const RunStats hundred = VolumeSetup(workload, model, 1, 4000).run(500, 1000s, {}, {}, Arrivals::poisson);
  EXPECT_NEAR(hundred.ops.service().mean() / 1e6, 0.5 * 50, 1);
  EXPECT_NEAR(hundred.ops_per_sec(), 500, 2);
}

TEST(VolumeSim, ThePublishedEdaFiguresOfTheRegularVolumeComeOutOfOneSetOfParameters) {
  VolumeSetup setup("eda_mixed", load_volume("regular"), 10, 500);
  const auto mean_ms = [&](double rate) { return setup.run(rate, 5s).ops.response().mean() / 1e6; };
  EXPECT_LT(mean_ms(0.95 * 39'601), 2);
  EXPECT_GT(mean_ms(1.05 * 39'601), 2);
  EXPECT_LT(mean_ms(0.92 * 49'502), 3);
  EXPECT_GT(mean_ms(1.08 * 49'502), 3);
  const RunStats below = setup.run(51'000, 5s);  // at 3 ms it moves more than this
  EXPECT_LT(below.ops.response().mean() / 1e6, 3);
  EXPECT_GT(below.mib_per_sec(), 0.92 * 866);
}

TEST(VolumeSim, ThePublishedEdaFigureOfTheLargeVolumeComesOut) {
  VolumeSetup setup("eda_mixed", load_volume("large"), 10, 1000);
  const auto mean_ms = [&](double rate) { return setup.run(rate, 1s).ops.response().mean() / 1e6; };
  EXPECT_LT(mean_ms(0.95 * 652'260), 2);
  EXPECT_GT(mean_ms(1.05 * 652'260), 2);
}

TEST(VolumeSim, ThePublishedFioFiguresComeOutWithinTenPercent) {
  // Sources and the rest of the figures: docs/simulated-volumes.md.
  const auto rate = [](const char* volume, const char* work, std::uint64_t clients) {
    return VolumeSetup(work, load_volume(volume), clients, 4).run(std::nullopt, 30ms).ops_per_sec();
  };
  EXPECT_NEAR(rate("regular", "fio/4k-randread", 6) / 388'000, 1, 0.1);
  EXPECT_NEAR(rate("regular", "fio/8k-randwrite", 6) / 111'000, 1, 0.1);
  EXPECT_NEAR(rate("regular?nconnect=1", "fio/64k-read", 1) / (3500 / 2.3 * 16), 1, 0.1);
  EXPECT_NEAR(rate("large", "fio/8k-randread", 12) / 709'000, 1, 0.1);
}

TEST(VolumeSim, ResponseIsBoundedBelowByTheRoundTripAndAProcWaitsForItself) {
  VolumeModel model = load_volume("regular");
  model.client.attribute_hit_percent = 0;
  const RunStats light = VolumeSetup("eda_physical", model, 1, 5).run(50, 2s);
  EXPECT_GT(light.ops.of(OpKind::open).response().percentile(1), 150us);
  // Five serial procs with ops of about 0.5 ms cannot do 50,000 per second.
  const RunStats heavy = VolumeSetup("eda_physical", model, 1, 5).run(50'000, 2s);
  EXPECT_LT(heavy.ops_per_sec(), 20'000);
  // What was due in the window is still waiting when the wait for it is over: its age counts.
  EXPECT_EQ(heavy.ops.response().count(), heavy.groups[0].due);
  EXPECT_GT(heavy.ops.outstanding(), heavy.groups[0].due / 2);
  EXPECT_GT(heavy.ops.response().mean(), 1000 * light.ops.response().mean());
}

TEST(VolumeSim, SlotsLimitTheOpsInFlightOfAConnection) {
  VolumeModel model = load_volume("large");
  model.client.connections = 1;
  model.client.slots_per_connection = 4;
  // Little: 4 ops at once at about 0.6 ms each.
  const RunStats limited = VolumeSetup("fio/8k-randread", model, 1, 4).run(std::nullopt, 500ms);
  EXPECT_NEAR(limited.ops_per_sec(), 4 / 0.00058, 1000);
  model.client.slots_per_connection = 128;
  EXPECT_GT(VolumeSetup("fio/8k-randread", model, 1, 4).run(std::nullopt, 500ms).ops_per_sec(), 50'000);
}

TEST(VolumeSim, RateGrowsWithTheDepthUntilTheVolumeIsTheLimit) {
  VolumeSetup setup("fio/8k-randread", load_volume("large"), 1, 1);
  const RunStats one = setup.run(std::nullopt, 500ms, {}, 1), four = setup.run(std::nullopt, 500ms, {}, 4);
  EXPECT_NEAR(four.ops_per_sec() / one.ops_per_sec(), 4, 0.2);
  // Little's law holds for what is in flight.
  EXPECT_NEAR(four.ops_per_sec() * four.ops.service().mean() / 1e9, 4, 0.1);
  const RunStats deep = setup.run(std::nullopt, 500ms, {}, 1024);
  EXPECT_LT(deep.ops_per_sec(), 700'000);
  EXPECT_NEAR(deep.ops_per_sec() * deep.ops.service().mean() / 1e9, 1024, 60);
}

TEST(VolumeSim, OpenLoopOpsAtDepthWaitOnlyWhenAllSlotsAreTaken) {
  VolumeSetup setup("fio/8k-randread", load_volume("large"), 1, 1);
  const RunStats roomy = setup.run(10'000, 1s, {}, 64), narrow = setup.run(10'000, 1s, {}, 1);
  EXPECT_NEAR(roomy.ops_per_sec(), 10'000, 100);
  EXPECT_LT(roomy.ops.lag().mean(), 1e3);
  EXPECT_LT(narrow.ops_per_sec(), 5'000);
}

TEST(VolumeSim, SessionsAtDepthKeepTheSharesOfTheMix) {
  VolumeSetup setup("eda_physical", load_volume("regular"), 1, 2);
  const RunStats stats = setup.run(std::nullopt, 2s, {}, 8);
  const ProcSpec spec = load_workload("eda_physical").proc_kinds[0];
  for (const OpKind kind : {OpKind::open, OpKind::close, OpKind::read_seq, OpKind::write_seq})
    EXPECT_NEAR(static_cast<double>(stats.ops.of(kind).operations) / static_cast<double>(stats.ops.operations()),
                spec.share(kind), 0.02);
}

TEST(VolumeSim, AClosedLoopKeepsEachKindOfProcsItsShareOfTheOps) {
  // By their rates 12 x 100 to 8 x 75 ops/s, that is 2 to 1; ops of the second kind take longer.
  const RunStats stats = VolumeSetup("eda_mixed", load_volume("regular"), 2, 10).run(std::nullopt, 500ms);
  ASSERT_GT(stats.groups[1].operations, 1000u);
  EXPECT_NEAR(static_cast<double>(stats.groups[0].operations) / static_cast<double>(stats.groups[1].operations), 2,
              0.2);
}

/// A kind without a rate and one of 100 ops/s, of blocks of 4 KiB.
WorkloadSpec paced_and_free(unsigned depth) {
  WorkloadSpec workload = load_workload("fio/4k-randread");
  workload.proc_kinds.push_back(load_workload("fio/4k-randwrite").proc_kinds[0]);
  for (ProcSpec& kind : workload.proc_kinds) kind.procs_per_job_set = 1, kind.io.depth = depth;
  workload.proc_kinds[0].closed_loop = true;
  workload.proc_kinds[1].closed_loop = false;
  workload.proc_kinds[1].ops_per_sec = 100;
  return workload;
}

TEST(VolumeSim, BesideAKindWithoutARateKindsWithOneKeepTheirPace) {
  for (const unsigned depth : {1u, 8u}) {
    const RunStats stats = VolumeSetup(paced_and_free(depth), load_volume("regular"), 1, 4).run(std::nullopt, 10s);
    const auto procs = static_cast<double>(stats.groups[1].procs);
    EXPECT_NEAR(static_cast<double>(stats.groups[1].operations) / 10, 100 * procs, 2 * procs) << depth;
    EXPECT_GT(stats.groups[0].operations, 3 * stats.groups[1].operations) << depth;
    EXPECT_EQ(stats.groups[1].requested_ops_per_sec, 100 * procs);
    EXPECT_FALSE(stats.groups[0].requested_ops_per_sec);
  }
}

TEST(VolumeSim, OnlyTheJobSetsOfALoadPointTakePart) {
  VolumeSetup setup("eda_functional", load_volume("regular"), 2, 5);
  const RunStats all = setup.run(std::nullopt, 50ms), two = setup.run(std::nullopt, 50ms, 2);
  EXPECT_EQ(all.groups[0].procs, 10u);
  EXPECT_EQ(two.groups[0].procs, 4u);  // procs 0 and 1 of both clients
}

TEST(VolumeSim, TheSameSeedGivesTheSameFigures) {
  const auto once = [] {
    return VolumeSetup("eda_mixed", load_volume("regular"), 2, 10).run(5000, 1s).ops.response().mean();
  };
  EXPECT_EQ(once(), once());
}

}  // namespace
}  // namespace edagen
