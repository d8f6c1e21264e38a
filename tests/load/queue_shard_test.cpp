// Procs with several ops in flight, as the engine runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "fakes/engine_load.hpp"
#include "fakes/fake_target.hpp"
#include "load/engine.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

/// Procs of fio/8k-randrw with several ops in flight.
struct DeepLoad : Load {
  explicit DeepLoad(std::size_t count, unsigned depth, const std::string& name = "fio/8k-randrw") : Load(0) {
    workload = load_workload(name);
    mixes = {OpMix(workload.proc_kinds[0].weights)};
    const ProcSpec& kind = workload.proc_kinds[0];
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t its_seed = proc_seed(1, i);
      procs.push_back({.ops = OpStream(kind, mixes[0], FilePopulation(kind, kind.dataset, its_seed), its_seed),
                       .group = 0,
                       .ops_per_sec = 100,
                       .depth = depth,
                       .queueable = true});
    }
  }
};

/// Completes ops a fixed time after they began, and notes how many of a proc are in flight.
class TimedQueueTarget final : public Target {
 public:
  explicit TimedQueueTarget(Nanos service) : service_(service) {}
  std::unique_ptr<TargetWorker> make_worker() override { throw std::logic_error("no proc is serial"); }
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override {
    std::this_thread::sleep_for(set_up);
    std::lock_guard lock(mutex_);
    ++queues;
    for (const QueuedProc& proc : procs) depth_[proc.proc] = proc.depth;
    return std::make_unique<Queue>(*this);
  }
  std::string describe(std::uint32_t, const Op&) const override { return "x"; }
  std::vector<int> sync() override { return {}; }
  void drop_caches() override {}

  std::map<std::uint32_t, std::size_t> most, depth_;
  Nanos set_up{0};  ///< of a queue
  int queues = 0;   ///< that were made

 private:
  struct Queue final : TargetQueue {
    explicit Queue(TimedQueueTarget& its_target) : target(its_target) {}
    void begin(std::uint32_t slot, std::uint32_t proc, const Op&) override {
      in_flight.push_back({slot, proc, now() + target.service_});
      const auto same =
          std::count_if(in_flight.begin(), in_flight.end(), [&](const auto& op) { return op.proc == proc; });
      std::lock_guard lock(target.mutex_);
      target.most[proc] = std::max(target.most[proc], static_cast<std::size_t>(same));
    }
    std::size_t complete(std::span<Completion> done, Nanos timeout) override {
      if (timeout > Nanos(0))
        std::this_thread::sleep_until(in_flight.empty() ? now() + timeout
                                                        : std::min(now() + timeout, in_flight.front().end));
      std::size_t count = 0;
      while (count < done.size() && !in_flight.empty() && in_flight.front().end <= now()) {
        done[count++] = {in_flight.front().slot, OpResult{}};
        in_flight.erase(in_flight.begin());
      }
      return count;
    }
    struct InFlight {
      std::uint32_t slot, proc;
      TimePoint end;
    };
    TimedQueueTarget& target;
    std::vector<InFlight> in_flight;
  };
  Nanos service_;
  std::mutex mutex_;
};

TEST(QueueShard, AProcAtDepthKeepsSoManyOpsUnderWayAndNeverMore) {
  DeepLoad its(3, 16);
  TimedQueueTarget target(20ms);
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt), watcher);
  EXPECT_EQ(target.most, (std::map<std::uint32_t, std::size_t>{{0, 16}, {1, 16}, {2, 16}}));
  // Little's law: 48 in flight, 20 ms each; a loaded machine is slower.
  EXPECT_LT(stats.ops_per_sec(), 48 / 0.02 * 1.1);
  EXPECT_GT(stats.ops.service().mean(), 19e6);
}

TEST(QueueShard, OpsThatHaveEndedAreAskedForWhileManyBegin) {
  // Each begin takes longer than an end may go unseen, and there is always another op to begin.
  class SlowToBegin final : public Target {
   public:
    std::unique_ptr<TargetWorker> make_worker() override { throw std::logic_error("no proc is serial"); }
    std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>&) override {
      return std::make_unique<Queue>(*this);
    }
    std::string describe(std::uint32_t, const Op&) const override { return "x"; }
    std::vector<int> sync() override { return {}; }
    void drop_caches() override {}
    std::atomic<std::size_t> most_unasked{0};

   private:
    struct Queue final : TargetQueue {
      explicit Queue(SlowToBegin& its_target) : target(its_target) {}
      void begin(std::uint32_t slot, std::uint32_t, const Op&) override {
        std::this_thread::sleep_for(100us);
        in_flight.push_back(slot);
        target.most_unasked = std::max<std::size_t>(target.most_unasked, ++unasked);
      }
      std::size_t complete(std::span<Completion> done, Nanos timeout) override {
        if (timeout < Nanos(0)) return 0;
        if (in_flight.empty()) std::this_thread::sleep_for(timeout);
        unasked = 0;
        std::size_t count = 0;
        for (; count < done.size() && !in_flight.empty(); in_flight.pop_back())
          done[count++] = {in_flight.back(), OpResult{}};
        return count;
      }
      SlowToBegin& target;
      std::vector<std::uint32_t> in_flight;
      std::size_t unasked = 0;
    };
  } target;
  DeepLoad its(1, 128);
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt, 0ms, 300ms), watcher);
  EXPECT_GT(stats.ops.operations(), 0u);
  EXPECT_LE(target.most_unasked, 2u);
}

/// A target whose procs have queues of this type alone.
template <typename Queue>
class TargetOfQueues final : public Target {
 public:
  std::unique_ptr<TargetWorker> make_worker() override { throw std::logic_error("no proc is serial"); }
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>&) override { return std::make_unique<Queue>(); }
  std::string describe(std::uint32_t, const Op&) const override { return "x"; }
  std::vector<int> sync() override { return {}; }
  void drop_caches() override {}
};

/// Ends all ops that have begun after a sleep.
struct SleepingQueue : TargetQueue {
  void begin(std::uint32_t slot, std::uint32_t, const Op&) override { in_flight.push_back(slot); }
  std::size_t complete(std::span<Completion> done, Nanos timeout) override {
    if (timeout < Nanos(0)) return 0;
    std::this_thread::sleep_for(sleep(timeout));
    std::size_t count = 0;
    for (; count < done.size() && !in_flight.empty(); in_flight.pop_back())
      done[count++] = {in_flight.back(), OpResult{}};
    return count;
  }
  virtual Nanos sleep(Nanos timeout) const = 0;
  std::vector<std::uint32_t> in_flight;
};

TEST(QueueShard, AWorkerThatHangsAtTheEndOfTheWindowLeavesAnOpOutstanding) {
  // The thread that asks for the end of ops is held up in the kernel for longer than ops are waited for.
  struct Hangs final : SleepingQueue {
    Nanos sleep(Nanos timeout) const override { return in_flight.empty() ? timeout : Nanos(2500ms); }
  };
  TargetOfQueues<Hangs> target;
  DeepLoad its(1, 4);
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(10, 0ms, 300ms), watcher);
  EXPECT_EQ(stats.ops.outstanding(), 1u);
  EXPECT_EQ(stats.stuck_ops, 0u) << "it came back";
}

TEST(QueueShard, AnOpOfAClosedLoopThatHangsFromBeforeTheWindowToAfterItIsOutstanding) {
  struct HoldsThird final : SleepingQueue {
    void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) override {
      if (++begun != 3) SleepingQueue::begin(slot, proc, op);
    }
    Nanos sleep(Nanos) const override { return 1ms; }
    bool abandon() override { return true; }
    int begun = 0;
  };
  TargetOfQueues<HoldsThird> target;
  DeepLoad its(1, 4);
  EngineOptions options;
  options.stuck_after = 100ms;
  Watcher watcher;
  const RunStats stats = its.engine(target, options).run(load(std::nullopt, 50ms, 300ms), watcher);
  EXPECT_GT(stats.ops.operations(), 10u);
  EXPECT_EQ(stats.ops.outstanding(), 1u);
}

TEST(QueueShard, TheLoadBeginsWhenItsQueuesAreThere) {
  DeepLoad its(1, 4);
  TimedQueueTarget target(1ms);
  target.set_up = 700ms;
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(100, 0ms, 600ms), watcher);
  EXPECT_GT(stats.ops.operations(), 20u);
  EXPECT_LT(stats.ops.lag().mean(), 200e6 + 1e9 * to_seconds(stats.longest_pause))
      << "no op was due before the queue was there, and in a pause of this process they wait";
}

TEST(QueueShard, AnotherDepthOfALoadPointHoldsForIt) {
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

TEST(QueueShard, OpenLoopOpsAtDepthStartOnTimeWhileThereIsRoom) {
  DeepLoad its(2, 256);
  TimedQueueTarget target(10ms);
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(1000, 100ms, 1000ms), watcher);  // 10 in flight of 512
  EXPECT_NEAR(static_cast<double>(stats.groups[0].due), 1000, 5) << "2 procs, an op in each gap";
  EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due);
  EXPECT_NEAR(stats.ops_per_sec(), 1000, 350 + 1000 * to_seconds(stats.longest_pause))
      << "a pause at an end of the window moves ops out of it or into it";
  if (stats.longest_pause < 400ms) EXPECT_LT(target.most[0], 256u) << "there is room for the ops of half a second";
  EXPECT_NEAR(stats.ops.response().mean(), stats.ops.service().mean() + stats.ops.lag().mean(), 1e4);
}

TEST(QueueShard, ALoadAtDepthThatStaysUpKeepsItsQueuesWhileTheRateChanges) {
  DeepLoad its(3, 16);
  TimedQueueTarget target(2ms);
  Watcher watcher;
  Engine engine = its.engine(target);
  int queues = 0;
  for (const double rate : {1000.0, 3000.0, 500.0}) {
    LoadPoint point = load(rate, 100ms, 500ms);
    point.stays_up = true;
    const RunStats stats = engine.run(point, watcher);
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), rate / 2, 6) << "3 procs, an op in each gap";
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due);
    EXPECT_EQ(stats.ops.outstanding(), 0u);
    if (queues == 0) queues = target.queues;
    EXPECT_EQ(target.queues, queues);
  }
  EXPECT_EQ(engine.end_load(), 0u);
}

TEST(QueueShard, AfterAnOverloadAtDepthTheNextLoadBeginsAnew) {
  DeepLoad its(1, 2);
  TimedQueueTarget target(50ms);
  Watcher watcher;
  Engine engine = its.engine(target);
  LoadPoint point = load(1000, 0ms, 500ms);
  point.stays_up = true;
  EXPECT_GT(engine.run(point, watcher).ops.outstanding(), 300u) << "500 were due, of 40/s";
  const int queues = target.queues;
  point.rate = OpenLoop{10};
  const RunStats after = engine.run(point, watcher);
  EXPECT_EQ(after.ops.outstanding(), 0u);
  EXPECT_LT(after.ops.response().mean(), 2e9) << "what was left would take 10 s";
  EXPECT_GT(target.queues, queues);
}

TEST(QueueShard, OpsOfAProcAtDepthBeginInTheOrderOfOneThatIsSerial) {
  std::map<std::uint32_t, std::vector<Op>> serial;
  for (const unsigned depth : {1u, 8u}) {
    DeepLoad its(2, depth, "eda_physical");
    OpCountdown countdown(its.stop, 2, 1000);
    FakeTarget target([&](std::uint32_t proc, const auto&) {
      countdown.count(proc);
      return OpResult{};
    });
    Watcher watcher;
    its.engine(target).run(load(std::nullopt, 0ms, 60s), watcher);
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

TEST(QueueShard, SerialProcsAndProcsAtDepthRunTogether) {
  DeepLoad its(2, 8);
  its.procs[0].depth = 1;
  OpCountdown countdown(its.stop, 2, 200);
  FakeTarget target([&](std::uint32_t proc, const auto&) {
    std::this_thread::sleep_for(100us);
    countdown.count(proc);
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt, 0ms, 60s), watcher);
  const auto ops = target.ops();
  EXPECT_GT(ops.at(0).size(), 100u);
  EXPECT_GT(ops.at(1).size(), 100u);
  EXPECT_EQ(stats.groups[0].operations, stats.ops.operations());
}

TEST(QueueShard, AClosedLoopKeepsEachKindOfProcsItsShareOfTheOpsAtDepthToo) {
  // Left alone, the second would do eight times as many: 1,600 in place of 200, and fewer on a busy machine.
  DeepLoad its(2, 2);
  its.procs[1].depth = 16;
  its.procs[1].group = 1;
  TimedQueueTarget target(5ms);
  Watcher watcher;
  Engine engine(std::move(its.procs), {"shallow", "deep"}, target, {}, its.stop.get_token());
  const RunStats stats = engine.run(load(std::nullopt, 0ms, 1000ms), watcher);
  const auto shallow = static_cast<double>(stats.groups[0].operations);
  EXPECT_NEAR(static_cast<double>(stats.groups[1].operations), shallow, 100) << "but for a few that are ahead";
  EXPECT_GT(shallow, 0);
}

TEST(QueueShard, FailuresAtDepthAreCountedAndReported) {
  DeepLoad its(1, 8);
  FakeTarget target([](auto, const auto&) { return OpResult{EIO, 0, 0}; });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt), watcher);
  EXPECT_TRUE(stats.too_many_errors);
  // Those that were in flight when the window ended have failed, too.
  EXPECT_GE(stats.ops.errors().at(EIO), stats.ops.operations());
  EXPECT_LE(stats.ops.errors().at(EIO), stats.ops.operations() + 8);
  EXPECT_EQ(watcher.failures.size(), 10u);
}

}  // namespace
}  // namespace edagen::testing
