// Targets that carry out all ops in queues.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/usable_processors.hpp"
#include "fakes/engine_load.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

class QueuedTarget final : public FakeTarget {
 public:
  using FakeTarget::FakeTarget;
  bool queues_all_procs() const override { return true; }
  std::unique_ptr<TargetWorker> make_worker() override { throw std::logic_error("all ops are queued"); }
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override {
    {
      std::lock_guard lock(mutex_);
      for (const QueuedProc& proc : procs) {
        EXPECT_EQ(proc.depth, 1u);
        queue_of[proc.proc] = queues;
      }
      ++queues;
    }
    if (is_silent) return std::make_unique<SilentQueue>(begun);
    return FakeTarget::make_queue(procs);
  }

  bool is_silent = false;     ///< ops do not end
  std::atomic<int> begun{0};  ///< ops that do not end
  std::map<std::uint32_t, int> queue_of;
  int queues = 0;

 private:
  struct SilentQueue final : TargetQueue {
    explicit SilentQueue(std::atomic<int>& ops) : begun(ops) {}
    void begin(std::uint32_t, std::uint32_t, const Op&) override { ++begun; }
    std::size_t complete(std::span<Completion>, Nanos timeout) override {
      if (timeout > Nanos(0)) std::this_thread::sleep_for(timeout);
      return 0;
    }
    bool abandon() override { return true; }
    std::atomic<int>& begun;
  };
  std::mutex mutex_;
};

TEST(QueuedTarget, SerialProcsDoTheSameOpsInQueues) {
  for (const auto rate : {std::optional<double>(), std::optional<double>(2000)}) {
    Load its(12);
    QueuedTarget target;
    Watcher watcher;
    const RunStats stats = its.engine(target).run(load(rate, 0ms, 200ms), watcher);
    EXPECT_GT(stats.ops.operations(), 0u);
    EXPECT_EQ(stats.stuck_ops, 0u);
    EXPECT_GE(target.queues, 1);
    expect_ops_from_the_first(target, 12);
  }
}

TEST(QueuedTarget, AllProcsOfAClientAreInOneQueue) {
  Load its(30);
  for (std::size_t i = 0; i < its.procs.size(); ++i) its.procs[i].client = i / 3 * 2;  // even numbers alone
  QueuedTarget target;
  Watcher watcher;
  its.engine(target).run(load(std::nullopt, 0ms, 50ms), watcher);
  std::set<int> queues;
  for (std::uint32_t proc = 0; proc < 30; ++proc) {
    EXPECT_EQ(target.queue_of.at(proc), target.queue_of.at(proc / 3 * 3)) << proc;
    queues.insert(target.queue_of.at(proc));
  }
  EXPECT_EQ(queues.size(), std::min<std::size_t>(10, usable_processor_count()));
  EXPECT_EQ(target.queues, static_cast<int>(queues.size()));
}

TEST(QueuedTarget, OneQueueIsEnoughForALowRate) {
  Load its(30);
  for (std::size_t i = 0; i < its.procs.size(); ++i) its.procs[i].client = i;
  QueuedTarget target;
  Watcher watcher;
  its.engine(target).run(load(1000, 0ms, 50ms), watcher);
  EXPECT_EQ(target.queues, 1);
}

TEST(QueuedTarget, OpsThatAQueueGivesUpDoNotHoldUpTheEndOfARun) {
  Load its(4);
  QueuedTarget target;
  target.is_silent = true;
  Watcher watcher;
  EngineOptions options;
  options.stuck_after = 100s;
  Engine engine = its.engine(target, options);
  std::jthread ends([&] {
    for (int i = 0; i < 20'000 && target.begun < 4; ++i) std::this_thread::sleep_for(1ms);
    its.stop.request_stop();
  });
  const RunStats stats = engine.run(load(1000, 0ms, 60s), watcher);
  EXPECT_TRUE(stats.interrupted);
  EXPECT_EQ(stats.stuck_ops, 4u);
  EXPECT_GT(stats.ops.outstanding(), 0u);
}

TEST(QueuedTarget, OpsThatNeverEndAreGivenUpAfterALoad) {
  Load its(4);
  QueuedTarget target;
  target.is_silent = true;
  Watcher watcher;
  EngineOptions options;
  options.stuck_after = 100ms;
  const RunStats stats = its.engine(target, options).run(load(1000, 0ms, 50ms), watcher);
  EXPECT_FALSE(stats.interrupted);
  EXPECT_EQ(stats.stuck_ops, 4u);
  EXPECT_EQ(watcher.stuck.size(), 4u);
}

}  // namespace
}  // namespace edagen::testing
