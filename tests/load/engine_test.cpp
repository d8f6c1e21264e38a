#include "load/engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "base/kernel_clock.hpp"
#include "fakes/engine_load.hpp"
#include "fakes/fake_target.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

TEST(Engine, OpsOfAProcAreTheSameWithOneWorkerAndWithSixteen) {
  std::map<std::uint32_t, std::vector<Op>> before;
  for (const std::size_t workers : {1u, 16u}) {
    Load its(20);
    OpCountdown countdown(its.stop, 20, 20);
    FakeTarget target([&](std::uint32_t proc, const auto&) {
      std::this_thread::sleep_for(100us);
      countdown.count(proc);
      return OpResult{};
    });
    Watcher watcher;
    EngineOptions options;
    options.max_workers = workers;
    its.engine(target, options).run(load(std::nullopt, 0ms, 60s), watcher);
    const auto ops = target.ops();
    EXPECT_EQ(ops.size(), 20u);
    if (workers == 1) {
      before = ops;
      continue;
    }
    for (const auto& [proc, sequence] : ops) {
      const std::size_t both = std::min(sequence.size(), before[proc].size());
      ASSERT_GT(both, 5u);
      EXPECT_TRUE(
          std::equal(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(both), before[proc].begin()));
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

TEST(Engine, AFlushThatDoesNotEndIsReportedAndGivenUp) {
  Load its(2);
  // The engine leaves its thread behind: what it uses lives as long as the process.
  static FakeTarget* const target = new FakeTarget;
  static std::atomic<bool> hangs{false}, release{false};
  target->during_sync = [] {
    if (target->syncs == 2) hangs = true, release.wait(false);
  };
  std::vector<std::string> stuck;  // a busy machine may hold up the thread of the first flush, too
  const EventSink watcher = on([&](const OpStuck& op) {
    if (hangs) stuck.push_back(op.what);
  });
  EngineOptions options;
  options.stuck_after = 100ms;
  LoadPoint point = load(100);
  point.sync_after = true;
  const RunStats stats = its.engine(*target, options).run(point, watcher);
  EXPECT_EQ(stuck, std::vector<std::string>{"all files"});
  EXPECT_EQ(stats.stuck_ops, 1u);
  EXPECT_GT(stats.ops.operations(), 10u) << "what was measured is there";
  release = true;
  release.notify_all();
}

TEST(Engine, CachesWhoseDroppingDoesNotEndAreReportedAndAStopEndsTheWait) {
  Load its(2);
  // The engine leaves its thread behind: what it uses lives as long as the process.
  static FakeTarget* const target = new FakeTarget;
  static std::atomic<bool> release{false};
  target->during_drop = [] { release.wait(false); };
  int stuck = 0;
  const EventSink stops = on([&](const OpStuck&) {
    ++stuck;
    its.stop.request_stop();
  });
  EngineOptions options;
  options.stuck_after = 100ms;
  LoadPoint point = load(100);
  point.drop_caches = true;
  const RunStats stats = its.engine(*target, options).run(point, stops);
  EXPECT_EQ(stuck, 1);
  EXPECT_EQ(stats.stuck_ops, 1u);
  EXPECT_TRUE(stats.interrupted);
  release = true;
  release.notify_all();
}

/// A window of a second, in which procs' ops take 100 us, but none ends in a pause that `begins` in it.
RunStats with_pause(Nanos begins, Nanos length) {
  Load its(10);
  const TimePoint start = now() + begins;
  FakeTarget target([=](auto, const auto&) {
    std::this_thread::sleep_for(100us);
    if (now() >= start && now() < start + length) std::this_thread::sleep_until(start + length);
    return OpResult{};
  });
  Watcher watcher;
  return its.engine(target).run(load(1000, 0ms, 1s), watcher);
}

TEST(Engine, APauseAtTheEndOfTheWindowShowsAsOneInTheMiddleDoes) {
  // A quarter of all ops wait for 125 ms on average.
  for (const Nanos begins : {350ms, 800ms}) {
    const RunStats stats = with_pause(begins, 250ms);
    const LatencyHistogram response = stats.ops.response();
    EXPECT_EQ(response.count(), 1000u) << "every op that was due in the window is timed";
    EXPECT_GT(response.mean(), 20e6);
    EXPECT_GT(response.percentile(99), 200ms);
    EXPECT_EQ(stats.ops.outstanding(), 0u);
    EXPECT_EQ(stats.groups[0].due, 1000u);
    EXPECT_EQ(stats.length, 1s);
  }
}

TEST(Engine, ALoadPointWithoutAWarmUpCountsNoOpThatWasDueInTheOneBefore) {
  Load its(10);
  FakeTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  for (int point = 0; point < 3; ++point)
    EXPECT_EQ(engine.run(load(1000, 0ms, 200ms), watcher).groups[0].due, 200u) << point;
}

TEST(Engine, OpsThatDoNotEndWithinASecondAfterTheWindowCountWithTheirAge) {
  // One proc in ten stops in its 51st op, half a second before the end, for 3 s: the wait ends when it is 1.5 s old.
  Load its(10);
  std::atomic<int> ops{0};
  FakeTarget target([&](std::uint32_t proc, const auto&) {
    if (proc == 0 && ++ops == 51) std::this_thread::sleep_for(3s);
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(1000, 0ms, 1s), watcher);
  EXPECT_NEAR(static_cast<double>(stats.ops.outstanding()), 50, 15);
  EXPECT_EQ(stats.ops.response().count(), 1000u);
  EXPECT_GE(stats.ops.response().max(), 1400ms);
  EXPECT_EQ(stats.groups[0].due, 1000u);
  EXPECT_EQ(stats.stuck_ops, 0u) << "they came back later";
}

TEST(Engine, OpsThatEndAfterTheWindowAreNotCountedInItsRate) {
  // The first op of each proc ends at once, and the second one when the window is over.
  Load its(4);
  std::array<std::atomic<int>, 4> ops{};
  std::atomic<bool> is_over{false};
  FakeTarget target([&](std::uint32_t proc, const auto&) {
    if (++ops[proc] > 1) is_over.wait(false);
    return OpResult{};
  });
  const EventSink ends = on([&](const WindowEnded&) { is_over = true, is_over.notify_all(); });
  const RunStats stats = its.engine(target).run(load(std::nullopt, 0ms, 950ms), ends);
  EXPECT_LE(stats.ops.operations(), 4u) << "fewer where a busy machine holds up first ones until the window is over";
  EXPECT_EQ(stats.ops.response().count(), stats.ops.operations() + 4) << "each proc has an op that ends afterwards";
  EXPECT_GT(stats.ops.response().mean(), 25e6) << "475 ms, unless the first ones are held up by a busy machine";
}

TEST(Engine, WhatIsCountedBesideTheOpsIsOfTheWindowAndNotOfTheWaitForItsLastOps) {
  // All ops of the last 100 ms end 500 ms after the window, and whoever counts uses a processor for 0.4 s then.
  Load its(10);
  std::atomic<std::uint64_t> ended{0};
  const TimePoint stalls = now() + 400ms;
  FakeTarget target([&](auto, const auto&) {
    if (now() >= stalls) std::this_thread::sleep_until(stalls + 600ms);
    ++ended;
    return OpResult{};
  });
  std::uint64_t at_end = 0;
  const EventSink counter = on([&](const WindowEnded&) {
    at_end = ended;
    for (const Nanos since = time_of(CLOCK_THREAD_CPUTIME_ID); time_of(CLOCK_THREAD_CPUTIME_ID) - since < 400ms;) {
    }
  });
  EngineOptions options;
  options.spin = false;
  const RunStats stats = its.engine(target, options).run(load(100, 0ms, 500ms), counter);
  EXPECT_GT(stats.drain, 0ms);
  EXPECT_LT(at_end, ended) << "the last ops ended later";
  EXPECT_LT(stats.cpu_cores_used, 0.5) << "0.4 s, of the wait, are none of the window's 0.5 s";
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
  struct WithoutWorkers final : FakeTarget {
    std::unique_ptr<TargetWorker> make_worker() override { throw std::logic_error("none"); }
  } target;
  Load its(1);
  Watcher watcher;
  EXPECT_THROW(its.engine(target).run(load(std::nullopt, 0ms, 60s), watcher), std::logic_error);
}

TEST(Engine, TheRequestedRateIsReachedAndSplitOverIntervals) {
  Load its(50);
  FakeTarget target;
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(2000, 200ms, 1000ms), watcher);
  EXPECT_GE(watcher.warm, 1) << "two, unless a busy machine notes the end of the first one late";
  EXPECT_LE(watcher.warm, 2);
  EXPECT_EQ(stats.intervals.size(), static_cast<std::size_t>(watcher.cold));
  std::uint64_t in_intervals = 0;
  for (const Interval& interval : stats.intervals) in_intervals += interval.operations;
  EXPECT_EQ(in_intervals, stats.ops.operations());
  EXPECT_NEAR(static_cast<double>(stats.groups[0].due), 2000, 100);
  EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due) << "every op that was due is timed";
  EXPECT_NEAR(stats.ops_per_sec(), 2000, 600) << "a pause at an end of the window moves ops out of it or into it";
  EXPECT_EQ(stats.groups[0].procs, 50u);
  EXPECT_EQ(stats.groups[0].operations, stats.ops.operations());
}

TEST(Engine, ResponseIsServicePlusLagAndAStallShowsInTheOpsDueDuringIt) {
  // From the first op after 300 ms on everything stands still for as long; ops that were due meanwhile have waited.
  Load its(20);
  std::once_flag stalls;
  TimePoint start = now(), end{};
  FakeTarget target([&](auto, const auto&) {
    if (now() - start < 300ms) return OpResult{};
    std::call_once(stalls, [&] { end = now() + 300ms; });
    std::this_thread::sleep_until(end);
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(2000, 0ms, 1000ms), watcher);
  ASSERT_TRUE(end != TimePoint{});
  const LatencyHistogram response = stats.ops.response();
  EXPECT_GT(response.percentile(85), 100ms) << "30 % of the ops were due during the stall: half waited > 150 ms";
  EXPECT_NEAR(response.mean(), stats.ops.service().mean() + stats.ops.lag().mean(), 1e3);
  EXPECT_GT(stats.ops.lag().percentile(85), 50ms);
}

TEST(Engine, WorkersGrowToTheNumberOfOpsThatAreBlockedAtOnce) {
  Load its(200);
  OpsAtOnce ops;
  FakeTarget target([&](auto, const auto&) {
    ops.began();
    std::this_thread::sleep_for(50ms);
    ops.ended();
    return OpResult{};
  });
  Watcher watcher;
  its.engine(target).run(load(2000, 500ms, 1000ms), watcher);  // 2,000/s x 50 ms = 100 at once
  EXPECT_GE(ops.most(), 80);
}

TEST(Engine, TheCapOnWorkersIsKept) {
  Load its(50);
  OpsAtOnce ops;
  FakeTarget target([&](auto, const auto&) {
    ops.began();
    std::this_thread::sleep_for(5ms);
    ops.ended();
    return OpResult{};
  });
  Watcher watcher;
  EngineOptions options;
  options.max_workers = 7;
  const RunStats stats = its.engine(target, options).run(load(5000, 0ms, 400ms), watcher);
  EXPECT_LE(ops.most(), 7);
  EXPECT_GT(stats.generator_lag.mean(), 10e6);  // ops wait for workers: the generator's own doing
}

TEST(Engine, AStopRequestEndsTheRunAndKeepsWhatWasMeasured) {
  Load its(10);
  std::atomic<int> ops = 0;
  FakeTarget target([&](auto, const Op&) {
    if (++ops == 100) its.stop.request_stop();
    return OpResult{};
  });
  Watcher watcher;
  Engine engine = its.engine(target);
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
  EXPECT_GE(stats.ops.of(OpKind::chmod).errors.at(EACCES), stats.ops.of(OpKind::chmod).operations)
      << "those of ops that were due in the window and ended after it count, too";
  EXPECT_EQ(stats.ops.of(OpKind::chmod).errors.size(), 1u);
  EXPECT_EQ(stats.ops.of(OpKind::stat).error_count(), 0u);
  EXPECT_FALSE(stats.too_many_errors);
  ASSERT_FALSE(watcher.failures.empty());
  EXPECT_LE(watcher.failures.size(), 10u);
  EXPECT_EQ(watcher.failures[0].second, EACCES);
}

TEST(Engine, AnErrorThatComesAfterTheWindowIsOneOfItsClientToo) {
  Load its(1);
  FakeTarget target([](auto, const auto&) {
    std::this_thread::sleep_for(400ms);
    return OpResult{EIO, 0, 0};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(10, 0ms, 200ms), watcher);
  ASSERT_GE(stats.ops.errors()[EIO], 1u);
  EXPECT_EQ(stats.clients.at(0).counts.errors, stats.ops.error_count());
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
  std::vector<std::string> reported;
  const EventSink releaser = on(
      [&](const OpStuck& stuck) {
        EXPECT_GE(stuck.age, 400ms);
        reported.push_back(stuck.what);
      },
      [&](const IntervalEnded&) { release = !reported.empty(); });
  EngineOptions options;
  options.stuck_after = 400ms;
  const RunStats stats = its.engine(target, options).run(load(1000, 0ms, 1000ms), releaser);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].substr(0, 6), "proc 3");
  EXPECT_EQ(stats.stuck_ops, 0u);
  EXPECT_GT(stats.ops.operations(), 500u);
}

TEST(Engine, ProcsGoOnWhereTheLoadPointBeforeLeftThem) {
  Load its(4);
  FakeTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  engine.run(load(2000, 0ms, 200ms), watcher);
  engine.run(load(4000, 0ms, 200ms), watcher);
  expect_ops_from_the_first(target, 4);
}

}  // namespace
}  // namespace edagen::testing
