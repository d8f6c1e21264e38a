// A load that several hosts make together, at one of them.
#include "load/shared_load.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>
#include <vector>

#include "fakes/engine_load.hpp"
#include "fakes/fake_target.hpp"
#include "load/engine.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

/// Decides alone, and at once.
struct OnlyHost : SharedLoad {
  TimePoint agree_start() override { return now(); }
  void interval_ended(const Interval&, const IntervalStats&, bool, bool) override {}
  std::optional<Decision> decision() override { return Decision{}; }
  bool is_over() override { return false; }
  void drained(const IntervalStats&) override {}
  void op_stuck(const std::string&, OpKind, Nanos) override {}
  void rest() override {}
};

/// Hears of a beginning when it is over.
struct LateHost final : OnlyHost {
  TimePoint agree_start() override { return now() - load_late; }
  std::optional<Decision> decision() override {
    if (!std::exchange(warms_up, false)) return Decision{};
    return Decision{Measurement::Next::window, now() - window_late};
  }
  Nanos load_late{0}, window_late{0};
  bool warms_up = false;
};

/// The figures of a load at such a host.
RunStats measured_by(LateHost& host, const LoadPoint& point) {
  EngineOptions options;
  options.shared = &host;
  Load its(4);
  FakeTarget target;
  Watcher watcher;
  return its.engine(target, options).run(point, watcher);
}

/// The figures of a load whose window had begun 300 ms before this host heard of it.
RunStats late_window(bool stays_up) {
  LateHost host;
  host.warms_up = true;
  host.window_late = 300ms;
  LoadPoint point = load(1000, 100ms, 1s);
  point.stays_up = stays_up;
  return measured_by(host, point);
}

TEST(SharedLoad, AWindowThatHadBegunElsewhereWhenThisHostHeardOfItLacksOpsWhichIsAPause) {
  for (const bool stays_up : {false, true}) {
    const RunStats stats = late_window(stays_up);
    EXPECT_EQ(stats.length, 1s);
    EXPECT_LT(stats.ops.operations(), 900u) << "those of the first 300 ms are of the warm-up here";
    EXPECT_GE(stats.longest_pause, 300ms) << stays_up;
    EXPECT_GT(stats.paused_share, 0) << stays_up;
  }
}

TEST(SharedLoad, ALoadThatHadBegunElsewhereWhenThisHostHeardOfItHasPausedWhereItIsMeasuredAtOnce) {
  LateHost host;
  host.load_late = 300ms;
  const RunStats stats = measured_by(host, load(1000, 0ms, 1s));
  EXPECT_GE(stats.start_late, 300ms);
  EXPECT_GE(stats.longest_pause, 300ms);
  EXPECT_GT(stats.paused_share, 0);
}

TEST(SharedLoad, AfterAStopAnOpThatDoesNotReturnDoesNotHoldUpWhatWasMeasured) {
  // Its thread is left behind: what it uses lives as long as the process.
  static auto* const kept = new std::vector<void*>;  // found by the leak check
  const auto keep = [](auto* made) { return kept->push_back(made), made; };
  auto* const hangs = keep(new std::atomic<bool>(true));
  auto* const ops = keep(new std::atomic<int>(0));
  auto* const its = keep(new Load(4));
  auto* const target = keep(new FakeTarget([hangs, ops, its](std::uint32_t proc, const auto&) {
    if (proc == 2) hangs->wait(true);
    else if (++*ops == 50) its->stop.request_stop();
    return OpResult{};
  }));
  EngineOptions options;
  options.stuck_after = 100s;
  options.shared = keep(new OnlyHost);
  auto* const engine = keep(new Engine(its->engine(*target, options)));
  Watcher watcher;
  const TimePoint start = now();
  const RunStats stats = engine->run(load(1000, 0ms, 100s), watcher);
  EXPECT_LT(now() - start, 50s) << "a launcher kills the hosts a second after its signal";
  EXPECT_TRUE(stats.interrupted);
  EXPECT_EQ(stats.stuck_ops, 1u);
  EXPECT_GT(stats.ops.operations(), 0u);
  *hangs = false;
  hangs->notify_all();
}

}  // namespace
}  // namespace edagen::testing
