// Closed loops, threads that are too few, and kinds of procs with and without a rate.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "fakes/engine_load.hpp"
#include "fakes/fake_target.hpp"
#include "load/engine.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

TEST(Engine, AClosedLoopKeepsEachKindOfProcsItsShareOfTheOps) {
  // By their rates 3 x 100 to 2 x 75 ops/s, that is 2 to 1; ops of the second kind take 50 times as long.
  for (const std::size_t workers : {2u, 16u}) {
    Load its(5);
    for (std::size_t i = 3; i < 5; ++i) its.procs[i].group = 1, its.procs[i].ops_per_sec = 75;
    FakeTarget target([](std::uint32_t proc, const auto&) {
      std::this_thread::sleep_for(proc < 3 ? 20us : 1ms);
      return OpResult{};
    });
    Watcher watcher;
    EngineOptions options;
    options.max_workers = workers;
    Engine engine(std::move(its.procs), {"short", "long"}, target, options, its.stop.get_token());
    const RunStats stats = engine.run(load(std::nullopt, 100ms, 500ms), watcher);
    EXPECT_DOUBLE_EQ(stats.groups[0].share, 2.0 / 3);
    const auto of_short = static_cast<double>(stats.groups[0].operations),
               of_long = static_cast<double>(stats.groups[1].operations);
    // The lead of a kind, 64 ops of the first or 32 of the second, may differ between the ends of the window.
    EXPECT_NEAR(of_short, 2 * of_long, 150);
    EXPECT_GT(of_long, 50);
  }
}

TEST(Engine, ClosedLoopOpsHaveNoLag) {
  Load its(4);
  FakeTarget target;
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(std::nullopt, 0ms, 200ms), watcher);
  EXPECT_FALSE(stats.requested_ops_per_sec);
  EXPECT_EQ(stats.ops.lag().count(), 0u);
  // Those that began in the window and those that ended in it: but for the ones in flight at its end.
  EXPECT_GE(stats.ops.response().count(), stats.ops.operations());
  EXPECT_LE(stats.ops.response().count(), stats.ops.operations() + 4);
}

/// The generator's own delay, all ops together, of two procs of which the first one's op blocks the only thread.
RunStats with_one_thread(unsigned depth) {
  Load its(2);
  for (EngineProc& proc : its.procs) proc.depth = depth, proc.queueable = depth > 1;
  std::atomic<bool> blocked{false};
  FakeTarget target([&](std::uint32_t proc, const auto&) {
    if (proc == 0 && !blocked.exchange(true)) std::this_thread::sleep_for(300ms);
    return OpResult{};
  });
  EngineOptions options;
  options.max_workers = 1;
  Watcher watcher;
  return its.engine(target, options).run(load(200, 0ms, 1s), watcher);
}

TEST(Engine, ABacklogThatTheGeneratorMadeIsItsOwnUntilTheProcHasCaughtUp) {
  // 30 ops of the other proc fall due meanwhile, the first of them 300 ms late and each 10 ms less than the one before.
  for (const unsigned depth : {1u, 4u}) {
    const RunStats stats = with_one_thread(depth);
    EXPECT_GT(stats.generator_lag.total(), 3e9) << depth;
  }
}

TEST(Engine, ABacklogThatTheStorageMadeIsNotTheGenerators) {
  Load its(2);
  std::atomic<int> blocked{0};
  FakeTarget target([&](auto, const auto&) {
    if (blocked++ < 2) std::this_thread::sleep_for(600ms);
    return OpResult{};
  });
  Watcher watcher;
  const RunStats stats = its.engine(target).run(load(200, 0ms, 1s), watcher);
  EXPECT_GT(stats.ops.lag().total(), 24e9);
  // What a pause of this process adds is the generator's own: the ops that were due in it have waited for half of it.
  const double pause = to_seconds(stats.longest_pause);
  EXPECT_LT(stats.generator_lag.total(), stats.ops.lag().total() / 4 + 200 * pause * pause / 2 * 1e9);
}

TEST(Engine, InAClosedLoopTheWaitForAThreadIsSeen) {
  for (const std::size_t workers : {1u, 8u}) {
    Load its(4);
    FakeTarget target([](auto, const auto&) {
      std::this_thread::sleep_for(5ms);
      return OpResult{};
    });
    EngineOptions options;
    options.max_workers = workers;
    Watcher watcher;
    const RunStats stats = its.engine(target, options).run(load(std::nullopt, 0ms, 500ms), watcher);
    const NanosF wait = stats.groups[0].waits.mean();
    if (workers == 1) EXPECT_GT(wait, 12ms) << "for the ops of the three others";
    else EXPECT_LT(wait, 12ms + stats.longest_pause) << "but for a pause of this process";
  }
}

TEST(Engine, EachBlockedProcOfAClosedLoopHasAWorkerInWhicheverShardItIs) {
  constexpr int procs = 40;
  Load its(procs);
  OpsAtOnce ops;
  FakeTarget target([&](auto, const auto&) {
    ops.began();
    std::this_thread::sleep_for(200ms);
    ops.ended();
    return OpResult{};
  });
  Watcher watcher;
  its.engine(target).run(load(std::nullopt, 0ms, 1s), watcher);
  EXPECT_EQ(ops.most(), procs);
}

TEST(Engine, InAClosedLoopTheTimeOfAnOpThatBeganBeforeTheWindowIsSeen) {
  for (const unsigned depth : {1u, 4u}) {
    Load its(1);
    its.procs[0].depth = depth, its.procs[0].queueable = depth > 1;
    std::atomic<bool> stopped{false};
    FakeTarget target([&](auto, const auto&) {
      std::this_thread::sleep_for(stopped.exchange(true) ? 1ms : 900ms);
      return OpResult{};
    });
    Watcher watcher;
    const RunStats stats = its.engine(target).run(load(std::nullopt, 400ms, 600ms), watcher);
    EXPECT_GT(stats.groups[0].waits.carried, 100ms) << depth;
    EXPECT_LE(stats.groups[0].waits.carried_ops, depth);
  }
}

TEST(Engine, InAClosedLoopKindsWithoutARateAreNotHeldUpByOthersAndKindsThatAllHaveOneKeepTheirShares) {
  for (const bool paced : {false, true}) {
    Load its(2);
    its.procs[1].group = 1;
    for (EngineProc& proc : its.procs) proc.paced = paced;
    FakeTarget target([](std::uint32_t proc, const auto&) {
      std::this_thread::sleep_for(proc == 0 ? 1ms : 50ms);
      return OpResult{};
    });
    Watcher watcher;
    Engine engine(std::move(its.procs), {"fast", "slow"}, target, {}, its.stop.get_token());
    const RunStats stats = engine.run(load(std::nullopt, 0ms, 1s), watcher);
    const auto fast = stats.groups[0].operations, slow = stats.groups[1].operations;
    if (paced) EXPECT_LT(fast, slow + 64);
    else EXPECT_GT(fast, 5 * slow);
  }
}

TEST(Engine, BesideAKindWithoutARateKindsWithOneKeepTheirPace) {
  for (const unsigned depth : {1u, 4u}) {
    Load its(3);
    for (std::size_t i = 0; i < 3; ++i) {
      EngineProc& proc = its.procs[i];
      proc.group = i, proc.paced = i > 0, proc.depth = depth, proc.queueable = depth > 1;
    }
    its.procs[2].ops_per_sec = 30;
    FakeTarget target([](std::uint32_t, const auto&) {
      std::this_thread::sleep_for(100us);
      return OpResult{};
    });
    Watcher watcher;
    Engine engine(std::move(its.procs), {"free", "often", "seldom"}, target, {}, its.stop.get_token());
    const RunStats stats = engine.run(load(std::nullopt, 0ms, 1s), watcher);
    EXPECT_GT(stats.groups[0].operations, 300u) << depth;
    EXPECT_FALSE(stats.groups[0].requested_ops_per_sec);
    EXPECT_EQ(stats.groups[1].requested_ops_per_sec, 100);
    EXPECT_NEAR(static_cast<double>(stats.groups[1].due), 100, 2) << depth;
    EXPECT_LE(stats.groups[1].operations, 101u) << depth;
    EXPECT_NEAR(static_cast<double>(stats.groups[2].due), 30, 2) << depth;
    EXPECT_EQ(stats.ops.outstanding(), 0u) << "no op that was due is left out";
  }
}

TEST(Engine, BesideAKindWithoutARateAKindThatCannotKeepItsPaceIsNamed) {
  Load its(2);
  its.procs[1].group = 1, its.procs[1].ops_per_sec = 1000;
  its.procs[0].paced = false;
  FakeTarget target([](std::uint32_t, const auto&) {
    std::this_thread::sleep_for(5ms);
    return OpResult{};
  });
  Watcher watcher;
  Engine engine(std::move(its.procs), {"free", "paced"}, target, {}, its.stop.get_token());
  const RunStats stats = engine.run(load(std::nullopt, 0ms, 500ms), watcher);
  EXPECT_LT(stats.groups[1].least_proc_share, 0.75);
  EXPECT_EQ(stats.groups[0].least_proc_share, 1) << "nothing was asked of it";
}

}  // namespace
}  // namespace edagen::testing
