// A load that stays up and goes on at another rate: LoadPoint::stays_up in real time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "fakes/engine_load.hpp"
#include "fakes/fake_target.hpp"
#include "load/engine.hpp"
#include "support/no_more_threads.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

/// Counts the workers that there are and were.
class CountingTarget final : public FakeTarget {
 public:
  using FakeTarget::FakeTarget;
  std::unique_ptr<TargetWorker> make_worker() override {
    ++made;
    return std::make_unique<Worker>(*this, FakeTarget::make_worker());
  }
  std::atomic<int> made{0}, alive{0};

 private:
  struct Worker final : TargetWorker {
    Worker(CountingTarget& its_target, std::unique_ptr<TargetWorker> its_real)
        : target(its_target), real(std::move(its_real)) {
      ++target.alive;
    }
    ~Worker() override { --target.alive; }
    OpResult carry_out(std::uint32_t proc, const Op& op) override { return real->carry_out(proc, op); }
    CountingTarget& target;
    std::unique_ptr<TargetWorker> real;
  };
};

LoadPoint that_stays_up(double rate, Nanos duration = 500ms) {
  LoadPoint point = load(rate, 100ms, duration);
  point.interval = duration;
  point.stays_up = true;
  return point;
}

TEST(SteeredLoad, ALoadThatStaysUpGoesOnAtAnotherRateWithTheSameWorkersAndLosesNoOp) {
  Load its(20);
  CountingTarget target;
  std::uint64_t warm = 0;
  const EventSink count_warm = on([&](const IntervalEnded& ended) {
    if (!ended.in_window) warm += ended.interval.operations;
  });
  EngineOptions options;
  options.max_workers = 1;
  Engine engine = its.engine(target, options);
  for (const double rate : {2000.0, 6000.0, 1000.0}) {
    warm = 0;
    const RunStats stats = engine.run(that_stays_up(rate), count_warm);
    // Each of 20 procs has an op in each gap, and its place in the gap changes.
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), rate / 2, 40);
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due) << "every op that was due is timed once";
    EXPECT_NEAR(stats.ops_per_sec(), rate, 0.6 * rate) << "a pause at an end of the window moves ops";
    EXPECT_EQ(stats.requested_ops_per_sec, rate);
    EXPECT_EQ(stats.length, 500ms);
    EXPECT_GE(stats.warmup, 100ms);
    EXPECT_EQ(stats.ops.outstanding(), 0u);
    EXPECT_GT(warm, 0u) << "the warm-up has ops, too";
    EXPECT_EQ(target.made, 1) << "the worker stays";
  }
  EXPECT_EQ(engine.end_load(), 0u);
  expect_ops_from_the_first(target, 20);
}

TEST(SteeredLoad, EachLoadPointOfALoadThatStaysUpHasAFirstOpOfItsOwn) {
  Load its(20);
  CountingTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  const RunStats first = engine.run(that_stays_up(2000), watcher), second = engine.run(that_stays_up(200), watcher);
  ASSERT_GT(second.ops.operations(), 0u);
  EXPECT_GT(first.first_op, 0ns);
  EXPECT_GT(second.first_op, 0ns);
  EXPECT_NE(first.first_op, second.first_op);
  EXPECT_LT(second.first_op, second.warmup + second.length) << "since the load point began, not since the load did";
}

TEST(SteeredLoad, ALoadThatStaysUpGoesOnWhereTheSystemRefusesFurtherThreads) {
  Load its(20);
  CountingTarget target;
  Watcher watcher;
  EngineOptions options;
  options.max_workers = 1;
  Engine engine = its.engine(target, options);
  engine.run(that_stays_up(2000), watcher);
  const NoMoreThreads full;
  const RunStats stats = engine.run(that_stays_up(1000), watcher);
  EXPECT_GT(stats.ops.operations(), 0u);
  EXPECT_EQ(target.made, 1) << "the worker stays";
}

TEST(SteeredLoad, AWindowWithoutWarmUpBeginsAtOnceWhenALoadGoesOn) {
  Load its(20);
  CountingTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  LoadPoint point = that_stays_up(2000);
  point.warmup = 0ms;
  for (int i = 0; i < 3; ++i) {
    const RunStats stats = engine.run(point, watcher);
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), 1000, 40);
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due);
    EXPECT_EQ(stats.length, 500ms);
  }
}

TEST(SteeredLoad, JobSetsComeAndGoWhileALoadStaysUp) {
  Load its(20);
  for (std::size_t i = 0; i < its.procs.size(); ++i) its.procs[i].job_set = i / 5;
  CountingTarget target;
  const auto counts = [&] {
    std::map<std::uint32_t, std::size_t> found;
    for (const auto& [proc, ops] : target.ops()) found[proc] = ops.size();
    return found;
  };
  std::map<std::uint32_t, std::size_t> before;
  const EventSink counter = on([&](const WindowBegan&) { before = counts(); });
  EngineOptions options;
  options.max_workers = 1;
  Engine engine = its.engine(target, options);
  for (const std::size_t sets : {1u, 4u, 2u}) {
    LoadPoint point = that_stays_up(500.0 * static_cast<double>(sets));
    point.job_sets = sets;
    const RunStats stats = engine.run(point, counter);
    EXPECT_EQ(stats.groups[0].procs, 5 * sets);
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), 250.0 * static_cast<double>(sets),
                5.0 * static_cast<double>(sets));
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due);
    const auto after = counts();
    for (const auto& [proc, count] : after) {
      if (proc < 5 * sets) EXPECT_GE(count - before[proc], 20u) << "proc " << proc << " of " << sets;
      else EXPECT_EQ(count, before[proc]) << "proc " << proc << " of " << sets;
    }
  }
  EXPECT_EQ(target.made, 1);
}

/// Another process, which stops this one for 200 ms shortly after it is told to.
class Stopper {
 public:
  Stopper() {
    if (::pipe(pipe_) != 0 || (child_ = ::fork()) != 0) return;
    ::close(pipe_[1]);
    for (char byte = 0; ::read(pipe_[0], &byte, 1) == 1;) {
      ::usleep(20'000);
      ::kill(::getppid(), SIGSTOP);
      ::usleep(200'000);
      ::kill(::getppid(), SIGCONT);
    }
    ::_exit(0);
  }
  ~Stopper() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }
  void stop_soon() { EXPECT_EQ(::write(pipe_[1], "", 1), 1); }

 private:
  int pipe_[2] = {-1, -1};
  pid_t child_ = -1;
};

/// The longest pause of a load whose process is stopped in its first interval, while its events are handled for
/// `busy`.
Nanos longest_pause_of_a_stop_while_settling(Nanos busy) {
  Stopper stopper;
  int intervals = 0;
  const EventSink trigger = on([&](const IntervalEnded& its) {
    if (its.in_window || ++intervals > 1) return;
    stopper.stop_soon();
    for (const TimePoint end = now() + busy; now() < end;) continue;
  });
  Load its(10);
  FakeTarget target;
  Engine engine = its.engine(target);
  LoadPoint point = that_stays_up(500);
  point.warmup = 500ms;
  point.interval = 50ms;
  const Nanos longest = engine.run(point, trigger).longest_pause;
  EXPECT_EQ(engine.end_load(), 0u);
  return longest;
}

TEST(SteeredLoad, APauseWhileALoadThatStaysUpSettlesIsOneOfTheWindowThatServesItsBacklog) {
  EXPECT_GE(longest_pause_of_a_stop_while_settling(0ms), 100ms);
}

TEST(SteeredLoad, AStopThatHitsTheHandlingOfAnEventIsAPause) {
  EXPECT_GE(longest_pause_of_a_stop_while_settling(100ms), 100ms);
}

TEST(SteeredLoad, APauseWhileTheLastOpsOfAWindowAreWaitedForIsSeen) {
  Stopper stopper;
  const EventSink trigger = on([&](const WindowEnded&) { stopper.stop_soon(); });
  Load its(10);
  const TimePoint stalls = now() + 500ms;
  FakeTarget target([=](auto, const auto&) {
    if (now() >= stalls) std::this_thread::sleep_until(stalls + 1s);
    return OpResult{};
  });
  Engine engine = its.engine(target);
  EXPECT_GE(engine.run(that_stays_up(500), trigger).longest_pause, 100ms);
  EXPECT_EQ(engine.end_load(), 0u);
}

TEST(SteeredLoad, AfterAnOverloadTheNextLoadBeginsAnew) {
  Load its(1);
  CountingTarget target([](auto, const auto&) {
    std::this_thread::sleep_for(20ms);
    return OpResult{};
  });
  Watcher watcher;
  Engine engine = its.engine(target);
  const RunStats over = engine.run(that_stays_up(1000), watcher);
  EXPECT_GT(over.ops.outstanding(), 300u) << "500 were due, of 50/s";
  EXPECT_EQ(target.alive, 0);
  const RunStats after = engine.run(that_stays_up(10), watcher);
  EXPECT_EQ(after.ops.outstanding(), 0u);
  EXPECT_EQ(after.ops.response().count(), after.groups[0].due);
  EXPECT_LT(after.ops.response().mean(), 2e9) << "what was left would take 8 s";
  EXPECT_EQ(target.made, 2);
}

TEST(SteeredLoad, ALoadThatDiffersInMoreThanItsRateBeginsAnew) {
  Load its(10);
  CountingTarget target;
  Watcher watcher;
  EngineOptions options;
  options.max_workers = 1;
  Engine engine = its.engine(target, options);
  LoadPoint point = that_stays_up(1000, 100ms);
  engine.run(point, watcher);
  point.rate = OpenLoop{1000, Arrivals::poisson};
  engine.run(point, watcher);
  EXPECT_EQ(target.made, 2);
  point.stays_up = false;  // such as a demonstration
  const RunStats full = engine.run(point, watcher);
  EXPECT_EQ(target.made, 3);
  EXPECT_EQ(target.alive, 0);
  EXPECT_EQ(full.ops.response().count(), full.groups[0].due);
}

TEST(SteeredLoad, EndingALoadEndsItsWorkersAndSoDoesTheDestructor) {
  Load its(10);
  CountingTarget target([](auto, const auto&) {
    std::this_thread::sleep_for(1ms);
    return OpResult{};
  });
  Watcher watcher;
  {
    Engine engine = its.engine(target);
    EXPECT_EQ(engine.end_load(), 0u) << "there is none";
    engine.run(that_stays_up(100, 100ms), watcher);
    EXPECT_GT(target.alive, 0);
    EXPECT_EQ(engine.end_load(), 0u);
    EXPECT_EQ(target.alive, 0);
    engine.run(that_stays_up(100, 100ms), watcher);
    EXPECT_GT(target.alive, 0);
  }
  EXPECT_EQ(target.alive, 0);
}

TEST(SteeredLoad, AnOpThatHangsWhileALoadStaysUpIsFoundWhenItEnds) {
  for (const bool by_the_next_load : {false, true}) {
    // Its thread is left behind: what it uses lives as long as the process.
    static auto* const kept = new std::vector<void*>;  // found by the leak check
    const auto keep = [](auto* made) { return kept->push_back(made), made; };
    auto* const hangs = keep(new std::atomic<bool>(false));
    auto* const has_begun = keep(new std::atomic<bool>(false));
    auto* const its = keep(new Load(4));
    auto* const target = keep(new CountingTarget([hangs, has_begun](std::uint32_t proc, const auto&) {
      if (proc == 2 && *hangs) *has_begun = true, hangs->wait(true);
      return OpResult{};
    }));
    Watcher watcher;
    EngineOptions options;
    options.stuck_after = 100ms;
    auto* const engine = keep(new Engine(its->engine(*target, options)));
    EXPECT_EQ(engine->run(that_stays_up(1000, 200ms), watcher).stuck_ops, 0u);
    *hangs = true;
    for (int i = 0; i < 20'000 && !*has_begun; ++i) std::this_thread::sleep_for(1ms);
    if (by_the_next_load) {
      const int made = target->made;
      EXPECT_EQ(engine->run(load(1000, 0ms, 200ms), watcher).stuck_ops, 1u);
      EXPECT_EQ(target->made, made) << "nothing further is run";
    } else {
      EXPECT_EQ(engine->end_load(), 1u);
      EXPECT_EQ(engine->end_load(), 0u);
    }
    *hangs = false;
    hangs->notify_all();
  }
}

TEST(SteeredLoad, AStopRequestEndsALoadThatStaysUp) {
  Load its(10);
  CountingTarget target;
  Watcher watcher;
  Engine engine = its.engine(target);
  engine.run(that_stays_up(1000, 100ms), watcher);
  its.stop.request_stop();
  EXPECT_TRUE(engine.run(that_stays_up(2000, 100s), watcher).interrupted);
  EXPECT_EQ(target.alive, 0);
}

}  // namespace
}  // namespace edagen::testing
