// The end of a load that several hosts make together.
#include "load/shared_load.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "fakes/engine_load.hpp"
#include "fakes/fake_target.hpp"
#include "load/engine.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

/// Decides alone, and at once.
struct OnlyHost final : SharedLoad {
  TimePoint agree_start() override { return now(); }
  void interval_ended(const Interval&, const IntervalStats&, bool, bool) override {}
  std::optional<Decision> decision() override { return Decision{}; }
  bool is_over() override { return false; }
  void drained(const IntervalStats&) override {}
  void op_stuck(const std::string&, OpKind, Nanos) override {}
  void rest() override {}
};

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
