#include "edagen/engine/engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <thread>

#include "edagen/workload/workload_file.hpp"
#include "fakes/fake_target.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FakeTarget;

/// Procs of eda_functional on a fake target.
struct Load {
  explicit Load(std::size_t count, std::uint64_t seed = 1) {
    mixes.emplace_back(workload.proc_kinds[0].weights);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t its_seed = proc_seed(seed, i);
      const ProcSpec& kind = workload.proc_kinds[0];
      procs.push_back({OpStream(kind, mixes[0], FilePopulation(kind, kind.dataset, its_seed), its_seed), 0, 100});
    }
  }
  Engine engine(Target& target, EngineOptions options = {}) {
    return Engine(std::move(procs), {"functional"}, target, options, stop.get_token());
  }
  WorkloadSpec workload = load_workload("eda_functional");
  std::vector<OpMix> mixes;
  std::vector<EngineProc> procs;
  std::stop_source stop;
};

LoadPoint load(std::optional<double> rate, Nanos warmup = 0ms, Nanos duration = 500ms) {
  LoadPoint point;
  point.ops_per_sec = rate;
  point.warmup = warmup;
  point.duration = duration;
  point.interval = 100ms;
  return point;
}

struct Watcher final : RunObserver {
  void warming_up(const Interval&) override { ++warm; }
  void measured(const Interval&) override { ++cold; }
  void op_failed(const std::string& what, OpKind, int error) override { failures.push_back({what, error}); }
  void op_stuck(const std::string& what, OpKind, Nanos) override { stuck.push_back(what); }
  int warm = 0, cold = 0;
  std::vector<std::pair<std::string, int>> failures;
  std::vector<std::string> stuck;
};

TEST(Engine, OpsOfAProcAreTheSameWithOneWorkerAndWithSixteen) {
  std::map<std::uint32_t, std::vector<Op>> before;
  for (const std::size_t workers : {1u, 16u}) {
    Load its(20);
    FakeTarget target([](auto, const auto&) {
      std::this_thread::sleep_for(100us);
      return OpResult{};
    });
    Watcher watcher;
    EngineOptions options;
    options.max_workers = workers;
    its.engine(target, options).run(load(std::nullopt, 0ms, 300ms), watcher);
    const auto ops = target.ops();
    EXPECT_EQ(ops.size(), 20u);
    if (workers == 1) {
      before = ops;
      continue;
    }
    for (const auto& [proc, sequence] : ops) {
      const std::size_t both = std::min(sequence.size(), before[proc].size());
      ASSERT_GT(both, 5u);
      EXPECT_TRUE(std::equal(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(both),
                             before[proc].begin()));
    }
  }
}

TEST(Engine, OpsOfAProcNeverOverlap) {
  Load its(10);
  std::array<std::atomic<int>, 10> inside{};
  std::atomic<bool> overlapped{false};
  FakeTarget target([&](std::uint32_t proc, const auto&) {
    if (inside[proc]++ != 0) overlapped = true;
    std::this_thread::sleep_for(200us);
    --inside[proc];
    return OpResult{};
  });
  Watcher watcher;
  its.engine(target).run(load(1e6), watcher);
  EXPECT_FALSE(overlapped);
}

/// Procs of fio/8k-randrw with several ops under way.
struct DeepLoad : Load {
  explicit DeepLoad(std::size_t count, unsigned depth, const std::string& name = "fio/8k-randrw") : Load(0) {
    workload = load_workload(name);
    mixes = {OpMix(workload.proc_kinds[0].weights)};
    const ProcSpec& kind = workload.proc_kinds[0];
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t its_seed = proc_seed(1, i);
      procs.push_back({.ops = OpStream(kind, mixes[0], FilePopulation(kind, kind.dataset, its_seed), its_seed),
                       .group = 0, .ops_per_sec = 100, .depth = depth, .queueable = true});
    }
  }
};

/// Completes ops a fixed time after they began, and notes how many of a proc are under way.
class TimedQueueTarget final : public Target {
 public:
  explicit TimedQueueTarget(Nanos service) : service_(service) {}
  std::unique_ptr<TargetWorker> make_worker() override { throw std::logic_error("no proc is serial"); }
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override {
    std::this_thread::sleep_for(set_up);
    std::lock_guard lock(mutex_);
    for (const QueuedProc& proc : procs) depth_[proc.proc] = proc.depth;
    return std::make_unique<Queue>(*this);
  }
  std::string describe(std::uint32_t, const Op&) const override { return "x"; }
  std::vector<int> sync() override { return {}; }
  void drop_caches() override {}

  std::map<std::uint32_t, std::size_t> most, depth_;
  Nanos set_up{0};  ///< of a queue

 private:
  struct Queue final : TargetQueue {
    explicit Queue(TimedQueueTarget& its_target) : target(its_target) {}
    void begin(std::uint32_t slot, std::uint32_t proc, const Op&) override {
      under_way.push_back({slot, proc, now() + target.service_});
      const auto same = std::count_if(under_way.begin(), under_way.end(), [&](const auto& op) { return op.proc == proc; });
      std::lock_guard lock(target.mutex_);
      target.most[proc] = std::max(target.most[proc], static_cast<std::size_t>(same));
    }
    std::size_t complete(std::span<Completion> done, Nanos timeout) override {
      if (timeout > Nanos(0))
        std::this_thread::sleep_until(under_way.empty() ? now() + timeout : std::min(now() + timeout, under_way.front().end));
      std::size_t count = 0;
      while (count < done.size() && !under_way.empty() && under_way.front().end <= now()) {
        done[count++] = {under_way.front().slot, OpResult{}};
        under_way.erase(under_way.begin());
      }
      return count;
    }
    struct Begun {
      std::uint32_t slot, proc;
      TimePoint end;
    };
    TimedQueueTarget& target;
    std::vector<Begun> under_way;
  };
  Nanos service_;
  std::mutex mutex_;
};

TEST(Engine, AProcAtDepthKeepsSoManyOpsUnderWayAndNeverMore) {
  DeepLoad its(3, 16);
  TimedQueueTarget target(20ms);
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt), watcher);
  EXPECT_EQ(target.most, (std::map<std::uint32_t, std::size_t>{{0, 16}, {1, 16}, {2, 16}}));
  // Little's law: 48 under way, 20 ms each; a loaded machine is slower.
  EXPECT_LT(stats.ops_per_sec(), 48 / 0.02 * 1.1);
  EXPECT_GT(stats.ops.service().mean(), 19e6);
}

TEST(Engine, TheLoadBeginsWhenItsQueuesAreThere) {
  DeepLoad its(1, 4);
  TimedQueueTarget target(1ms);
  target.set_up = 500ms;
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(100, 0ms, 300ms), watcher);
  EXPECT_GT(stats.ops.operations(), 20u);
  EXPECT_LT(stats.ops.lag().mean(), 100e6) << "no op was due before the queue was there";
}

TEST(Engine, AnotherDepthOfALoadPointHoldsForIt) {
  DeepLoad its(2, 16);
  TimedQueueTarget target(5ms);
  Watcher watcher;
  Engine engine = its.engine(target);
  LoadPoint point = load(std::nullopt, 0ms, 200ms);
  point.io_depth = 4;
  engine.run(point, watcher);
  EXPECT_EQ(target.most[0], 4u);
  EXPECT_EQ(target.depth_[1], 4u);
}

TEST(Engine, PacedOpsAtDepthStartOnTimeWhileThereIsRoom) {
  DeepLoad its(2, 64);
  TimedQueueTarget target(10ms);
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(1000, 100ms, 1000ms), watcher);  // 10 under way of 128
  EXPECT_NEAR(stats.ops_per_sec(), 1000, 50);
  EXPECT_LT(target.most[0], 64u);
  EXPECT_NEAR(stats.ops.response().mean(), stats.ops.service().mean() + stats.ops.lag().mean(), 1e4);
}

TEST(Engine, OpsOfAProcAtDepthBeginInTheOrderOfOneThatIsSerial) {
  std::map<std::uint32_t, std::vector<Op>> serial;
  for (const unsigned depth : {1u, 8u}) {
    DeepLoad its(2, depth, "eda_physical");
    FakeTarget target;
    Watcher watcher;
    its.engine(target).run(load(std::nullopt, 0ms, 100ms), watcher);
    auto ops = target.ops();
    if (depth == 1) {
      serial = ops;
      continue;
    }
    // Between opens and closes the fake ends ops in another order: compare what each session holds.
    for (auto& [proc, sequence] : ops) {
      const auto is_barrier = [](const Op& op) { return op.kind == OpKind::open || op.kind == OpKind::close; };
      const std::size_t both = std::min(sequence.size(), serial[proc].size()) - 100;
      ASSERT_GT(both, 100u);
      for (std::size_t i = 0; i < both; ++i) {
        if (is_barrier(serial[proc][i])) {
          ASSERT_EQ(sequence[i], serial[proc][i]) << i;
        }
      }
    }
  }
}

TEST(Engine, SerialProcsAndProcsAtDepthRunTogether) {
  DeepLoad its(2, 8);
  its.procs[0].depth = 1;
  FakeTarget target([](auto, const auto&) {
    std::this_thread::sleep_for(100us);
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt, 0ms, 300ms), watcher);
  const auto ops = target.ops();
  EXPECT_GT(ops.at(0).size(), 100u);
  EXPECT_GT(ops.at(1).size(), 100u);
  EXPECT_EQ(stats.groups[0].operations, stats.ops.operations());
}

TEST(Engine, FailuresAtDepthAreCountedAndReported) {
  DeepLoad its(1, 8);
  FakeTarget target([](auto, const auto&) { return OpResult{EIO, 0, 0}; });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt), watcher);
  EXPECT_TRUE(stats.too_many_errors);
  EXPECT_EQ(stats.ops.errors().at(EIO), stats.ops.operations());
  EXPECT_EQ(watcher.failures.size(), 10u);
}

TEST(Engine, FlushingIsTimedAndItsErrorsAreFound) {
  Load its(2);
  FakeTarget target;
  target.sync_failures = {ENOSPC};
  Watcher watcher;
  LoadPoint point = load(100);
  point.sync_after = point.drop_caches = true;
  const RunStats stats = its.engine(target).run(point, watcher);
  EXPECT_EQ(target.syncs, 2);  // before, so that what was there does not count, and after
  EXPECT_EQ(target.cache_drops, 1);
  EXPECT_GT(stats.sync_time, 0ns);
  EXPECT_EQ(stats.ops.errors().at(ENOSPC), 1u);
  ASSERT_FALSE(watcher.failures.empty());
  EXPECT_EQ(watcher.failures.back().second, ENOSPC);
}

TEST(Engine, OnlyTheClientsOfALoadPointTakePart) {
  Load its(6);
  for (std::size_t i = 0; i < 6; ++i) its.procs[i].client = i / 2;
  FakeTarget target;
  Watcher watcher;
  LoadPoint point = load(500);
  point.clients = 2;
  its.engine(target).run(point, watcher);
  EXPECT_EQ(target.ops().size(), 4u);
}

TEST(Engine, AWorkerThatCannotBeSetUpEndsTheRunWithItsReason) {
  DeepLoad its(1, 8);
  its.procs[0].depth = 1;  // the timed target has no workers for serial procs
  TimedQueueTarget target(1ms);
  Watcher watcher;
  EXPECT_THROW(its.engine(target).run(load(std::nullopt, 0ms, 60s), watcher), std::logic_error);
}

TEST(Engine, TheRequestedRateIsReachedAndSplitOverIntervals) {
  Load its(50);
  FakeTarget target;
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(2000, 200ms, 1000ms), watcher);
  EXPECT_EQ(watcher.warm, 2);
  EXPECT_EQ(stats.intervals.size(), static_cast<std::size_t>(watcher.cold));
  std::uint64_t in_intervals = 0;
  for (const Interval& interval : stats.intervals) in_intervals += interval.operations;
  EXPECT_EQ(in_intervals, stats.ops.operations());
  EXPECT_NEAR(stats.ops_per_sec(), 2000, 60);
  EXPECT_EQ(stats.groups[0].procs, 50u);
  EXPECT_EQ(stats.groups[0].operations, stats.ops.operations());
}

TEST(Engine, ResponseIsServicePlusLagAndAStallShowsInTheOpsDueDuringIt) {
  // Everything stands still for 300 ms; ops that were due meanwhile have waited.
  Load its(20);
  std::atomic<bool> stalled{false};
  const TimePoint start = now();
  FakeTarget target([&](auto, const auto&) {
    const Nanos at = now() - start;
    if (at > 300ms && at < 600ms) {
      stalled = true;
      std::this_thread::sleep_until(start + 600ms);
    }
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(2000, 0ms, 1000ms), watcher);
  ASSERT_TRUE(stalled);
  const LatencyHistogram response = stats.ops.response();
  EXPECT_GT(response.percentile(85), 100ms);  // 30 % of the ops were due during the stall: half of those waited > 150 ms
  EXPECT_NEAR(response.mean(), stats.ops.service().mean() + stats.ops.lag().mean(), 1e3);
  EXPECT_GT(stats.ops.lag().percentile(85), 50ms);
}

TEST(Engine, WorkersGrowToTheNumberOfOpsThatAreBlockedAtOnce) {
  Load its(200);
  std::atomic<int> inside{0}, most{0};
  FakeTarget target([&](auto, const auto&) {
    const int there = ++inside;
    for (int known = most; there > known && !most.compare_exchange_weak(known, there);) {
    }
    std::this_thread::sleep_for(50ms);
    --inside;
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(2000, 500ms, 1000ms), watcher);  // 2,000/s x 50 ms = 100 at once
  EXPECT_GE(most, 80);
  EXPECT_GT(stats.ops_per_sec(), 1600);
}

TEST(Engine, TheCapOnWorkersIsKept) {
  Load its(50);
  std::atomic<int> inside{0}, most{0};
  FakeTarget target([&](auto, const auto&) {
    most = std::max<int>(most, ++inside);
    std::this_thread::sleep_for(5ms);
    --inside;
    return OpResult{};
  });
  Watcher watcher;
  EngineOptions options;
  options.max_workers = 7;
  const RunStats stats = its.engine(target, options).run(load(5000, 0ms, 400ms), watcher);
  EXPECT_LE(most, 7);
  EXPECT_GT(stats.generator_lag_mean_ns, 10e6);  // ops wait for workers: the generator's own doing
}

TEST(Engine, AStopRequestEndsTheRunAndKeepsWhatWasMeasured) {
  Load its(10);
  FakeTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  std::jthread later([&] {
    std::this_thread::sleep_for(300ms);
    its.stop.request_stop();
  });
  const TimePoint start = now();
  const RunStats stats = engine.run(load(1000, 0ms, 100s), watcher);
  EXPECT_LT(now() - start, 20s);
  EXPECT_TRUE(stats.interrupted);
  EXPECT_GT(stats.ops.operations(), 50u);
}

TEST(Engine, ErrorsAreCountedByKindAndErrnoAndTheFirstAreReported) {
  Load its(10);
  FakeTarget target([](auto, const Op& op) { return OpResult{op.kind == OpKind::chmod ? EACCES : 0, 0, 0}; });
  Watcher watcher;
  EngineOptions options;
  options.max_errors = 1'000'000;
  const RunStats stats = its.engine(target, options).run(load(20'000), watcher);
  EXPECT_GT(stats.ops.of(OpKind::chmod).operations, 0u);
  EXPECT_EQ(stats.ops.of(OpKind::chmod).errors.at(EACCES), stats.ops.of(OpKind::chmod).operations);
  EXPECT_EQ(stats.ops.of(OpKind::stat).error_count(), 0u);
  EXPECT_FALSE(stats.too_many_errors);
  ASSERT_FALSE(watcher.failures.empty());
  EXPECT_LE(watcher.failures.size(), 10u);
  EXPECT_EQ(watcher.failures[0].second, EACCES);
}

TEST(Engine, TooManyErrorsEndTheRun) {
  Load its(10);
  FakeTarget target([](auto, const auto&) { return OpResult{EIO, 0, 0}; });
  Watcher watcher;
  const TimePoint start = now();
  const RunStats stats = its.engine(target).run(load(1000, 0ms, 100s), watcher);
  EXPECT_LT(now() - start, 20s);
  EXPECT_TRUE(stats.too_many_errors);
}

TEST(Engine, AStuckOpIsReportedWhileTheOthersGoOn) {
  Load its(10);
  std::atomic<bool> release{false}, caught{false};
  FakeTarget target([&](std::uint32_t proc, const auto&) {
    if (proc == 3 && !caught.exchange(true))
      while (!release) std::this_thread::sleep_for(1ms);
    return OpResult{};
  });
  struct Releaser final : RunObserver {
    explicit Releaser(std::atomic<bool>& its_release) : release(its_release) {}
    void op_stuck(const std::string& what, OpKind, Nanos age) override {
      EXPECT_GE(age, 200ms);
      reported.push_back(what);
    }
    void measured(const Interval&) override {
      if (++intervals == 8) release = true;
    }
    std::atomic<bool>& release;
    std::vector<std::string> reported;
    int intervals = 0;
  } watcher(release);
  EngineOptions options;
  options.stuck_after = 200ms;
  const RunStats stats = its.engine(target, options).run(load(1000, 0ms, 1000ms), watcher);
  ASSERT_EQ(watcher.reported.size(), 1u);
  EXPECT_EQ(watcher.reported[0].substr(0, 6), "proc 3");
  EXPECT_EQ(stats.stuck_ops, 0u);
  EXPECT_GT(stats.ops.operations(), 700u);
}

TEST(Engine, ProcsGoOnWhereTheLoadPointBeforeLeftThem) {
  Load its(4);
  FakeTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  engine.run(load(2000, 0ms, 200ms), watcher);
  engine.run(load(4000, 0ms, 200ms), watcher);
  Load fresh(4);
  for (auto& [proc, ops] : target.ops())
    for (const Op& op : ops) ASSERT_EQ(op, fresh.procs[proc].ops.next());
}

TEST(Engine, UnpacedOpsHaveNoLag) {
  Load its(4);
  FakeTarget target;
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt, 0ms, 200ms), watcher);
  EXPECT_EQ(stats.requested_ops_per_sec, 0);
  EXPECT_EQ(stats.ops.lag().count(), 0u);
  EXPECT_EQ(stats.ops.response().count(), stats.ops.operations());
}

}  // namespace
}  // namespace edagen
